package dev.holdfast.it.bench;

import dev.holdfast.it.bench.report.Report;
import dev.holdfast.it.controlplane.ControlPlaneException;
import io.fabric8.kubernetes.client.KubernetesClientException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.Optional;
import org.awaitility.core.ConditionTimeoutException;

/** A bench: a measurement that returns a report. */
@FunctionalInterface
interface BenchRun {
    /** The exit code if the bench failed. */
    int FAILED = 3;

    /** Measures and returns the report. */
    Report run() throws InterruptedException, IOException;

    /**
     * Runs the bench, writes its report to a file and prints it. If the bench fails, prints the reason in one line.
     *
     * @param root the repository; the report is written to its folder {@code it/target/bench}
     * @return the exit code: 0, or {@link #FAILED}
     */
    default int print(Path root) throws InterruptedException {
        try {
            Report report = run();
            Path file = root.resolve("it/target/bench/" + report.run().bench() + ".json");
            report.write(file);
            System.out.printf("%n%s%n%nRaw samples: %s%n", report.text(), file);
            return 0;
        } catch (BenchException
                | ControlPlaneException
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
}
