package dev.holdfast.it.operator;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.holdfast.it.controlplane.AuditRecord;
import dev.holdfast.it.controlplane.AuditTrail;
import dev.holdfast.it.controlplane.ControlPlane;
import dev.holdfast.it.rights.Rights;
import dev.holdfast.it.scenario.Departures;
import dev.holdfast.it.scenario.Stage;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Collection;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableSet;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.Callable;

/**
 * One scenario: stages on a control plane, an operator that works, and what the audit log says of it. Every stage is
 * closed by saying exactly who left it.
 */
final class ScenarioRun {
    private static final Duration PATIENCE = Duration.ofSeconds(90);
    private static final Duration GLANCE = Duration.ofMillis(100);

    /** How long nothing more may happen after what was expected; longer than the short windows. */
    private static final Duration QUIET = Duration.ofSeconds(5);

    /** The audit log may be this much behind. */
    private static final Duration LAG = Duration.ofSeconds(10);

    private final KubernetesClient client;
    private final AuditTrail trail;
    private final String operator;
    private final InstantSource clock = InstantSource.system();
    private final Set<String> open = new TreeSet<>();

    /** When each stage was seen calm. */
    private final Map<String, NavigableSet<Instant>> calm = new HashMap<>();

    /**
     * A play on this control plane.
     *
     * @param operator the user that the operator is to the API server
     */
    ScenarioRun(KubernetesClient client, AuditTrail trail, String operator) {
        this.client = client;
        this.trail = trail;
        this.operator = operator;
    }

    Stage stage(String name) {
        open.add(name);
        return Stage.open(client, name);
    }

    /** {@return the stages of which nobody has said yet who left them} */
    Set<String> openStages() {
        return Collections.unmodifiableSet(open);
    }

    /** Waits until the stage's nodes are open and the app has all its pods running. */
    void settle(Stage stage, String app, int pods) {
        until("nodes of " + stage.namespace() + " are open", stage::nodesAreOpen);
        until(
                pods + " pods of " + app + " run in " + stage.namespace(),
                () -> stage.running(app).size() == pods);
    }

    /** Waits until the policy has been evaluated as it stands and nothing is broken. */
    void calm(Stage stage) {
        until(
                "the policy of " + stage.namespace() + " is met",
                () -> stage.status("pods", "violating").equals(Optional.of(0)) && isEvaluated(stage));
        calm.computeIfAbsent(stage.namespace(), _ -> new TreeSet<>()).add(clock.instant());
    }

    private static boolean isEvaluated(Stage stage) {
        Object observed = stage.status("observedGeneration").orElse(0);
        return ((Number) observed).longValue() == stage.policy().getMetadata().getGeneration();
    }

    void until(String what, Callable<Boolean> condition) {
        await(what).atMost(PATIENCE).pollInterval(GLANCE).ignoreExceptions().until(condition);
    }

    /** Waits for the hold. */
    void held(Stage stage, String reason) {
        until("held " + reason + " in " + stage.namespace(), () -> stage.holds().contains(reason));
    }

    /** Waits for as many moves that ended well. */
    void moved(Stage stage, int pods) {
        until(
                pods + " moves in " + stage.namespace(),
                () -> stage.outcomes().equals(Collections.nCopies(pods, "Moved")));
    }

    /** {@return those of these pods that the app runs no more, which must be one} */
    List<Pod> theOneThatLeft(Stage stage, String app, Collection<Pod> before) {
        List<String> there = stage.names(app);
        List<Pod> left = before.stream()
                .filter(pod -> !there.contains(pod.getMetadata().getName()))
                .toList();
        assertThat(left).hasSize(1);
        return left;
    }

    /** {@return evictions of these pods by the operator, for the policy {@code keep}} */
    Departures evicted(Stage stage, Collection<Pod> pods, String rule, String cause) {
        return Departures.evicted(pods, operator, stage.namespace() + "/keep", rule, cause);
    }

