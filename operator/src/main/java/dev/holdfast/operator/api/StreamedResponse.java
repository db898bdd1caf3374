package dev.holdfast.operator.api;

import java.io.InputStream;
import java.time.Duration;

/** The body of an answer, which may be endless, as that of a watch. Only {@link #end} may be called from any thread. */
public abstract class StreamedResponse extends InputStream {
    /** Ends the stream: the reading thread finds its end. May be called from any thread. */
    public abstract void end();

    /** Limits the time for the rest of the body. */
    public abstract void within(Duration limit);

    /** Closes the connection. */
    @Override
    public abstract void close();
}
