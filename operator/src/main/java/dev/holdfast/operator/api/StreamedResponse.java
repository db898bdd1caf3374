package dev.holdfast.operator.api;

import java.io.InputStream;
import java.time.Duration;

/**
 * The body of an HTTP response, which may be endless, as that of a watch. All methods except {@link #end} belong to the
 * reading thread.
 */
public abstract class StreamedResponse extends InputStream {
    /** Ends the stream: for the reading thread, the body ends here. May be called from any thread. */
    public abstract void end();

    /** Sets the longest time in which the rest of the body must arrive. */
    public abstract void within(Duration limit);

    /** Closes the connection. */
    @Override
    public abstract void close();
}
