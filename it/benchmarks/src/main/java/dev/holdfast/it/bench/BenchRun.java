package dev.holdfast.it.bench;

import dev.holdfast.it.bench.report.ReportFile;
import dev.holdfast.it.controlplane.ControlPlaneException;
import io.fabric8.kubernetes.client.KubernetesClientException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.Optional;
import java.util.function.Function;
import org.awaitility.core.ConditionTimeoutException;

/** A bench, from its beginning to its table. */
@FunctionalInterface
interface BenchRun<R extends Record> {
    /** The exit code of a bench that did not come to its end. */
    int FAILED = 3;

    /** {@return what was measured} */
    R run() throws InterruptedException, IOException;

    /**
     * Runs it, writes its report and prints it, or says in one line why there is none.
     *
     * @param file takes the report
     * @return the exit code
     */
    default int print(Path file, Function<R, String> table) throws InterruptedException {
        try {
            R report = run();
            ReportFile.write(file, report);
            System.out.printf("%n%s%n%nRaw samples: %s%n", table.apply(report), file);
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
