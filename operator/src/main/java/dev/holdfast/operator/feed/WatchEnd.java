package dev.holdfast.operator.feed;

/** How a watch ended. */
sealed interface WatchEnd {
    int GONE = 410;

    /** It can go on from the last version seen. */
    record Closed() implements WatchEnd {}

    /** It was given up, since nothing was heard of it. */
    record GivenUp() implements WatchEnd {}

    /** It cannot go on, and everything has to be listed again. */
    record Broken(String why) implements WatchEnd {}

    /** {@return how a watch ends that the API server ends with a status of this code} */
    static WatchEnd ofStatus(int code) {
        return code == GONE
                ? new Broken("the API server has forgotten the changes since the last one seen")
                : new Closed();
    }
}
