package dev.holdfast.operator.observe;

/** How a watch ended. */
sealed interface WatchEnd {
    /** It can go on from the last version seen. */
    record Closed() implements WatchEnd {}

    /** It cannot go on, and everything has to be listed again. */
    record Broken(String why) implements WatchEnd {}
}
