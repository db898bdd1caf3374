package dev.holdfast.it.crds;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.holdfast.crds.v1alpha1.EnforcementPause;
import dev.holdfast.crds.v1alpha1.EnforcementPauseSpec;
import dev.holdfast.crds.v1alpha1.PlacementPolicy;
import dev.holdfast.crds.v1alpha1.PlacementPolicySpec;
import dev.holdfast.crds.v1alpha1.PolicyRule;
import dev.holdfast.crds.v1alpha1.RequiredNodeAffinity;
import dev.holdfast.crds.v1alpha1.choice.Mode;
import dev.holdfast.crds.v1alpha1.choice.PodRuleSelection;
import dev.holdfast.crds.v1alpha1.choice.RuleInjection;
import dev.holdfast.crds.v1alpha1.choice.VictimChoice;
import dev.holdfast.crds.v1alpha1.choice.WhenDomainAdded;
import dev.holdfast.crds.v1alpha1.choice.WhenInfeasible;
import dev.holdfast.crds.v1alpha1.choice.WhenRequired;
import dev.holdfast.crds.v1alpha1.core.LabelSelector;
import dev.holdfast.crds.v1alpha1.core.NodeOperator;
import dev.holdfast.crds.v1alpha1.core.NodeSelector;
import dev.holdfast.crds.v1alpha1.core.NodeSelectorRequirement;
import dev.holdfast.crds.v1alpha1.core.NodeSelectorTerm;
import dev.holdfast.crds.v1alpha1.status.EffectiveLimits;
import dev.holdfast.crds.v1alpha1.status.EffectivePolicy;
import dev.holdfast.crds.v1alpha1.status.HoldCount;
import dev.holdfast.crds.v1alpha1.status.Outlook;
import dev.holdfast.crds.v1alpha1.status.PauseStatus;
import dev.holdfast.crds.v1alpha1.status.PodCounts;
import dev.holdfast.crds.v1alpha1.status.PolicyCondition;
import dev.holdfast.crds.v1alpha1.status.PolicyEviction;
import dev.holdfast.crds.v1alpha1.status.PolicyLeader;
import dev.holdfast.crds.v1alpha1.status.PolicyStatus;
import dev.holdfast.crds.v1alpha1.status.PolicyViolation;
import dev.holdfast.it.controlplane.ControlPlane;
import dev.holdfast.it.controlplane.Program;
import dev.holdfast.it.controlplane.SharedControlPlane;
import dev.holdfast.it.controlplane.TimeLimits;
import io.fabric8.kubernetes.api.model.IntOrString;
import io.fabric8.kubernetes.api.model.NamespaceBuilder;
import io.fabric8.kubernetes.api.model.ObjectMetaBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import io.fabric8.kubernetes.client.KubernetesClientException;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.extension.ExtendWith;

