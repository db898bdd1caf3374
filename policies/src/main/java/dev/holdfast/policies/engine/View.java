package dev.holdfast.policies.engine;

/** One kind of objects that the engine sees by a feed. It acts only while all views are synced. */
public enum View {
    PODS,
    NODES,
    NAMESPACES,
    OWNERS,
    BUDGETS,
    POLICIES,
    PAUSES
}
