package dev.holdfast.it.bench;

import dev.holdfast.it.chart.InstalledChart;
import dev.holdfast.it.controlplane.AuditTrail;
import dev.holdfast.it.controlplane.ControlPlane;
import dev.holdfast.it.scenario.OperatorLaunch;
import dev.holdfast.it.scenario.OperatorProcess;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.concurrent.TimeUnit;

/**
 * Where one bench takes place: a control plane with the chart installed, and how the operator is started on it.
 *
 * @param client of a user who may do everything
 */
record Site(
        ControlPlane controlPlane,
        InstalledChart chart,
        OperatorLaunch launch,
        KubernetesClient client,
        AuditTrail trail,
        InstantSource clock,
        Progress progress) {
    private static final Duration LONGEST_START = Duration.ofMinutes(2);
    private static final Duration GLANCE = Duration.ofMillis(5);
    private static final double NANOS_PER_MILLI = 1e6;

    /**
     * An operator that has become ready.
     *
     * @param millis from the start of its process to the first 200 from /readyz
     */
    record Started(OperatorProcess process, double millis) {}

    /** {@return a new operator, once it is ready} */
    Started startOperator(String name) throws InterruptedException {
        Path kubeconfig = chart.kubeconfig();
        String config = chart.config();
        Path log = controlPlane.folder().resolve("logs/" + name + ".log");
        Instant start = clock.instant();
        OperatorProcess process = OperatorProcess.start(launch, kubeconfig, config, log);
        while (!process.isReady()) {
            if (clock.instant().isAfter(start.plus(LONGEST_START))) {
                process.close();
                throw new BenchException(
                        "the operator was not ready within " + LONGEST_START.toSeconds() + " s; its log is " + log);
            }
            TimeUnit.NANOSECONDS.sleep(GLANCE.toNanos());
        }
        return new Started(process, Duration.between(start, clock.instant()).toNanos() / NANOS_PER_MILLI);
    }

    /** Ends an operator as Kubernetes does. */
    void stop(OperatorProcess operator) {
        int code = operator.stop();
        if (code != 0) {
            throw new BenchException(
                    "the operator ended with exit code " + code + " when it was stopped; see its log in "
                            + controlPlane.folder().resolve("logs"));
        }
    }
}
