package dev.holdfast.operator.observe;

import java.io.InputStream;

/** The body of an answer, which may be without an end. For one thread, but for what is said otherwise. */
abstract class Answer extends InputStream {
    /** Has whoever reads find the end; may be called from any thread. */
    abstract void end();

    /** Gives the connection up. */
    @Override
    public abstract void close();
}
