package dev.holdfast.operator.feed;

import java.time.Duration;

/** List and watch of one kind. */
interface ListWatch {
    /**
     * Lists all objects of the kind.
     *
     * @param seenObjects receives them
     * @throws RuntimeException if they cannot be listed; its message says why
     */
    void list(SeenObjects seenObjects) throws InterruptedException;

    /**
     * Opens a watch.
     *
     * @param seenObjects receives the changes; the watch starts at the version that it has reached
     * @param length the {@code timeoutSeconds} of the request
     * @throws RuntimeException if the watch cannot be opened; its message says why
     */
    Watching watch(SeenObjects seenObjects, Duration length) throws InterruptedException;

    /**
     * {@return the present resourceVersion of the kind, by a consistent read with limit 1}
     *
     * @throws RuntimeException if it cannot be read; its message says why
     */
    long newest() throws InterruptedException;

    /** One watch from its opening to its end. */
    interface Watching extends AutoCloseable {
        /** Delivers changes until the watch ends, and returns how it ended. */
        WatchEnd await() throws InterruptedException;

        /** Ends a watch that was silent for too long. Called from another thread. */
        void giveUp();

        @Override
        void close();
    }
}
