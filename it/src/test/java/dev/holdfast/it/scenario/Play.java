package dev.holdfast.it.scenario;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.holdfast.it.controlplane.AuditRecord;
import dev.holdfast.it.controlplane.AuditTrail;
import dev.holdfast.it.controlplane.ControlPlane;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;

/** What all scenarios share: stages on one control plane, an operator that works, and what the audit log says of it. */
final class Play {
    private static final Duration PATIENCE = Duration.ofSeconds(90);
    private static final Duration GLANCE = Duration.ofMillis(100);

    private final KubernetesClient client;
    private final AuditTrail trail;
    private final String operator;

    /**
     * A play on this control plane.
     *
     * @param operator the user that the operator is to the API server
     */
    Play(KubernetesClient client, AuditTrail trail, String operator) {
        this.client = client;
        this.trail = trail;
        this.operator = operator;
    }

    Stage stage(String name) {
        return Stage.open(client, name);
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

    /** Waits for as many ended moves, and then holds the evictions of the stage to exactly these pods. */
    void moved(Stage stage, Set<String> victims) {
        until(
                victims.size() + " moves in " + stage.namespace(),
                () -> stage.outcomes().equals(victims.stream().map(_ -> "Moved").toList()));
        exactlyEvicted(stage, victims);
    }

    /** Watches for a time in which nothing may be evicted. */
    void nothingEvictedFor(Stage stage, Duration time) {
        await("no eviction in " + stage.namespace())
                .pollInterval(GLANCE)
                .during(time)
                .atMost(time.plus(PATIENCE))
                .until(() -> trail.evictions(stage.namespace()).isEmpty());
    }

    /** The audit log names these evictions, by the operator and with its reasons, and nobody else deleted these pods. */
    void exactlyEvicted(Stage stage, Set<String> victims) {
        until(
                "evictions of " + stage.namespace() + " in the audit log",
                () -> trail.evictions(stage.namespace()).size() >= victims.size());
        List<AuditRecord> evictions = trail.evictions(stage.namespace());
        assertThat(evictions).extracting(AuditRecord::name).containsExactlyInAnyOrderElementsOf(victims);
        assertThat(evictions).extracting(AuditRecord::user).containsOnly(operator);
        assertThat(evictions).allSatisfy(eviction -> {
            assertThat(eviction.uid()).isNotEmpty();
            assertThat(eviction.annotations())
                    .containsKeys(
                            "holdfast.dev/plan",
                            "holdfast.dev/policy",
                            "holdfast.dev/rule",
                            "holdfast.dev/cause",
                            "holdfast.dev/since");
        });
        assertThat(othersDeletions(stage)).isEmpty();
    }

    /** {@return the names of the pods evicted in the stage, oldest eviction first} */
    List<String> evicted(Stage stage) {
        return trail.evictions(stage.namespace()).stream()
                .map(AuditRecord::name)
                .toList();
    }

    /** {@return who else deleted which pods, the nodes that finish what an eviction began left out} */
    private Map<String, List<String>> othersDeletions(Stage stage) {
        return trail.podDeletions(stage.namespace()).stream()
                .filter(record -> !record.user().equals(ControlPlane.NODE_USER))
                .collect(Collectors.groupingBy(
                        AuditRecord::user, Collectors.mapping(AuditRecord::name, Collectors.toList())));
    }

    /** {@return the requests for evictions in the stage, dry ones too, whoever made them} */
    List<AuditRecord> evictionRequests(Stage stage) {
        return trail.records().stream()
                .filter(record -> record.namespace().equals(stage.namespace()))
                .filter(AuditRecord::isEviction)
                .toList();
    }
}
