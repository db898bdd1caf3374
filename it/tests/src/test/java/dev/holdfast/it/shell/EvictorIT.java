package dev.holdfast.it.shell;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.holdfast.it.controlplane.AuditRecord;
import dev.holdfast.it.controlplane.ControlPlane;
import dev.holdfast.it.controlplane.SharedControlPlane;
import dev.holdfast.it.controlplane.TimeLimits;
import dev.holdfast.it.scenario.Stage;
import dev.holdfast.operator.evict.Evictor;
import dev.holdfast.policies.model.NamespacedName;
import dev.holdfast.policies.plan.move.EvictionAnswer;
import dev.holdfast.policies.plan.move.EvictionRequest;
import dev.holdfast.policies.rule.PolicyId;
import dev.holdfast.policies.rule.RuleIdentity;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.ConfigBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import io.fabric8.kubernetes.client.KubernetesClientException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import org.awaitility.core.ConditionFactory;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/** The evictor on a real Eviction API: its requests and the answers. */
@ExtendWith(SharedControlPlane.class)
@Execution(ExecutionMode.CONCURRENT)
class EvictorIT {
    private final ControlPlane controlPlane;
    private final KubernetesClient client;
    private final Evictor evictor;

    EvictorIT(ControlPlane controlPlane) {
        this.controlPlane = controlPlane;
        Config once = new ConfigBuilder(controlPlane.config())
                .withRequestRetryBackoffLimit(0)
                .build();
        this.client = new KubernetesClientBuilder().withConfig(once).build();
        this.evictor = new Evictor(controlPlane.config(), _ -> true);
    }

    @AfterEach
    void close() {
        evictor.close();
        client.close();
    }

    @Test
    void aPodIsEvictedAfterADryRunAndTheAuditLogSaysWhy() {
        Stage stage = running("evict-plain");
        Pod pod = stage.running("web").getFirst();

        EvictionAnswer answer = pair(request(pod));

        assertThat(answer).isEqualTo(new EvictionAnswer.Evicted());
        eventually().until(() -> asked(stage).equals(List.of("DRY_RUN 201", "REAL 201")));
        assertThat(evictions(stage)).allSatisfy(record -> {
            assertThat(record.name()).isEqualTo(pod.getMetadata().getName());
            assertThat(record.uid()).isEqualTo(pod.getMetadata().getUid());
            assertThat(record.annotations())
                    .isEqualTo(Map.of(
                            "holdfast.dev/plan", "p-1",
                            "holdfast.dev/policy", "shop/web",
                            "holdfast.dev/rule", "ssd",
                            "holdfast.dev/cause", "label disk of node-12 changed from ssd to hdd",
                            "holdfast.dev/since", "2026-11-20T15:42:10Z"));
        });
    }

    @Test
    void anExhaustedBudgetIsNamedAndNothingRealIsSent() {
        Stage stage = running("evict-budget").budget("tight", "web", 1);
        eventually().until(() -> allowed(stage, "tight").equals(Optional.of(0)));

        EvictionAnswer answer = pair(request(stage.running("web").getFirst()));

        assertThat(answer)
                .isInstanceOfSatisfying(
                        EvictionAnswer.OutOfBudget.class,
                        refused -> assertThat(refused.message()).contains("disruption budget tight", "1 healthy pods"));
        eventually().until(() -> asked(stage).equals(List.of("DRY_RUN 429")));
        assertThat(stage.running("web")).hasSize(1);
    }

    @Test
    void twoBudgetsOverOnePodAreSeenThroughTheirStatusLine() {
        Stage stage = running("evict-two-budgets").budget("one", "web", 0).budget("two", "web", 0);

        EvictionAnswer answer = pair(request(stage.running("web").getFirst()));

        assertThat(answer).isInstanceOf(EvictionAnswer.SeveralBudgets.class);
        eventually().until(() -> evictions(stage).size() == 1);
        assertThat(stage.running("web")).hasSize(1);
    }

