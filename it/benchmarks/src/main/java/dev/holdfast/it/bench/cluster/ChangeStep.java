package dev.holdfast.it.bench.cluster;

/** The two steps of a change. */
public enum ChangeStep {
    BREAK,
    HEAL
}
