package dev.holdfast.operator.feed;

/**
 * A cluster as a stream of engine events: facts as they are and change, and of each view whether it is complete.
 *
 * <p>Every fact of a view comes before its {@code ViewSynced}. After a {@code ViewLost} nothing of the view can be
 * relied on until the next {@code ViewSynced}, by when everything missed has been made up for, deletions included.
 */
public interface Feed extends AutoCloseable {
    /** Begins to deliver. Returns at once; an API server that cannot be reached is waited for. */
    void start();

    /** Stops for good, and waits until nothing is delivered any more. */
    @Override
    void close();
}
