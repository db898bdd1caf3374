package dev.holdfast.it.bench.cluster;

/** The two halves of a change. */
public enum Step {
    BREAK,
    HEAL
}