/** The Java records of the policy kinds and a real API server agree on every field, including defaults and status. */
@ExtendWith(SharedControlPlane.class)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class PolicyKindsIT {
    private static final Instant TIME = Instant.parse("2026-11-20T15:42:10Z");

    private static final PolicyStatus STATUS = new PolicyStatus(
            1L,
            List.of(
                    condition("Ready", "True", "Evaluated"),
                    condition("Compliant", "False", "Violated"),
                    condition("EnforcementHeld", "True", "DisruptionBudget")),
            new EffectivePolicy(
                    Mode.AUDIT,
                    300,
                    new EffectiveLimits(
                            10,
                            120,
                            1,
                            new IntOrString("10%"),
                            new EffectiveLimits.PerWorkload(1, new IntOrString(3)))),
            new PodCounts(120, 3, 2, 1),
            List.of(new HoldCount("DisruptionBudget", 1)),
            new Outlook(130, 60, 7_200),
            TIME,
            List.of(new PolicyViolation(
                    "shop", "web-1", "node-12", "ssd", TIME, TIME.plusSeconds(300), "Held", "DisruptionBudget", "m")),
            List.of(new PolicyEviction(TIME, "shop", "web-0", "node-12", "node-7", "ssd", "disk gone", "Moved")),
            PolicyLeader.of("holdfast-0_1", TIME));

    private final ControlPlane controlPlane;
    private final KubernetesClient client;
    private final String namespace;

    PolicyKindsIT(ControlPlane controlPlane) {
        this.controlPlane = controlPlane;
        this.client =
                new KubernetesClientBuilder().withConfig(controlPlane.config()).build();
        InstalledCrds.install(client);
        this.namespace = client.resource(new NamespaceBuilder()
                        .withNewMetadata()
                        .withGenerateName("policy-kinds-")
                        .endMetadata()
                        .build())
                .create()
                .getMetadata()
                .getName();
    }

    @AfterAll
    void closeClient() {
        client.close();
    }

    @Test
    void theServerDefaultsAnEmptySpecAsTheRecordsDo() {
        String served = client.raw(
                "/apis/holdfast.dev/v1alpha1/namespaces/" + namespace + "/placementpolicies",
                "POST",
                Map.of(
                        "apiVersion",
                        "holdfast.dev/v1alpha1",
                        "kind",
                        "PlacementPolicy",
                        "metadata",
                        Map.of("name", "empty"),
                        "spec",
                        Map.of()));

        assertThat(client.getKubernetesSerialization()
                        .unmarshal(served, PlacementPolicy.class)
                        .getSpec())
                .isEqualTo(client.getKubernetesSerialization().unmarshal("{}", PlacementPolicySpec.class));
        assertThat(served).contains("\"mode\":\"Audit\"").doesNotContain("podRules", "podRuleSelection");
    }

    @Test
    void aStatusIsServedAsItWasWritten() {
        PlacementPolicy policy = create("reported", audit(List.of()));
        policy.setStatus(STATUS);

        client.resource(policy).patchStatus();

        assertThat(client.resources(PlacementPolicy.class)
                        .inNamespace(namespace)
                        .withName("reported")
                        .require()
                        .getStatus())
                .isEqualTo(STATUS);
    }

    @Test
    void aStatusOfMoreThanEightKiBIsRefused() {
        PlacementPolicy policy = create("talkative", audit(List.of()));
        PolicyCondition talkative = new PolicyCondition("Ready", "True", "Evaluated", "m".repeat(8_193), TIME, 1L);
        policy.setStatus(new PolicyStatus(
                1L, List.of(talkative), null, null, List.of(), null, null, List.of(), List.of(), null));

        assertThatExceptionOfType(KubernetesClientException.class)
                .isThrownBy(() -> client.resource(policy).patchStatus())
                .withMessageContaining(PolicyStatus.TOO_LONG);
    }

    @Test
    void namespacesAndTargetNodesCountInTheLengthOfAStatus() {
        PlacementPolicy policy = create("busy", audit(List.of()));
        String longest = "n".repeat(253);
        PolicyEviction eviction =
                new PolicyEviction(TIME, "s".repeat(63), longest, longest, longest, "ssd", null, null);
        policy.setStatus(new PolicyStatus(
                1L,
                List.of(),
                null,
                null,
                List.of(),
                null,
                null,
                List.of(),
                Collections.nCopies(PolicyStatus.MAX_EVICTIONS, eviction),
                null));

        assertThatExceptionOfType(KubernetesClientException.class)
                .isThrownBy(() -> client.resource(policy).patchStatus())
                .withMessageContaining(PolicyStatus.TOO_LONG);
    }

    @Test
    void kubectlShowsTheColumns() throws Exception {
        PlacementPolicy policy = create("web", audit(List.of()));
        policy.setStatus(STATUS);
        client.resource(policy).patchStatus();

        assertThat(kubectl("get", "plpol", "web", "-n", namespace).replaceAll("[0-9]+m?s\\s*$", "AGE"))
                .isEqualToNormalizingWhitespace("""
                    NAME  MODE   READY  PODS  VIOLATING  HELD  HOLD              NEXT                  AGE
                    web   Audit  True   120   3          1     DisruptionBudget  2026-11-20T15:42:10Z  AGE
                    """);
        assertThat(kubectl("get", "holdfast", "-n", namespace, "-o", "wide"))
                .contains("ASKED", "FORGIVENESS", "DUE", "COMPLIANT", "REASON", "HOLDING", "DisruptionBudget");
        assertThat(kubectl("get", "plpol", "-n", namespace, "--field-selector", "spec.mode=Audit", "-o", "name"))
                .contains("placementpolicy.holdfast.dev/web");
    }

    @Test
    void kubectlShowsWhoPausedWhatWhyAndUntilWhen() throws Exception {
        EnforcementPause pause = new EnforcementPause();
        pause.setMetadata(new ObjectMetaBuilder().withName("freeze").build());
        pause.setSpec(new EnforcementPauseSpec(
                "quarter end",
                client.getKubernetesSerialization().unmarshal("matchLabels: {team: billing}", LabelSelector.class),
                List.of(),
                "2026-12-31T00:00:00Z",
                Map.of()));
        client.resource(pause).create();
        Instant now = Instant.parse("2026-11-20T15:42:10Z");
        pause.setStatus(new PauseStatus(
                1L,
                List.of(new PolicyCondition("Active", "True", "Active", "paused", now, 1L)),
                Instant.parse("2026-12-31T00:00:00Z")));
        client.resource(pause).patchStatus();

        assertThat(kubectl("get", "epause", "freeze").replaceAll("[0-9]+m?s\\s*$", "AGE"))
                .isEqualToNormalizingWhitespace("""
                    NAME    ACTIVE  STATE   UNTIL                 REASON       AGE
                    freeze  True    Active  2026-12-31T00:00:00Z  quarter end  AGE
                    """);
        assertThat(kubectl("get", "epause", "-o", "wide")).contains("NAMESPACES", "billing", "READY");
        client.resource(pause).delete();
    }

    /** The API server limits the cost of CEL validation rules, estimated for the CRD and measured for each object. */
    @Test
    void aPolicyAtItsBoundsIsWithinTheServersBudget() {
        NodeSelectorTerm term = new NodeSelectorTerm(
                IntStream.range(0, 10).mapToObj(PolicyKindsIT::requirement).toList(), List.of());
        RequiredNodeAffinity affinity = new RequiredNodeAffinity(new NodeSelector(Collections.nCopies(10, term)));
        List<PolicyRule> rules = IntStream.range(0, 20)
                .mapToObj(i -> new PolicyRule(
                        "rule-" + i,
                        affinity,
                        null,
                        null,
                        null,
                        WhenRequired.ALWAYS,
                        null,
                        null,
                        WhenInfeasible.WAIT,
                        null,
                        WhenDomainAdded.HOLD,
                        VictimChoice.RULE_OWNER,
                        Map.of()))
                .toList();

        PlacementPolicy created = create("largest", audit(rules));

        assertThat(created.getSpec().rules()).isEqualTo(rules);
    }

    private static NodeSelectorRequirement requirement(int number) {
        return new NodeSelectorRequirement(
                "labels.of-a-long-domain.example.com/key-" + number,
                NodeOperator.IN,
                IntStream.range(0, 50).mapToObj(i -> "value-" + i).toList());
    }

    private static PlacementPolicySpec audit(List<PolicyRule> rules) {
        return new PlacementPolicySpec(
                Mode.AUDIT,
                null,
                null,
                PodRuleSelection.NONE,
                null,
                rules,
                RuleInjection.NONE,
                null,
                null,
                null,
                List.of(),
                List.of(),
                List.of(),
                null,
                Map.of());
    }

    private PlacementPolicy create(String name, PlacementPolicySpec spec) {
        PlacementPolicy policy = new PlacementPolicy();
        policy.setMetadata(
                new ObjectMetaBuilder().withNamespace(namespace).withName(name).build());
        policy.setSpec(spec);
        return client.resource(policy).create();
    }

    private String kubectl(String... arguments) throws Exception {
        List<String> command = new ArrayList<>(List.of(
                controlPlane.binary(Program.KUBECTL).toString(),
                "--kubeconfig",
                controlPlane.kubeconfig().toString()));
        command.addAll(List.of(arguments));
        Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
        String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(process.waitFor(TimeLimits.ANSWER.toSeconds(), TimeUnit.SECONDS))
                .as(output)
                .isTrue();
        assertThat(process.exitValue()).as(output).isZero();
        return output;
    }

    private static PolicyCondition condition(String type, String status, String reason) {
        return new PolicyCondition(type, status, reason, "message", TIME, 1L);
    }
}
