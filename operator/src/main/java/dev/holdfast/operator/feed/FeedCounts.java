package dev.holdfast.operator.feed;

/**
 * The numbers of requests of the feed of one kind since the start.
 *
 * @param lists the number of lists begun; the first one is the initial list
 * @param watches the number of watches opened; each is closed and reopened after 5 to 10 minutes
 */
public record FeedCounts(long lists, long watches) {
    /** The counts of a feed that has requested nothing. */
    public static final FeedCounts NONE = new FeedCounts(0, 0);
}
