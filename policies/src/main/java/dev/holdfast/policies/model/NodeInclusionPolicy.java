package dev.holdfast.policies.model;

/**
 * How a topology spread constraint treats nodes that the pod's own node affinity, or a taint, excludes. HONOR leaves
 * such nodes out, IGNORE includes them.
 */
public enum NodeInclusionPolicy {
    HONOR,
    IGNORE
}
