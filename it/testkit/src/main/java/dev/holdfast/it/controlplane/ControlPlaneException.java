package dev.holdfast.it.controlplane;

/**
 * The control plane could not be built or started, or a server ended. The message names the part, the reason and what
 * to do.
 */
public final class ControlPlaneException extends RuntimeException {

    ControlPlaneException(String message) {
        super(message);
    }

    ControlPlaneException(String message, Throwable cause) {
        super(message, cause);
    }
}
