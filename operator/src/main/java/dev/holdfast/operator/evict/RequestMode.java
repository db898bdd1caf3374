package dev.holdfast.operator.evict;

/** Whether an eviction request is a dry run or real. */
enum RequestMode {
    DRY_RUN,
    REAL
}
