package dev.holdfast.policies.selector;

import java.util.Collection;
import java.util.List;
import java.util.Optional;

/**
 * A label that an object must have for a selector to match it. Selectors are indexed by their anchors.
 *
 * @param value absent if any value satisfies the selector
 */
public record LabelAnchor(String key, Optional<String> value) {
    /** A selector with more values than this is indexed by the key alone. */
    static final int MOST_VALUES = 16;

    /**
     * {@return the anchors of an {@code In} expression: one for each value, or the key alone if there are many values}
     */
    static List<LabelAnchor> of(String key, Collection<String> values) {
        return values.size() > MOST_VALUES
                ? List.of(new LabelAnchor(key, Optional.empty()))
                : values.stream()
                        .map(value -> new LabelAnchor(key, Optional.of(value)))
                        .toList();
    }

    /**
     * {@return the list of anchors that fewer objects are likely to have; the later list if both are equally rare}
     *
     * <p>A value is rarer than a key, and few values are rarer than many. An empty list stands for every object and is
     * the most common.
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
