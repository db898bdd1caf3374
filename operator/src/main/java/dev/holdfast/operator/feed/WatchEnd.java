package dev.holdfast.operator.feed;

/** How a watch ended. */
sealed interface WatchEnd {
    int GONE = 410;

    /** The watch can be reopened at the last version seen. */
    record Closed() implements WatchEnd {}

    /** The operator ended the watch because it was silent. */
    record GivenUp() implements WatchEnd {}

    /** The watch cannot continue: the feed must relist. */
    record Broken(String why) implements WatchEnd {}

    /** {@return how a watch ended to which the API server sent an error of this code} */
    static WatchEnd ofStatus(int code) {
        return code == GONE
                ? new Broken("the API server no longer has the changes since the last one seen")
                : new Closed();
    }
}