    /** {@return evictions of these pods by the operator, for a cluster policy} */
    Departures evictedFor(String clusterPolicy, Collection<Pod> pods, String rule, String cause) {
        return Departures.evicted(pods, operator, clusterPolicy, rule, cause);
    }

    /** The audit log names exactly these departures, and goes on doing so for some seconds. Closes the stage. */
    void over(Stage stage, Departures expected) {
        over(stage, expected, QUIET);
    }

    /** The audit log names exactly these departures, and goes on doing so for a time. Closes the stage. */
    void over(Stage stage, Departures expected, Duration quiet) {
        left(stage, expected, quiet);
        assertThat(evictions(stage)).allSatisfy(eviction -> isNotEarly(stage, eviction));
        open.remove(stage.namespace());
    }

    /** The audit log names exactly these departures up to now, and goes on doing so for a time. */
    void left(Stage stage, Departures expected, Duration quiet) {
        await("who left " + stage.namespace())
                .pollInterval(GLANCE)
                .during(quiet)
                .atMost(quiet.plus(LAG))
                .untilAsserted(() -> assertThat(Departures.in(trail, stage.namespace()))
                        .as("who left " + stage.namespace())
                        .isEqualTo(expected));
    }

    /** By what the operator says, and by what was done to the stage after it was last seen calm: nothing was broken before. */
    private void isNotEarly(Stage stage, AuditRecord eviction) {
        Number forgiveness = stage.policy().get("spec", "forgivenessSeconds");
        Instant since = Instant.parse(eviction.annotations().get("holdfast.dev/since"));
        assertThat(eviction.received()).isAfterOrEqualTo(since.plusSeconds(forgiveness.longValue()));
        Instant lastCalm = calm.getOrDefault(stage.namespace(), Collections.emptyNavigableSet()).stream()
                .filter(eviction.received()::isAfter)
                .max(Comparator.naturalOrder())
                .orElseThrow(() -> new AssertionError("an eviction, though all was never seen to be well"));
        Instant touched = trail.records().stream()
                .filter(record -> isDoneTo(stage, record))
                .map(AuditRecord::received)
                .filter(lastCalm::isBefore)
                .min(Comparator.naturalOrder())
                .orElseThrow(() -> new AssertionError("an eviction, though nobody had changed anything"));
        assertThat(eviction.received()).isAfterOrEqualTo(touched.plusSeconds(forgiveness.longValue()));
    }

    /** {@return whether the test itself asked for it, and it can have broken a rule: the others are controllers} */
    private boolean isDoneTo(Stage stage, AuditRecord record) {
        boolean change = List.of("create", "update", "patch", "delete").contains(record.verb());
        boolean there =
                record.namespace().equals(stage.namespace()) || record.name().startsWith(stage.nodeName(""));
        return change && there && record.user().equals(ControlPlane.ADMIN);
    }

    /** {@return the evictions in the stage that took effect, whoever asked for them, oldest first} */
    List<AuditRecord> evictions(Stage stage) {
        return trail.evictions(stage.namespace());
    }

    /** The operator asked for nothing so far that its ServiceAccount may not have, and was refused nothing. */
    void keptToItsRights() {
        List<AuditRecord> requests = trail.records().stream()
                .filter(record -> record.user().equals(operator))
                .toList();
        assertThat(Rights.of(client, operator).exceededBy(requests)).containsExactlyElementsOf(Rights.EVERYBODYS);
        assertThat(requests).extracting(AuditRecord::code).doesNotContain(403);
    }

    /** {@return what the operator asked for in the stage and was refused, since it has no right to it} */
    List<AuditRecord> refused(Stage stage) {
        return trail.records().stream()
                .filter(record -> record.namespace().equals(stage.namespace()))
                .filter(record -> record.user().equals(operator))
                .filter(record -> record.code() == 403)
                .toList();
    }

    /** {@return the requests for evictions in the stage, dry and refused ones too, whoever made them} */
    List<AuditRecord> evictionRequests(Stage stage) {
        return trail.records().stream()
                .filter(record -> record.namespace().equals(stage.namespace()))
                .filter(AuditRecord::isEviction)
                .toList();
    }
}
