package dev.holdfast.operator.decode.meta;

import dev.holdfast.policies.model.Labels;

/**
 * The labels of an object, but for node pairs, and what they say of it.
 *
 * @param gangMember whether a pod with them belongs to a group of pods that live and die together
 */
public record LabelBlock(Labels labels, boolean gangMember) {
    static final LabelBlock NONE = new LabelBlock(Labels.none(), false);

    static LabelBlock of(Labels labels) {
        return new LabelBlock(labels, ApiConstants.gangMember(labels));
    }
}
