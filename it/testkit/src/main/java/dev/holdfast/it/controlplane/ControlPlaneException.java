package dev.holdfast.it.controlplane;

/**
 * Thrown if the control plane cannot be built or started, or if one of its servers ends. The message names the server
 * or tool, the reason and what to do.
 */
public final class ControlPlaneException extends RuntimeException {

    ControlPlaneException(String message) {
        super(message);
    }

    ControlPlaneException(String message, Throwable cause) {
        super(message, cause);
    }
}
