package dev.holdfast.it.operator;

import static dev.holdfast.it.scenario.StageDefaults.ON_SSD;
import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.crds.v1alpha1.EnforcementPause;
import dev.holdfast.it.controlplane.AuditRecord;
import dev.holdfast.it.scenario.PodRemovals;
import dev.holdfast.it.scenario.Stage;
import io.fabric8.kubernetes.api.model.Event;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.client.dsl.Resource;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/** What one tenant can do to another, and what it can see of another. */
@ExtendWith(SharedOperator.class)
@Execution(ExecutionMode.CONCURRENT)
class TenantsIT {
    private static final String AUDITED = "{forgivenessSeconds: 3}";

    private static String clusterPolicy(String name, String namespaces, String more) {
        return """
            apiVersion: holdfast.dev/v1alpha1
            kind: ClusterPlacementPolicy
            metadata: {name: %s}
            spec:
              mode: Enforce
              namespaceSelector: {matchExpressions: [{key: kubernetes.io/metadata.name, operator: In, values: [%s]}]}
              podSelector: {}
              forgivenessSeconds: 3
            %s
            """.formatted(name, namespaces, more.indent(2).stripTrailing());
    }

    private static String lostItsSsd(Stage stage) {
        return "label disk of node " + stage.nodeName("n1") + " changed ssd -> hdd";
    }

    private static void breaks(Stage stage) {
        stage.label("n2", "disk", "ssd").label("n1", "disk", "hdd");
    }

    private static Stage onSsd(String name, int workloads, ScenarioRun scenarioRun) {
        Stage stage = scenarioRun.stage(name).node("n1", "disk=ssd").node("n2", "disk=hdd");
        for (int i = 1; i <= workloads; i++) {
            stage.deployment("web" + i, 1, ON_SSD);
            scenarioRun.settle(stage, "web" + i, 1);
        }
        scenarioRun.calm(stage.policy(AUDITED));
        return stage;
    }

    private static List<Pod> all(Stage stage) {
        return stage.client().pods().inNamespace(stage.namespace()).list().getItems();
    }

    @Test
    void aNamespaceWithOneDuePodIsServedBeforeTheSecondOfANamespaceWithMany(ScenarioRun scenarioRun) {
        Stage crowd = onSsd("crowd", 4, scenarioRun);
        Stage single = onSsd("single", 1, scenarioRun);
        crowd.apply(clusterPolicy("of-both", "crowd, single", "limits: {minReplicas: 0, maxConcurrentEvictions: 1}"));
        scenarioRun.calm("of-both", 5);
        List<Pod> ofCrowd = all(crowd);
        List<Pod> ofSingle = all(single);
        // So that all pods may leave at the same time.
        Resource<EnforcementPause> pause = scenarioRun.pause("breaks", crowd, single);
        breaks(crowd);
        breaks(single);
        scenarioRun.until(
                "all pods are held", () -> scenarioRun.clusterStatus("of-both").contains("held=5"));

        pause.delete();

        scenarioRun.until(
                "all pods moved",
                () -> scenarioRun.evictions(crowd).size() == 4
                        && scenarioRun.evictions(single).size() == 1);
        Instant second = scenarioRun.evictions(crowd).get(1).received();
        assertThat(scenarioRun.evictions(single))
                .singleElement()
                .extracting(AuditRecord::received)
                .satisfies(at -> assertThat(at).isBefore(second));
        scenarioRun.over(crowd, scenarioRun.evictedFor("of-both", ofCrowd, "NodeAffinity", lostItsSsd(crowd)));
        scenarioRun.over(single, scenarioRun.evictedFor("of-both", ofSingle, "NodeAffinity", lostItsSsd(single)));
    }

    @Test
    void aClusterPolicyWithPodOverridesIgnoreMovesWhatAnnotationsAndPoliciesOfTheTenantWouldKeep(
            ScenarioRun scenarioRun) {
        Stage stage = onSsd("stubborn", 1, scenarioRun);
        stage.annotateDeployment("web1", "holdfast.dev/keep", Optional.of("true"));
        stage.policy("veto", """
            mode: Enforce
            podSelector: {}
            podRuleSelection: None
            rules:
            - name: not-there
              nodeAffinity: {required: {nodeSelectorTerms: [{matchFields: [{key: metadata.name, operator: NotIn, values: [%s]}]}]}}
            """.formatted(stage.nodeName("n2")));
        scenarioRun.calm(stage);
        List<Pod> victims = all(stage);
        stage.apply(clusterPolicy("of-stubborn", "stubborn", "podOverrides: Ignore\nlimits: {minReplicas: 0}"));
        scenarioRun.calm("of-stubborn", 1);

        breaks(stage);

        scenarioRun.until("the pod moved", () -> stage.places("web1").equals(List.of("n2")));
        scenarioRun.over(stage, scenarioRun.evictedFor("of-stubborn", victims, "NodeAffinity", lostItsSsd(stage)));
    }

    @Test
    void aPlacementPolicyAndItsEventsNameNothingOfAnotherNamespace(ScenarioRun scenarioRun) {
        String rule = """
            podRuleSelection: None
            rules:
            - name: alone
              podAntiAffinityTerm:
                labelSelector: {matchLabels: {tier: noisy}}
                namespaceSelector: {matchLabels: {kubernetes.io/metadata.name: neighbour}}
                topologyKey: kubernetes.io/hostname
            """;
        Stage neighbour = scenarioRun.stage("neighbour");
        Stage stage = scenarioRun.stage("curious").node("n1");
        stage.deployment("web", 1, "");
        scenarioRun.settle(stage, "web", 1);
        stage.apply(clusterPolicy("of-curious", "curious", rule).replace("mode: Enforce", "mode: Audit"));
        scenarioRun.calm(stage.policy("podSelector: {}\n" + rule + "forgivenessSeconds: 3"));

        neighbour.apply("""
            apiVersion: v1
            kind: Pod
            metadata: {name: confidential, labels: {tier: noisy}}
            spec: {nodeName: %s, containers: [{name: main, image: main}]}
            """.formatted(stage.nodeName("n1")));

        scenarioRun.until(
                "the violation is due",
                () -> stage.status("pods", "due").equals(Optional.of(1))
                        && scenarioRun.clusterStatus("of-curious").contains("due=1"));
        assertThat(String.valueOf(stage.status().orElseThrow()))
                .contains("another namespace")
                .doesNotContain("confidential", "neighbour/");
        assertThat(scenarioRun.clusterStatus("of-curious")).contains("neighbour/confidential");
        scenarioRun.until("an event about the pod", () -> !events(stage).isEmpty());
        assertThat(events(stage)).allSatisfy(event -> assertThat(event).doesNotContain("confidential", "neighbour/"));
        scenarioRun.over(stage, PodRemovals.NONE);
        scenarioRun.over(neighbour, PodRemovals.NONE);
    }

    private static List<String> events(Stage stage) {
        return stage.client().v1().events().inNamespace(stage.namespace()).list().getItems().stream()
                .filter(event -> String.valueOf(event.getReportingComponent()).contains("holdfast"))
                .map(Event::getMessage)
                .toList();
    }
}
