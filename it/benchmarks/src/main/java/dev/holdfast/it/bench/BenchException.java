package dev.holdfast.it.bench;

/** A figure could not be taken. The message is one line that says which, why and what to do. */
final class BenchException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    BenchException(String message) {
        super(message);
    }

    BenchException(String message, Throwable cause) {
        super(message, cause);
    }
}
