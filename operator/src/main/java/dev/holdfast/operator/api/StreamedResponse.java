package dev.holdfast.operator.api;

import java.io.InputStream;
import java.time.Duration;

/** The body of an answer, which may be without an end. For one thread, but for what is said otherwise. */
public abstract class StreamedResponse extends InputStream {
    /** Has whoever reads find the end; may be called from any thread. */
    public abstract void end();

    /** Says how long all that is left of it may take. */
    public abstract void within(Duration limit);

    /** Gives the connection up. */
    @Override
    public abstract void close();
}
