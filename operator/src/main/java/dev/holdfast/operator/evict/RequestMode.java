package dev.holdfast.operator.evict;

/** The two requests of an eviction: dry run and real. */
enum RequestMode {
    DRY_RUN,
    REAL
}
