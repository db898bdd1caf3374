package dev.holdfast.it.demo;

import java.time.InstantSource;

/**
 * {@code holdfast demo}: a local control plane, the chart, the operator, six scenes. Exits with 0 only if every scene
 * was seen to end as it should, in the operator's events and status and in the API server's audit log; with
 * {@code --keep} it leaves everything running until it is told to stop.
 */
public final class Main {
    private Main() {}

    /** Plays the demo, and ends the process with its exit code. */
    public static void main(String[] arguments) {
        System.exit(DemoCommand.commandLine(System.out, System.err, InstantSource.system())
                .execute(arguments));
    }
}
