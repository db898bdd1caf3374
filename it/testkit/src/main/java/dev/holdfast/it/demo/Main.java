package dev.holdfast.it.demo;

import dev.holdfast.it.controlplane.ControlPlane;
import dev.holdfast.operator.offline.demo.TerminalCapabilities;
import dev.holdfast.operator.offline.print.Terminal;
import java.nio.file.Path;
import java.time.InstantSource;

/**
 * The main class of {@code holdfast demo}, which runs a local control plane, the chart, the operator and six scenes.
 * Exits with 0 only if every scene ended as expected, according to the operator's events and status and the API
 * server's audit log. With {@code --keep} everything keeps running until Ctrl-C.
 */
public final class Main {
    private Main() {}

    /** Runs the demo, and ends the process with its exit code. */
    public static void main(String[] arguments) {
        Terminal terminal = new Terminal(Path.of("/proc/self/fd"), System.getenv());
        System.exit(DemoCommand.commandLine(
                        System.out,
                        System.err,
                        InstantSource.system(),
                        TerminalCapabilities.of(terminal.showsOutput(), System.getenv()),
                        new DemoCommand.Launcher(ControlPlane::isBuilt, ControlPlane::start))
                .execute(arguments));
    }
}
