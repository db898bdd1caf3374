package dev.holdfast.operator.feed;

/**
 * Source of engine events for a cluster: the facts and their changes, and for each view whether it is complete.
 *
 * <p>Every fact of a view is delivered before its {@code ViewSynced}. After a {@code ViewLost} the view is unreliable
 * until the next {@code ViewSynced}. By then the feed has delivered every missed change, including deletions.
 */
public interface Feed extends AutoCloseable {
    /** Starts to deliver. Returns at once; an unreachable API server is retried in the background. */
    void start();

    /** Stops permanently, and waits for the last delivery. */
    @Override
    void close();
}
