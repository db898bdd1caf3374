package dev.holdfast.operator.decode.meta;

import dev.holdfast.policies.model.Labels;

/**
 * The labels of an object except region and zone ({@link Labels#NODE_KEYS}), and whether they make a pod a member of a
 * gang. All pods of a template share one cached block.
 *
 * @param labels all labels except region and zone
 * @param gangMember whether the labels make a pod a member of a gang (pods that are scheduled and deleted together)
 */
public record LabelBlock(Labels labels, boolean gangMember) {
    static final LabelBlock NONE = new LabelBlock(Labels.none(), false);

    static LabelBlock of(Labels labels) {
        return new LabelBlock(labels, ApiConstants.gangMember(labels));
    }
}
