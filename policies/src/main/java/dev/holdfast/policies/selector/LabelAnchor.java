package dev.holdfast.policies.selector;

import java.util.Collection;
import java.util.List;
import java.util.Optional;

/**
 * A label that an object must have for a selector to match it, so that the selector can be filed under it.
 *
 * @param value absent when any value will do
 */
public record LabelAnchor(String key, Optional<String> value) {
    /** Beyond so many values, a selector is filed under their key alone. */
    static final int MOST_VALUES = 16;

    /** {@return the labels of which an object has one if it has one of these values} */
    static List<LabelAnchor> of(String key, Collection<String> values) {
        return values.size() > MOST_VALUES
                ? List.of(new LabelAnchor(key, Optional.empty()))
                : values.stream()
                        .map(value -> new LabelAnchor(key, Optional.of(value)))
                        .toList();
    }

    /**
     * {@return the list of which fewer objects have a label, the later one of two alike} A value is rarer than a key,
     * few values are rarer than many, and what a list without labels stands for, every object, is rarer than nothing.
     */
    public static List<LabelAnchor> rarer(List<LabelAnchor> earlier, List<LabelAnchor> later) {
        return commonness(later) <= commonness(earlier) ? later : earlier;
    }

    private static int commonness(List<LabelAnchor> anchors) {
        if (anchors.isEmpty()) {
            return Integer.MAX_VALUE;
        }
        return anchors.getFirst().value().isPresent() ? anchors.size() : MOST_VALUES + 1;
    }
}
