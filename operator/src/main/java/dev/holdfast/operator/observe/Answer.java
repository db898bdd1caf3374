package dev.holdfast.operator.observe;

import java.io.InputStream;
import java.time.Duration;

/** The body of an answer, which may be without an end. For one thread, but for what is said otherwise. */
abstract class Answer extends InputStream {
    /** Has whoever reads find the end; may be called from any thread. */
    abstract void end();

    /** Says how long all that is left of it may take. */
    abstract void within(Duration limit);

    /** Gives the connection up. */
    @Override
    public abstract void close();
}
