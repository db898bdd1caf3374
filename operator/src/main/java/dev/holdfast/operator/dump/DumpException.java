package dev.holdfast.operator.dump;

import java.io.Serial;

/** A dump that cannot be read as a whole. The message names the file and the place. */
public final class DumpException extends Exception {
    @Serial
    private static final long serialVersionUID = 1;

    DumpException(String message) {
        super(message);
    }

    DumpException(String message, Throwable cause) {
        super(message, cause);
    }
}
