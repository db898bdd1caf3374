package dev.holdfast.operator.feed;

import java.time.Duration;

/** Where the objects of one kind come from: all there are, and then what changes. */
interface ListWatch {
    /**
     * Tells a sight of all objects there are.
     *
     * @throws RuntimeException that says why they cannot be listed
     */
    void list(SeenObjects seenObjects) throws InterruptedException;

    /**
     * Begins to watch from the version that a sight has reached.
     *
     * @param length how long the API server is asked to keep the watch open
     * @throws RuntimeException that says why they cannot be watched
     */
    Watching watch(SeenObjects seenObjects, Duration length) throws InterruptedException;

    /**
     * {@return the version of the state as it is now, by a consistent read of as little as possible}
     *
     * @throws RuntimeException that says why it cannot be read
     */
    long newest() throws InterruptedException;

    /** One watch from its opening to its end. */
    interface Watching extends AutoCloseable {
        /** Tells the sight of what changes, and returns how the watch ended once it has. */
        WatchEnd await() throws InterruptedException;

        /** Ends a watch of which nothing was heard for too long, from another thread: it may be opened again. */
        void giveUp();

        @Override
        void close();
    }
}
