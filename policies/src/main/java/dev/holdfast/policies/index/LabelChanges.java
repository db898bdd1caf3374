package dev.holdfast.policies.index;

import dev.holdfast.policies.evaluate.Cause.LabelChange;
import dev.holdfast.policies.model.Labels;
import java.util.Optional;
import java.util.TreeSet;

/** What differs between the labels of one object before and after. */
final class LabelChanges {
    private LabelChanges() {}

    /** {@return the change of one key; empty if it is as it was} */
    static Optional<LabelChange> of(Labels before, Labels after, String key) {
        LabelChange change = new LabelChange(key, before.get(key), after.get(key));
        return change.from().equals(change.to()) ? Optional.empty() : Optional.of(change);
    }

    /** {@return the first change in natural order of keys} */
    static Optional<LabelChange> first(Labels before, Labels after) {
        TreeSet<String> keys = new TreeSet<>(before.toMap().keySet());
        keys.addAll(after.toMap().keySet());
        return keys.stream().flatMap(key -> of(before, after, key).stream()).findFirst();
    }
}
