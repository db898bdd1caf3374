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

    /**
     * {@return how a watch ended, if the API server ended it with an error}
     *
     * @param code the HTTP status code of the error
     */
    static WatchEnd ofStatus(int code) {
        return code == GONE
                ? new Broken("the API server no longer has the changes since the last one seen")
                : new Closed();
    }
}
