package dev.holdfast.it.controlplane;

/** The control plane could not be built, started or kept; the message says which part, why and what to do. */
public final class ControlPlaneException extends RuntimeException {

    ControlPlaneException(String message) {
        super(message);
    }

    ControlPlaneException(String message, Throwable cause) {
        super(message, cause);
    }
}
