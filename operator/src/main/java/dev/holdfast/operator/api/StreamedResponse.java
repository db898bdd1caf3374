package dev.holdfast.operator.api;

import java.io.InputStream;
import java.time.Duration;

/**
 * The body of an HTTP response. The body may be endless, for example for a watch. Only the thread that reads the body
 * may call the methods, except {@link #end}.
 */
public abstract class StreamedResponse extends InputStream {
    /** Ends the stream: a read in progress and all later reads return -1. May be called from any thread. */
    public abstract void end();

    /**
     * Limits how long, from now, the rest of the body may take to arrive. After that time a read throws an IOException.
     */
    public abstract void within(Duration limit);

    /** Closes the connection. */
    @Override
    public abstract void close();
}
