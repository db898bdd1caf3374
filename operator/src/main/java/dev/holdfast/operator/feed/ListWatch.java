package dev.holdfast.operator.feed;

import java.time.Duration;

/** Sends the LIST and WATCH requests for one kind. */
interface ListWatch {
    /** {@return a new reader of the kind, for the thread of its feed} */
    KindReader<?> reader();

    /**
     * Lists all objects of the kind.
     *
     * @param reader decodes the objects
     * @param seenObjects receives the objects
     * @throws RuntimeException if the objects cannot be listed; the message says why
     */
    void list(KindReader<?> reader, SeenObjects seenObjects) throws InterruptedException;

    /**
     * Opens a watch.
     *
     * @param seenObjects receives the changes; the watch starts at its {@link SeenObjects#reached()} version
     * @param length the {@code timeoutSeconds} of the request
     * @throws RuntimeException if the watch cannot be opened; the message says why
     */
    Watching watch(SeenObjects seenObjects, Duration length) throws InterruptedException;

    /**
     * Reads the newest resourceVersion of the kind, with a consistent LIST of limit 1.
     *
     * @param limit the longest wait for the headers of the response, and then for its body
     * @throws RuntimeException if the version cannot be read; the message says why
     */
    long newest(Duration limit) throws InterruptedException;

    /**
     * Opens a second watch for a few seconds, beside that of the feed.
     *
     * @param from the version from which it starts
     * @throws RuntimeException if the watch cannot be opened; the message says why
     */
    SecondWatch secondWatch(long from) throws InterruptedException;

    /** An open watch. */
    interface Watching extends AutoCloseable {
        /**
         * Delivers changes until the watch ends, and returns how it ended.
         *
         * @param reader decodes the objects
         */
        WatchEnd await(KindReader<?> reader) throws InterruptedException;

        /**
         * Ends the watch early: it was silent for too long, or the feed stops. Called on a different thread than {@link
         * #await}.
         */
        void giveUp();

        @Override
        void close();
    }
}
