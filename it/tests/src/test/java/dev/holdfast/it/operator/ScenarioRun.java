package dev.holdfast.it.operator;

import static dev.holdfast.it.scenario.StageDefaults.ENFORCE;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.holdfast.it.controlplane.AuditRecord;
import dev.holdfast.it.controlplane.AuditTrail;
import dev.holdfast.it.controlplane.ControlPlane;
import dev.holdfast.it.rights.Rights;
import dev.holdfast.it.scenario.PodRemovals;
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
 * The environment of a scenario test: test namespaces ({@link Stage stages}) on a control plane, a running operator,
 * and the audit log. Each stage ends with a check of exactly which pods were evicted or deleted in it.
 */
final class ScenarioRun {
    private static final Duration TIMEOUT = Duration.ofMinutes(3);
    private static final Duration POLL_INTERVAL = Duration.ofMillis(100);

    /** How long no further pod may be evicted after the expected result; longer than the forgiveness of most tests. */
    private static final Duration QUIET = Duration.ofSeconds(5);

    /** How much later than the request the API server may write an audit record. */
    private static final Duration LAG = Duration.ofSeconds(10);

    private static final String WATCHED = "watched";

    private final KubernetesClient client;
    private final AuditTrail trail;
    private final String operator;
    private final InstantSource clock = InstantSource.system();
    private final Set<String> open = new TreeSet<>();

    /** The instants at which a stage was seen without violations, by namespace. */
    private final Map<String, NavigableSet<Instant>> calm = new HashMap<>();

    /**
     * Creates a run on this control plane.
     *
     * @param operator the operator's user name at the API server
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

    /** {@return the namespaces of the stages whose evictions and deletions were not checked yet} */
    Set<String> openStages() {
        return Collections.unmodifiableSet(open);
    }

    /** Waits until the stage's nodes are schedulable and all pods of the app run. */
    void settle(Stage stage, String app, int pods) {
        until("nodes of " + stage.namespace() + " are open", stage::nodesAreOpen);
        until(
                pods + " pods of " + app + " run in " + stage.namespace(),
                () -> stage.running(app).size() == pods);
    }

    /**
     * Waits until the operator knows where all pods of the stage run, has evaluated its policy, and reports no
     * violation.
     */
    void calm(Stage stage) {
        stage.policy(WATCHED, onNodesOf(stage));
        until(
                "the operator knows the nodes of all pods of " + stage.namespace(),
                () -> ((Number) stage.statusOf(WATCHED, "pods", "selected").orElse(0)).intValue()
                        >= stage.runningPods());
        stage.deletePolicy(WATCHED);
        until(
                "the policy of " + stage.namespace() + " is met",
                () -> stage.status("pods", "violating").equals(Optional.of(0)) && isEvaluated(stage));
        calm.computeIfAbsent(stage.namespace(), _ -> new TreeSet<>()).add(clock.instant());
    }

    /**
     * {@return the spec of a policy whose rule is true} It selects a pod once the operator knows that the pod is bound
     * to a node of the stage. Pods and nodes come by different watches: without it, a node could change before its pod
     * is bound.
     */
    private static String onNodesOf(Stage stage) {
        return """
            mode: Audit
            podSelector: {}
            nodeSelector: {matchLabels: {pool: %1$s}}
            rules:
            - name: pool
              nodeAffinity:
                required: {nodeSelectorTerms: [{matchExpressions: [{key: pool, operator: In, values: [%1$s]}]}]}
            """.formatted(stage.namespace());
    }

    private static boolean isEvaluated(Stage stage) {
        Object observed = stage.status("observedGeneration").orElse(0);
        return ((Number) observed).longValue() == stage.policy().getMetadata().getGeneration();
    }

    void until(String what, Callable<Boolean> condition) {
        await(what)
                .atMost(TIMEOUT)
                .pollInterval(POLL_INTERVAL)
                .ignoreExceptions()
                .until(condition);
    }

    /** Waits until a violation is held for the reason. */
    void held(Stage stage, String reason) {
        until("held " + reason + " in " + stage.namespace(), () -> stage.holds().contains(reason));
    }

    /** Waits until the policy's condition says that enforcement is held for the reason. */
    void holdsBack(Stage stage, String reason) {
        until(
                reason + " holds back the policy of " + stage.namespace(),
                () -> stage.condition("EnforcementHeld")
                        .filter(("True " + reason)::equals)
                        .isPresent());
    }

    /**
     * {@return a stage whose four pods are held, because label rack has left four of five nodes} The fifth node joins
     * last, because pods on it would violate nothing.
     */
    Stage behindAnOpenLabelBreaker(String name) {
        Stage stage = stage(name);
        List<String> nodes = List.of("n1", "n2", "n3", "n4");
        nodes.forEach(node -> stage.node(node, "rack=a"));
        stage.deployment("web", 4, "nodeSelector: {pool: $NS, rack: a}");
        settle(stage, "web", 4);
        stage.node("n5", "rack=a");
        calm(stage.policy(ENFORCE));
        nodes.forEach(node -> stage.label(node, "rack", "b"));
        holdsBack(stage, "LabelBreaker");
        return stage;
    }

    /** Waits for this many moves with the outcome {@code Moved}. */
    void moved(Stage stage, int pods) {
        until(
                pods + " moves in " + stage.namespace(),
                () -> stage.outcomes().equals(Collections.nCopies(pods, "Moved")));
    }

