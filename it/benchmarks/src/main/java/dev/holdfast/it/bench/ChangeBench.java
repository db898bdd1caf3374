package dev.holdfast.it.bench;

import static org.awaitility.Awaitility.await;

import dev.holdfast.it.bench.cluster.ChangeCommitter;
import dev.holdfast.it.bench.cluster.CommittedChange;
import dev.holdfast.it.bench.cluster.Patches;
import dev.holdfast.it.bench.cluster.PlannedChange;
import dev.holdfast.it.bench.measure.BareWatch;
import dev.holdfast.it.bench.measure.Detection;
import dev.holdfast.it.bench.measure.LoggedViolation;
import dev.holdfast.it.bench.measure.OperatorLog;
import dev.holdfast.it.scenario.OperatorProcess;
import java.io.IOException;
import java.time.Duration;
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
     * @throws BenchException unless the operator logged exactly the planned violations
     */
    ChangeLatencies measure(OperatorProcess operator, List<PlannedChange> plannedChanges, double perSecond)
            throws InterruptedException, IOException {
        int before = operator.log().size();
        environment
                .progress()
                .say(plannedChanges.size() + " changes that break something, and as many that heal, " + perSecond
                        + " a second");
        try (BareWatch pods = environment.watch("pods");
                BareWatch nodes = environment.watch("nodes")) {
            List<CommittedChange> committedChange = new ChangeCommitter(
                            new Patches(environment.client()), environment.clock())
                    .steadily(plannedChanges, perSecond);
            List<LoggedViolation> told = told(operator, before, committedChange);
            Map<String, java.time.Instant> watched = new HashMap<>(pods.seen());
            watched.putAll(nodes.seen());
            Detection detection = Detection.of(committedChange, watched, told);
            if (!detection.faults().isEmpty()) {
                throw new BenchException(detection.faults().size()
                        + " of the violations planted and recorded do not match; the first: "
                        + detection.faults().getFirst());
            }
            return ChangeLatencies.of(detection.samples());
        }
    }

    /**
     * Returns the violations that the operator logged after the first {@code before} lines of its log. Waits until they
     * are as many as planned, and then a little longer for unplanned ones. Stops waiting after a time limit.
     */
    private static List<LoggedViolation> told(
            OperatorProcess operator, int before, List<CommittedChange> committedChange) throws InterruptedException {
        int expected = committedChange.stream()
                .mapToInt(one -> one.plannedChange().expectedViolation().size())
                .sum();
        try {
            await().atMost(LAST_RECORDS)
                    .pollInterval(POLL_INTERVAL)
                    .until(() -> since(operator, before).size() >= expected);
        } catch (ConditionTimeoutException _) {
            return since(operator, before);
        }
        // The operator would log a violation that was not planned during this time.
        TimeUnit.NANOSECONDS.sleep(AFTER_THE_LAST.toNanos());
        return since(operator, before);
    }

    private static List<LoggedViolation> since(OperatorProcess operator, int before) {
        List<String> log = operator.log();
        return OperatorLog.read(log.subList(before, log.size()));
    }
}
