package dev.holdfast.it.controlplane;

import java.nio.file.Path;
import java.util.concurrent.CountDownLatch;

/** Starts a control plane, prints the path of its kubeconfig, and keeps it until the process is ended. */
final class Main {

    private Main() {}

    /**
     * Ends with exit code 1 and one message on standard error if the control plane cannot be started.
     *
     * @param arguments the folder in which everything is kept; or none, for a temporary one
     */
    public static void main(String[] arguments) throws InterruptedException {
        try {
            ControlPlane controlPlane =
                    arguments.length == 0 ? ControlPlane.start() : ControlPlane.start(Path.of(arguments[0]));
            System.out.println(controlPlane.kubeconfig());
        } catch (ControlPlaneException e) {
            System.err.println(e.getMessage());
            System.exit(1);
        }
        // The shutdown hook of the control plane does the rest.
        new CountDownLatch(1).await();
    }
}
