package dev.holdfast.it.controlplane;

import java.nio.file.Path;
import java.util.concurrent.CountDownLatch;

/** Starts a control plane, prints the path of its kubeconfig, and keeps it until the process ends. */
final class Main {

    private Main() {}

    /**
     * Exits with code 1 and one message on standard error if the control plane does not start.
     *
     * @param arguments the folder for all files; none for a temporary folder
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
        // The shutdown hook of the control plane stops the servers.
        new CountDownLatch(1).await();
    }
}
