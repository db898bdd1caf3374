package dev.holdfast.it.bench;

import dev.holdfast.it.bench.report.Report;
import dev.holdfast.it.controlplane.ControlPlaneException;
import io.fabric8.kubernetes.client.KubernetesClientException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.Optional;
import org.awaitility.core.ConditionTimeoutException;

/** A bench: it measures and returns a report. */
@FunctionalInterface
interface BenchRun {
    /** The exit code of a bench that failed. */
    int FAILED = 3;

    /** {@return the measurements} */
    Report run() throws InterruptedException, IOException;

    /**
     * Runs the bench, writes its report and prints it; after a failure, prints the reason in one line.
     *
     * @param root of the repository: the report is written to its {@code it/target/bench}
     * @return the exit code
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
