package dev.holdfast.it.bench;

/** Thrown if a bench cannot measure a figure. The message says in one line which figure, why and what to do. */
final class BenchException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    BenchException(String message) {
        super(message);
    }

    BenchException(String message, Throwable cause) {
        super(message, cause);
    }
}