    @Test
    void anotherPodUnderTheSameNameIsAConflictThatBurnsNoBudget() {
        Stage stage = running("evict-conflict").budget("loose", "web", 0);
        eventually().until(() -> allowed(stage, "loose").equals(Optional.of(1)));
        Pod pod = stage.running("web").getFirst();
        EvictionRequest asSeen = request(pod);

        EvictionAnswer otherUid = pair(new EvictionRequest(
                asSeen.planId(),
                asSeen.pod(),
                "00000000-0000-0000-0000-000000000000",
                asSeen.resourceVersion(),
                asSeen.policy(),
                asSeen.rule(),
                asSeen.identity(),
                asSeen.cause(),
                asSeen.since()));
        stage.labelPod(pod.getMetadata().getName(), "edited", "yes");
        EvictionAnswer oldVersion = pair(asSeen);

        assertThat(otherUid).isInstanceOf(EvictionAnswer.Conflict.class);
        assertThat(oldVersion).isInstanceOf(EvictionAnswer.Conflict.class);
        eventually().until(() -> asked(stage).equals(List.of("DRY_RUN 409", "DRY_RUN 409")));
        assertThat(allowed(stage, "loose")).contains(1);
        assertThat(stage.running("web")).hasSize(1);
    }

    @Test
    void aPodThatIsNoMoreIsGone() {
        Stage stage = running("evict-gone");
        EvictionRequest request = request(stage.running("web").getFirst());
        client.apps()
                .deployments()
                .inNamespace(stage.namespace())
                .withName("web")
                .delete();
        eventually()
                .until(() -> client.pods()
                                .inNamespace(stage.namespace())
                                .withName(request.pod().name())
                                .get()
                        == null);

        assertThat(pair(request)).isEqualTo(new EvictionAnswer.Gone());
        eventually().until(() -> asked(stage).equals(List.of("DRY_RUN 404")));
    }

    @Test
    void aPendingPodPassesAnExhaustedBudget() {
        Stage stage =
                Stage.open(client, "evict-pending").deployment("web", 1, "").budget("tight", "web", 1);
        eventually().until(() -> allowed(stage, "tight").equals(Optional.of(0)));
        eventually().until(() -> pods(stage).size() == 1);

        assertThat(pair(request(pods(stage).getFirst()))).isEqualTo(new EvictionAnswer.Evicted());
        eventually().until(() -> asked(stage).equals(List.of("DRY_RUN 201", "REAL 201")));
    }

    @Test
    void aMissingRightIsForbidden() {
        Stage stage = running("evict-forbidden");
        Config withoutRights = new ConfigBuilder(controlPlane.config())
                .withImpersonateUsername("nobody")
                .build();
        try (Evictor powerless = new Evictor(withoutRights, _ -> true)) {
            EvictionAnswer answer =
                    powerless.dryRun(request(stage.running("web").getFirst()));

            assertThat(answer)
                    .isInstanceOfSatisfying(
                            EvictionAnswer.Forbidden.class,
                            refused -> assertThat(refused.message())
                                    .contains("User \"nobody\" cannot create resource \"pods/eviction\""));
        }
        assertThat(stage.running("web")).hasSize(1);
    }

    @Test
    void aPodOfANamespaceThatIsBeingDeletedNeedsNoEviction() {
        Stage stage = running("evict-terminating");
        Pod pod = stage.running("web").getFirst();
        client.pods()
                .inNamespace(stage.namespace())
                .withName(pod.getMetadata().getName())
                .edit(it -> {
                    it.getMetadata().setFinalizers(List.of("test.holdfast.dev/keep"));
                    return it;
                });
        client.namespaces().withName(stage.namespace()).delete();
        eventually()
                .until(() -> client.namespaces()
                        .withName(stage.namespace())
                        .get()
                        .getStatus()
                        .getPhase()
                        .equals("Terminating"));

        EvictionAnswer answer = pair(request(client.resource(pod).get()));

        assertThat(answer).isEqualTo(new EvictionAnswer.NamespaceTerminating());
        client.pods()
                .inNamespace(stage.namespace())
                .withName(pod.getMetadata().getName())
                .edit(it -> {
                    it.getMetadata().setFinalizers(List.of());
                    return it;
                });
    }

