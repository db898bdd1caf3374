package dev.holdfast.operator.app;

/** Thrown when the operator cannot start. The message is one line and says what to do. */
public final class StartException extends Exception {
    private static final long serialVersionUID = 1L;

    StartException(String message) {
        super(message);
    }
}
