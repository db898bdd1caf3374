package dev.holdfast.operator;

import dev.holdfast.operator.api.SteadyClock;
import dev.holdfast.operator.cli.HoldfastCommand;
import dev.holdfast.operator.cli.ProcessEnvironment;
import java.nio.file.Path;
import java.time.InstantSource;

/** The program {@code holdfast}. It passes the clock, the environment variables and the arguments to the command. */
public final class Main {
    private Main() {}

    /** Runs one command and ends the process with its exit code. */
    public static void main(String[] arguments) {
        ProcessEnvironment processEnvironment = new ProcessEnvironment(
                new SteadyClock(InstantSource.system(), System::nanoTime),
                System.getenv(),
                Path.of(System.getProperty("user.home")),
                Runtime.getRuntime()::halt);
        System.exit(HoldfastCommand.run(processEnvironment, arguments));
    }
}
