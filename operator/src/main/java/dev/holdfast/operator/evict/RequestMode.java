package dev.holdfast.operator.evict;

/** The two requests of an eviction. */
enum RequestMode {
    DRY_RUN,
    REAL
}
