package dev.holdfast.operator.feed;

/** The end of a watch. */
sealed interface WatchEnd {
    int GONE = 410;

    /**
     * The connection of the watch ended, for example after the requested time. The watch can be reopened at the last
     * version seen.
     */
    record Closed() implements WatchEnd {}

    /** The operator ended the watch because it was silent. */
    record GivenUp() implements WatchEnd {}

    /** The watch cannot be reopened at the last version seen: the feed must relist. */
    record Broken(String why) implements WatchEnd {}

    /**
     * The watch has sent bytes that are no event of its kind. The feed must relist, and nothing that was read before is
     * beyond doubt: neither the caches of the reader, nor the objects that it has delivered.
     */
    record Unreadable(String why) implements WatchEnd {}

    /**
     * {@return how a watch ended after an error of the API server: Broken after 410 Gone, otherwise Closed}
     *
     * @param code the HTTP status code of the error
     */
    static WatchEnd ofStatus(int code) {
        return code == GONE
                ? new Broken("the API server no longer has the changes since the last one seen")
                : new Closed();
    }
}
