package dev.holdfast.it.bench;

import dev.holdfast.it.bench.cluster.ChangeCommitter;
import dev.holdfast.it.bench.cluster.CommittedChange;
import dev.holdfast.it.bench.cluster.PlannedChange;
import dev.holdfast.it.bench.measure.BareWatch;
import dev.holdfast.it.bench.measure.Detection;
import dev.holdfast.it.bench.measure.OperatorLog;
import dev.holdfast.it.bench.measure.Sample;
import dev.holdfast.it.scenario.OperatorProcess;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.awaitility.core.ConditionTimeoutException;

/**
 * Measurement of how fast the operator logs violations after label changes. It is compared with the fastest possible
 * client, which watches pods and nodes and does nothing else.
 */
record ChangeBench(BenchEnvironment environment) {
    private static final Duration LAST_RECORDS = Duration.ofSeconds(30);
    private static final Duration AFTER_THE_LAST = Duration.ofSeconds(2);
    private static final Duration POLL_INTERVAL = Duration.ofMillis(250);

    /**
     * Makes and reverts all label changes, and returns how long the operator needed to log their violations.
     *
     * @param perSecond requests per second; each change takes two, one to make it and one to revert it
     * @throws IllegalStateException unless the operator logged exactly the planned violations
     */
    List<Sample> measure(OperatorProcess operator, List<PlannedChange> changes, double perSecond)
            throws InterruptedException, IOException {
        int before = operator.log().size();
        environment.say(
                changes.size() + " changes that break something, and as many that heal, " + perSecond + " a second");
        KubernetesClient client = environment.client();
        String version =
                client.pods().inNamespace("kube-system").list().getMetadata().getResourceVersion();
        try (BareWatch pods = watch("pods", version);
                BareWatch nodes = watch("nodes", version)) {
            List<CommittedChange> committed =
                    new ChangeCommitter(client, environment.clock()).steadily(changes, perSecond);
            awaitLogged(operator, before, committed);
            Map<String, Instant> watched = new HashMap<>(pods.seen());
            watched.putAll(nodes.seen());
            Detection detection = Detection.of(committed, watched, since(operator, before));
            if (!detection.faults().isEmpty()) {
                throw new IllegalStateException(detection.faults().size()
                        + " of the violations planted and recorded do not match; the first: "
                        + detection.faults().getFirst());
            }
            return detection.samples();
        }
    }

    private BareWatch watch(String resource, String version) throws IOException, InterruptedException {
        return BareWatch.open(environment.controlPlane().config(), "/api/v1/" + resource, version, environment.clock());
    }

    /**
     * Waits until the operator has logged as many violations as planned, and then a little longer for unplanned ones.
     * Stops waiting after a time limit.
     */
    private void awaitLogged(OperatorProcess operator, int before, List<CommittedChange> committed)
            throws InterruptedException {
        int expected = committed.stream()
                .mapToInt(one -> one.plannedChange().expectedViolation().size())
                .sum();
        try {
            environment.await(
                    "all violations are logged",
                    LAST_RECORDS,
                    POLL_INTERVAL,
                    () -> since(operator, before).size() >= expected);
            TimeUnit.NANOSECONDS.sleep(AFTER_THE_LAST.toNanos());
        } catch (ConditionTimeoutException _) {
            environment.say("some violations are not logged");
        }
    }

    private static List<OperatorLog.Violation> since(OperatorProcess operator, int before) {
        List<String> log = operator.log();
        return OperatorLog.read(log.subList(before, log.size()));
    }
}
