package dev.holdfast.operator.evict;

/** The two requests of an eviction. */
enum Step {
    DRY_RUN,
    REAL
}
