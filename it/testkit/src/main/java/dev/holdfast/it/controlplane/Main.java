package dev.holdfast.it.controlplane;

import java.nio.file.Path;
import java.util.concurrent.CountDownLatch;

/** The main class that starts a control plane, prints the path of its kubeconfig, and runs until a signal ends it. */
final class Main {

    private Main() {}

    /**
     * Runs a control plane. If the control plane does not start, exits with code 1 after one message on standard error.
     *
     * @param arguments the folder for all files; without arguments, a temporary folder is used
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
