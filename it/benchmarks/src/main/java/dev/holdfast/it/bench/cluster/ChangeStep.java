package dev.holdfast.it.bench.cluster;

/** The two steps of a {@link PlannedChange}: it breaks rules, and is reverted. */
public enum ChangeStep {
    BREAK,
    HEAL
}
