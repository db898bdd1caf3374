package dev.holdfast.it.bench.cluster;

/** The two halves of a change. */
public enum ChangeStep {
    BREAK,
    HEAL
}
