package dev.holdfast.it.operator;

import static dev.holdfast.it.scenario.StageDefaults.ENFORCE;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.holdfast.crds.v1alpha1.EnforcementPause;
import dev.holdfast.it.controlplane.AuditRecord;
import dev.holdfast.it.controlplane.AuditTrail;
import dev.holdfast.it.controlplane.ControlPlane;
import dev.holdfast.it.controlplane.TimeLimits;
import dev.holdfast.it.rights.Rights;
import dev.holdfast.it.scenario.PodRemovals;
import dev.holdfast.it.scenario.Stage;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.dsl.Resource;
import io.fabric8.kubernetes.client.dsl.base.ResourceDefinitionContext;
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
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The environment of a scenario test: test namespaces ({@link Stage stages}) on a control plane, a running operator,
 * and the audit log. Each stage ends with a check of exactly which pods were evicted or deleted in it.
 */
final class ScenarioRun {
    private static final Duration POLL_INTERVAL = Duration.ofMillis(250);

    /** How long no further pod may be evicted after the expected result; longer than the forgiveness of most tests. */
    private static final Duration QUIET = Duration.ofSeconds(5);

    private static final ResourceDefinitionContext CLUSTER_POLICIES = new ResourceDefinitionContext.Builder()
            .withGroup("holdfast.dev")
            .withVersion("v1alpha1")
            .withKind("ClusterPlacementPolicy")
            .withPlural("clusterplacementpolicies")
            .withNamespaced(false)
            .build();

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
        stage.awaitKnown();
        until(
                "the policy of " + stage.namespace() + " is met",
                () -> stage.status("pods", "violating").equals(Optional.of(0)) && isEvaluated(stage));
        calm.computeIfAbsent(stage.namespace(), _ -> new TreeSet<>()).add(clock.instant());
    }

    /** Waits until the operator has evaluated a ClusterPlacementPolicy for its pods, and reports no violation. */
    void calm(String clusterPolicy, int pods) {
        until(
                "the policy " + clusterPolicy + " is met",
                () -> clusterStatus(clusterPolicy).contains("selected=" + pods)
                        && clusterStatus(clusterPolicy).contains("violating=0"));
    }

    /** {@return the status of a ClusterPlacementPolicy as text} */
    String clusterStatus(String policy) {
        Object status = client.genericKubernetesResources(CLUSTER_POLICIES)
                .withName(policy)
                .require()
                .get("status");
        return String.valueOf(status);
    }

    /** Pauses enforcement in the namespaces of these stages, and returns the pause once the operator applies it. */
    Resource<EnforcementPause> pause(String reason, Stage... stages) {
        String name = "of-" + stages[0].namespace();
        stages[0].apply("""
            apiVersion: holdfast.dev/v1alpha1
            kind: EnforcementPause
            metadata: {name: %s}
            spec:
              reason: %s
              namespaceSelector: {matchExpressions: [{key: kubernetes.io/metadata.name, operator: In, values: [%s]}]}
            """.formatted(
                        name, reason, Stream.of(stages).map(Stage::namespace).collect(Collectors.joining(", "))));
        Resource<EnforcementPause> pause =
                client.resources(EnforcementPause.class).withName(name);
        awaitPause(pause, "Active");
        return pause;
    }

    /** Waits until the condition Active of a pause has this reason. */
    void awaitPause(Resource<EnforcementPause> pause, String reason) {
        until(
                "the pause reports " + reason,
                () -> pause.get().getStatus().conditions().stream()
                        .anyMatch(
                                it -> it.type().equals("Active") && it.reason().equals(reason)));
    }

    private static boolean isEvaluated(Stage stage) {
        Object observed = stage.status("observedGeneration").orElse(0);
        return ((Number) observed).longValue() == stage.policy().getMetadata().getGeneration();
    }

    void until(String what, Callable<Boolean> condition) {
        await(what)
                .atMost(TimeLimits.STATE)
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
                .atMost(quiet.plus(TimeLimits.ANSWER))
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
