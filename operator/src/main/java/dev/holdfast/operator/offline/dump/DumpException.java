package dev.holdfast.operator.offline.dump;

import java.io.Serial;

/** An input that cannot be read as a whole, or an answer that cannot be written. The message names the place. */
public final class DumpException extends Exception {
    @Serial
    private static final long serialVersionUID = 1;

    public DumpException(String message) {
        super(message);
    }

    public DumpException(String message, Throwable cause) {
        super(message, cause);
    }
}
