package dev.holdfast.it.bench;

import dev.holdfast.it.bench.report.Report;
import dev.holdfast.it.controlplane.ControlPlaneException;
import io.fabric8.kubernetes.client.KubernetesClientException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.Optional;
import org.awaitility.core.ConditionTimeoutException;

/** A bench, from its beginning to its report. */
@FunctionalInterface
interface BenchRun {
    /** The exit code of a bench that did not come to its end. */
    int FAILED = 3;

    /** {@return what was measured} */
    Report run() throws InterruptedException, IOException;

    /**
     * Runs it, writes its report and prints it, or says in one line why there is none.
     *
     * @param root of the repository: the report goes into its {@code it/target/bench}
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
