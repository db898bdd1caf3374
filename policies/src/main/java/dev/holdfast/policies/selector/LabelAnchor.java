package dev.holdfast.policies.selector;

import java.util.Collection;
import java.util.List;
import java.util.Optional;

/**
 * A label that a selector requires, possibly as one of several alternatives. An object can match the selector only if
 * it has one of the selector's anchors. So an index by anchor finds the few selectors that may match an object.
 *
 * <p>Example: the anchors of {@code app In [a b]} are {@code app=a} and {@code app=b}.
 *
 * @param value the value that the object must have; absent if any value of the key suffices
 */
public record LabelAnchor(String key, Optional<String> value) {
    /**
     * An {@code In} expression with more values than this has one anchor, its key with any value, so that an index
     * stays small.
     */
    static final int MOST_VALUES = 4;

    /**
     * {@return the anchors of an {@code In} expression: one for each value, or the key with any value if there are more
     * than {@link #MOST_VALUES} values}
     */
    static List<LabelAnchor> of(String key, Collection<String> values) {
        return values.size() > MOST_VALUES
                ? List.of(new LabelAnchor(key, Optional.empty()))
                : values.stream()
                        .map(value -> new LabelAnchor(key, Optional.of(value)))
                        .toList();
    }

    /**
     * {@return the list that narrows a search more: the one whose anchors fewer objects are likely to have; {@code
     * later} if the two seem equal}
     *
     * <p>A key with a value is rarer than a key with any value, and few values are rarer than many. An empty list means
     * that any object may match, so every other list is rarer.
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
