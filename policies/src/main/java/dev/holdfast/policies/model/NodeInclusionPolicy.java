package dev.holdfast.policies.model;

/** Whether a spread constraint skips (HONOR) nodes that the pod's own node affinity or tolerations exclude. */
public enum NodeInclusionPolicy {
    HONOR,
    IGNORE
}
