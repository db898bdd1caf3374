package dev.holdfast.policies.index.change;

import dev.holdfast.policies.forgive.Cause.LabelChange;
import dev.holdfast.policies.model.Labels;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;

/** Compares the labels of one object before and after a change. */
public final class LabelChanges {
    private LabelChanges() {}

    /** {@return the change of the label with this key; empty if its value is the same before and after} */
    static Optional<LabelChange> of(Labels before, Labels after, String key) {
        LabelChange change = new LabelChange(key, before.get(key), after.get(key));
        return change.from().equals(change.to()) ? Optional.empty() : Optional.of(change);
    }

    /**
     * {@return the first change of a label with one of these keys, in the order of the keys; empty if there is none}
     */
    static Optional<LabelChange> ofOne(Set<String> keys, Labels before, Labels after) {
        return keys.stream().flatMap(key -> of(before, after, key).stream()).findFirst();
    }

    /** {@return the first change of a label with one of these keys; if there is none, the first change of any label} */
    static Optional<LabelChange> firstOf(Set<String> keys, Labels before, Labels after) {
        return ofOne(keys, before, after).or(() -> first(before, after));
    }

    /** {@return the first change of any label, in natural order of the keys} */
    static Optional<LabelChange> first(Labels before, Labels after) {
        return all(before, after).findFirst();
    }

    /** {@return all changes of labels, in natural order of the keys} */
    public static Stream<LabelChange> all(Labels before, Labels after) {
        TreeSet<String> keys = new TreeSet<>(before.toMap().keySet());
        keys.addAll(after.toMap().keySet());
        return keys.stream().flatMap(key -> of(before, after, key).stream());
    }
}