    @Test
    void anAdmissionPolicysRefusalCarriesItsMessage() {
        Stage stage = running("evict-guarded").apply("""
            apiVersion: admissionregistration.k8s.io/v1
            kind: ValidatingAdmissionPolicy
            metadata: {name: evict-guarded}
            spec:
              failurePolicy: Fail
              matchConstraints:
                resourceRules:
                - {apiGroups: [""], apiVersions: [v1], operations: [CREATE], resources: [pods/eviction]}
              validations: [{expression: "false", message: the shop is closed}]
            ---
            apiVersion: admissionregistration.k8s.io/v1
            kind: ValidatingAdmissionPolicyBinding
            metadata: {name: evict-guarded}
            spec:
              policyName: evict-guarded
              validationActions: [Deny]
              matchResources:
                namespaceSelector: {matchLabels: {kubernetes.io/metadata.name: evict-guarded}}
            """);
        Pod pod = stage.running("web").getFirst();
        eventually().until(() -> dryRunIsRefused(pod));

        EvictionAnswer answer = pair(request(pod));

        assertThat(answer)
                .isInstanceOfSatisfying(
                        EvictionAnswer.RefusedByAdmission.class,
                        refused -> assertThat(refused.message()).contains("the shop is closed"));
        assertThat(stage.running("web")).hasSize(1);
    }

    private boolean dryRunIsRefused(Pod pod) {
        String body = """
            {"apiVersion":"policy/v1","kind":"Eviction","metadata":{"namespace":"NS","name":"POD"},\
            "deleteOptions":{"dryRun":["All"]}}\
            """.replace("NS", pod.getMetadata().getNamespace())
                .replace("POD", pod.getMetadata().getName());
        try {
            client.raw(
                    "/api/v1/namespaces/" + pod.getMetadata().getNamespace() + "/pods/"
                            + pod.getMetadata().getName() + "/eviction",
                    "POST",
                    body);
            return false;
        } catch (KubernetesClientException e) {
            return String.valueOf(e.getMessage()).contains("the shop is closed");
        }
    }

    @Test
    void nothingIsSentPastTheFence() {
        Stage stage = running("evict-fenced");
        try (Evictor fenced = new Evictor(controlPlane.config(), _ -> false)) {
            assertThat(fenced.dryRun(request(stage.running("web").getFirst())))
                    .isInstanceOf(EvictionAnswer.NotSent.class);
        }
        // The audit log is ordered: it would have the earlier request before the later one.
        assertThat(pair(request(stage.running("web").getFirst()))).isEqualTo(new EvictionAnswer.Evicted());
        eventually().until(() -> asked(stage).equals(List.of("DRY_RUN 201", "REAL 201")));
    }

    /**
     * Sends a dry run, then the real request if the dry run passes, as the engine does, and returns the last answer.
     */
    private EvictionAnswer pair(EvictionRequest request) {
        EvictionAnswer dryRun = evictor.dryRun(request);
        return dryRun instanceof EvictionAnswer.Evicted ? evictor.evict(request) : dryRun;
    }

    private Stage running(String namespace) {
        Stage stage = Stage.open(client, namespace).node("n1").deployment("web", 1, "");
        eventually().until(() -> stage.running("web").size() == 1);
        return stage;
    }

    private List<Pod> pods(Stage stage) {
        return client.pods().inNamespace(stage.namespace()).list().getItems();
    }

    private static EvictionRequest request(Pod pod) {
        return new EvictionRequest(
                "p-1",
                new NamespacedName(
                        pod.getMetadata().getNamespace(), pod.getMetadata().getName()),
                pod.getMetadata().getUid(),
                OptionalLong.of(Long.parseLong(pod.getMetadata().getResourceVersion())),
                PolicyId.namespaced("shop", "web"),
                "ssd",
                new RuleIdentity("0123456789abcdef"),
                "label disk of node-12 changed from ssd to hdd",
                Instant.parse("2026-11-20T15:42:10Z"));
    }

    private Optional<Integer> allowed(Stage stage, String budget) {
        return Optional.ofNullable(client.policy()
                        .v1()
                        .podDisruptionBudget()
                        .inNamespace(stage.namespace())
                        .withName(budget)
                        .require()
                        .getStatus())
                .filter(status -> status.getObservedGeneration() != null && status.getExpectedPods() == 1)
                .map(status -> status.getDisruptionsAllowed());
    }

    private List<String> asked(Stage stage) {
        return evictions(stage).stream()
                .map(record -> record.effect() + " " + record.code())
                .toList();
    }

    private List<AuditRecord> evictions(Stage stage) {
        return controlPlane.auditTrail().records().stream()
                .filter(AuditRecord::isEviction)
                .filter(record -> record.namespace().equals(stage.namespace()))
                .toList();
    }

    private static ConditionFactory eventually() {
        return await().atMost(TimeLimits.STATE).pollInterval(Duration.ofMillis(50));
    }
}
