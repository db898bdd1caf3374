package dev.holdfast.it.bench.report;

import dev.holdfast.it.controlplane.ControlPlaneException;
import io.fabric8.kubernetes.client.KubernetesClientException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Locale;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.awaitility.core.ConditionTimeoutException;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/**
 * A subcommand of {@code it/bench}: it measures, prints its figures as a table, and writes them to a file, with those
 * raw samples that it keeps. Its options are picocli options in fields of the subclass.
 */
public abstract class Bench implements Callable<Integer> {
    /** The exit code if the bench failed. */
    private static final int FAILED = 3;

    private static final double MILLIS = 1e3;

    private final Path root;
    private final InstantSource clock;
    private final Instant start;

    @Spec
    @SuppressWarnings("NullAway.Init") // Picocli sets it.
    private CommandSpec spec;

    /** @param root the built repository; the report is written to its folder it/target/bench */
    protected Bench(Path root, InstantSource clock) {
        this.root = root;
        this.clock = clock;
        this.start = clock.instant();
    }

    /** Measures, and adds the figures and the samples to the report. */
    protected abstract void measure(Report report) throws InterruptedException, IOException;

    /** {@return the built repository} */
    protected final Path root() {
        return root;
    }

    /** {@return the folder for the files of benches} */
    protected final Path folder() {
        return root.resolve("it/target/bench");
    }

    /** {@return the clock of all measurements} */
    protected final InstantSource clock() {
        return clock;
    }

    /** Prints a line about the progress, with the seconds since the start. */
    protected final void say(String text) {
        double seconds = Duration.between(start, clock.instant()).toMillis() / MILLIS;
        System.err.printf(Locale.ROOT, "%7.1fs  %s%n", seconds, text);
    }

    /** Runs the bench. If it fails, prints the reason in one line. */
    @Override
    public final Integer call() throws InterruptedException {
        try {
            Report report = new Report(RunInfo.now(command(), root, clock));
            measure(report);
            Path file = folder().resolve(spec.name() + ".json");
            report.write(file);
            System.out.printf("%n%s%n%nWritten to %s%n", report.text(), file);
            return 0;
        } catch (ControlPlaneException
                | ConditionTimeoutException
                | IllegalArgumentException
                | IllegalStateException
                | IOException
                | KubernetesClientException
                | UncheckedIOException e) {
            System.err.println("bench: " + Optional.ofNullable(e.getMessage()).orElseGet(e::toString));
            return FAILED;
        }
    }

    /** {@return the command that repeats this run, with the value of each option} */
    private String command() {
        return Stream.concat(
                        Stream.of("it/bench " + spec.name()),
                        spec.options().stream()
                                .filter(option -> !option.usageHelp() && !option.versionHelp())
                                .map(option -> option.longestName() + "=" + option.<Object>getValue()))
                .collect(Collectors.joining(" "));
    }
}
