package dev.holdfast.policies.model;

/** Whether a spread constraint leaves out the nodes that the pod's own node rules or tolerations exclude. */
public enum NodeInclusionPolicy {
    HONOR,
    IGNORE
}