    /**
     * {@return the only one of these pods that the app no longer runs, as a list; fails if there is not exactly one}
     */
    List<Pod> theOneThatLeft(Stage stage, String app, Collection<Pod> before) {
        List<String> there = stage.names(app);
        List<Pod> left = before.stream()
                .filter(pod -> !there.contains(pod.getMetadata().getName()))
                .toList();
        assertThat(left).hasSize(1);
        return left;
    }

    /**
     * {@return the expectation that the operator evicts exactly these pods, for the policy {@code keep} of the stage}
     */
    PodRemovals evicted(Stage stage, Collection<Pod> pods, String rule, String cause) {
        return PodRemovals.evicted(pods, operator, stage.namespace() + "/keep", rule, cause);
    }

    /** {@return the expectation that the operator evicts exactly these pods, for a ClusterPlacementPolicy} */
    PodRemovals evictedFor(String clusterPolicy, Collection<Pod> pods, String rule, String cause) {
        return PodRemovals.evicted(pods, operator, clusterPolicy, rule, cause);
    }

    /**
     * Ends the stage: checks that the audit log shows exactly these evictions and deletions, now and for 5 more
     * seconds, and that no eviction was too early.
     */
    void over(Stage stage, PodRemovals expected) {
        over(stage, expected, QUIET);
    }

    /** Ends the stage as {@link #over(Stage, PodRemovals)}, but waits for the given time. */
    void over(Stage stage, PodRemovals expected, Duration quiet) {
        left(stage, expected, quiet);
        assertThat(evictions(stage)).allSatisfy(eviction -> isNotEarly(stage, eviction));
        open.remove(stage.namespace());
    }

    /** Checks that the audit log shows exactly these evictions and deletions, now and for the given time. */
    void left(Stage stage, PodRemovals expected, Duration quiet) {
        await("departures from " + stage.namespace())
                .pollInterval(POLL_INTERVAL)
                .during(quiet)
                .atMost(quiet.plus(LAG))
                .untilAsserted(() -> assertThat(PodRemovals.in(trail, stage.namespace()))
                        .as("departures from " + stage.namespace())
                        .isEqualTo(expected));
    }

    /**
     * Checks that an eviction came after the forgiveness, counted in two ways: from the instant in the eviction's
     * annotation, and from the test's first change after the stage was last without violations.
     */
    private void isNotEarly(Stage stage, AuditRecord eviction) {
        Number forgiveness = stage.policy().get("spec", "forgivenessSeconds");
        Instant since = Instant.parse(eviction.annotations().get("holdfast.dev/since"));
        assertThat(eviction.received()).isAfterOrEqualTo(since.plusSeconds(forgiveness.longValue()));
        Instant lastCalm = calm.getOrDefault(stage.namespace(), Collections.emptyNavigableSet()).stream()
                .filter(eviction.received()::isAfter)
                .max(Comparator.naturalOrder())
                .orElseThrow(() -> new AssertionError("an eviction on a stage that was never without violations"));
        Instant touched = trail.records().stream()
                .filter(record -> isDoneTo(stage, record))
                .map(AuditRecord::received)
                .filter(lastCalm::isBefore)
                .min(Comparator.naturalOrder())
                .orElseThrow(() -> new AssertionError("an eviction on a stage without a prior change"));
        assertThat(eviction.received()).isAfterOrEqualTo(touched.plusSeconds(forgiveness.longValue()));
    }

    /**
     * {@return whether a request is a change by the test itself, which may have broken a rule, and not by a controller}
     */
    private boolean isDoneTo(Stage stage, AuditRecord record) {
        boolean change = List.of("create", "update", "patch", "delete").contains(record.verb());
        boolean there =
                record.namespace().equals(stage.namespace()) || record.name().startsWith(stage.nodeName(""));
        return change && there && record.user().equals(ControlPlane.ADMIN);
    }

    /** {@return when the API server received the test's last change of an object of the stage} */
    Instant lastChange(Stage stage, String resource, String name) {
        return trail.records().stream()
                .filter(record -> isDoneTo(stage, record))
                .filter(record ->
                        record.resource().equals(resource) && record.name().equals(name))
                .map(AuditRecord::received)
                .max(Comparator.naturalOrder())
                .orElseThrow(() -> new AssertionError("the test changed no " + resource + " " + name));
    }

    /** {@return the evictions in the stage that took effect, by any user, oldest first} */
    List<AuditRecord> evictions(Stage stage) {
        return trail.evictions(stage.namespace());
    }

    /**
     * Checks that the operator sent only requests that its ServiceAccount's roles allow, and that none was forbidden.
     */
    void keptToItsRights() {
        List<AuditRecord> requests = trail.records().stream()
                .filter(record -> record.user().equals(operator))
                .toList();
        assertThat(Rights.of(client, operator).exceededBy(requests)).containsExactlyElementsOf(Rights.EVERYBODYS);
        assertThat(requests).extracting(AuditRecord::code).doesNotContain(403);
    }

    /** {@return the operator's requests from an instant on that were refused for a missing right} */
    List<AuditRecord> refusedSince(Instant from) {
        return trail.records().stream()
                .filter(record -> !record.received().isBefore(from))
                .filter(record -> record.user().equals(operator))
                .filter(record -> record.code() == 403)
                .toList();
    }

    /** {@return the eviction requests in the stage by any user, including dry runs and refused ones} */
    List<AuditRecord> evictionRequests(Stage stage) {
        return trail.records().stream()
                .filter(record -> record.namespace().equals(stage.namespace()))
                .filter(AuditRecord::isEviction)
                .toList();
    }
}
