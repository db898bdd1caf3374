package dev.holdfast.operator;

import dev.holdfast.operator.api.SteadyClock;
import dev.holdfast.operator.app.AotCache;
import dev.holdfast.operator.cli.ExitCode;
import dev.holdfast.operator.cli.HoldfastCommand;
import dev.holdfast.operator.cli.ProcessEnvironment;
import dev.holdfast.operator.offline.print.Terminal;
import java.lang.management.ManagementFactory;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.Optional;

/** The program {@code holdfast}. Passes the clock, the environment variables and the arguments to the command. */
public final class Main {
    private Main() {}

    /** Runs one command and ends the process with its exit code. */
    public static void main(String[] arguments) {
        // Comes first, because classes from an old cache may not fit together with those of the jars.
        Optional<String> problem = AotCache.problem(
                System.getProperty("holdfast.aotCache", ""),
                () -> ManagementFactory.getRuntimeMXBean().getInputArguments());
        if (problem.isPresent()) {
            System.err.println("holdfast: " + problem.get());
            System.exit(ExitCode.COULD_NOT_RUN);
        }
        ProcessEnvironment processEnvironment = new ProcessEnvironment(
                new SteadyClock(InstantSource.system(), System::nanoTime),
                System.getenv(),
                home(),
                System.in,
                new Terminal(Path.of("/proc/self/fd"), System.getenv()),
                Runtime.getRuntime()::halt);
        System.exit(HoldfastCommand.run(processEnvironment, arguments));
    }

    /** {@return the user's home folder, as kubectl finds it: {@code HOME} first} */
    private static Path home() {
        return Path.of(Optional.ofNullable(System.getenv("HOME"))
                .filter(it -> !it.isBlank())
                .orElseGet(() -> System.getProperty("user.home")));
    }
}
