package dev.holdfast.it.bench;

import dev.holdfast.it.bench.cluster.ChangeCommitter;
import dev.holdfast.it.bench.cluster.PlannedChange;
import dev.holdfast.it.bench.measure.BareWatch;
import dev.holdfast.it.bench.measure.Detection;
import dev.holdfast.it.bench.measure.OperatorLog;
import dev.holdfast.it.scenario.OperatorProcess;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/**
 * Measurement of how fast the operator logs violations after label changes. It is compared with the fastest possible
 * client, which watches pods and nodes and does nothing else.
 */
record ChangeBench(BenchEnvironment environment) {
    private static final Duration AFTER_THE_LAST = Duration.ofSeconds(2);
    private static final Duration POLL_INTERVAL = Duration.ofMillis(250);

    /**
     * Makes and reverts label changes, and returns how long the operator needed to log their violations.
     *
     * @param changes independent changes, which are made again and again
     * @param count how many changes are made
     * @param perSecond requests per second; each change takes two, one to make it and one to revert it
     * @throws IllegalStateException unless the operator logged exactly the planned violations
     */
    List<Detection.Sample> measure(OperatorProcess operator, List<PlannedChange> changes, int count, double perSecond)
            throws InterruptedException, IOException {
        int before = operator.log().size();
        environment.say(count + " changes that break something, and as many that heal, " + perSecond + " a second");
        KubernetesClient client = environment.client();
        String version =
                client.pods().inNamespace("kube-system").list().getMetadata().getResourceVersion();
        try (BareWatch pods = watch("pods", version);
                BareWatch nodes = watch("nodes", version)) {
            List<ChangeCommitter.Committed> committed =
                    new ChangeCommitter(client, environment.clock()).steadily(changes, count, perSecond);
            int expected = committed.stream()
                    .mapToInt(one -> one.change().violations().size())
                    .sum();
            environment.await(
                    expected + " violations are logged",
                    POLL_INTERVAL,
                    () -> logged(operator, before).size() >= expected);
            // There may be violations that were not planned.
            TimeUnit.NANOSECONDS.sleep(AFTER_THE_LAST.toNanos());
            Map<String, Instant> watched = new HashMap<>(pods.seen());
            watched.putAll(nodes.seen());
            Detection detection = Detection.of(committed, watched, logged(operator, before));
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

    private static List<OperatorLog.Violation> logged(OperatorProcess operator, int before) {
        List<String> log = operator.log();
        return OperatorLog.violations(log.subList(before, log.size()));
    }
}
