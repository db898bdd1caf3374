package dev.holdfast.operator.feed;

/**
 * Source of a cluster's state for the engine: sends its objects, their changes, and for each view whether it is
 * complete. A view is what the operator knows about the objects of one kind, or of several kinds such as owners.
 *
 * <p>All objects of a view are delivered before the event {@code ViewSynced}. After {@code ViewLost} the view may miss
 * changes. Before the next {@code ViewSynced} the feed delivers every missed change, including deletions.
 */
public interface Feed extends AutoCloseable {
    /**
     * Starts the feed, and returns at once. If the API server cannot be reached, the feed retries in the background.
     */
    void start();

    /** Stops the feed permanently, and waits a few seconds for a delivery in progress to end. */
    @Override
    void close();
}
