package dev.holdfast.it.operator;

import static dev.holdfast.it.scenario.StageDefaults.ENFORCE;
import static dev.holdfast.it.scenario.StageDefaults.ON_SSD;
import static dev.holdfast.it.scenario.StageDefaults.QUIET;
import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.it.scenario.PodRemovals;
import dev.holdfast.it.scenario.Stage;
import io.fabric8.kubernetes.api.model.Pod;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/**
 * Incidents that platform teams know, on a real control plane; the API server's audit log shows which pods were
 * evicted.
 */
@ExtendWith(SharedOperator.class)
@Execution(ExecutionMode.CONCURRENT)
class IncidentIT {
    @Test
    void aBudgetThatNeverAllowsAnythingHoldsThePodByNameAndLetsItGoWhenItIsLoosened(ScenarioRun scenarioRun) {
        Stage stage = scenarioRun.stage("budget-never").node("n1", "disk=ssd").node("n2", "disk=hdd");
        stage.deployment("web", 1, ON_SSD).budget("web-budget", "web", 1);
        scenarioRun.settle(stage, "web", 1);
        scenarioRun.calm(stage.policy(ENFORCE));
        List<Pod> victims = stage.running("web");

        stage.label("n2", "disk", "ssd").label("n1", "disk", "hdd");
        scenarioRun.held(stage, "DisruptionBudgetNeverAllows");
        assertThat(String.valueOf(stage.status("violations").orElseThrow())).contains("web-budget");
        scenarioRun.left(stage, PodRemovals.NONE, QUIET);
        stage.budget("web-budget", "web", 0);

        scenarioRun.moved(stage, 1);
        scenarioRun.over(
                stage,
                scenarioRun.evicted(
                        stage,
                        victims,
                        "NodeAffinity",
                        "label disk of node " + stage.nodeName("n1") + " changed ssd -> hdd"));
    }

    @Test
    void aJobNearItsEndKeepsItsPodWhichWouldCountAsFailed(ScenarioRun scenarioRun) {
        Stage stage =
                scenarioRun.stage("job-near-its-end").node("n1", "disk=ssd").node("n2", "disk=ssd");
        stage.apply("""
            apiVersion: batch/v1
            kind: Job
            metadata: {name: batch}
            spec:
              template:
                metadata: {labels: {app: batch}}
                spec:
                  restartPolicy: Never
                  nodeSelector: {pool: $NS, disk: ssd}
                  containers: [{name: main, image: batch}]
            """);
        scenarioRun.settle(stage, "batch", 1);
        scenarioRun.calm(stage.policy(ENFORCE));

        stage.label(stage.places("batch").getFirst(), "disk", "hdd");

        scenarioRun.held(stage, "RunsToCompletion");
        scenarioRun.over(stage, PodRemovals.NONE, QUIET);
    }

    @Test
    void anAutoscalersEmptyZoneAndItsEmptyNodeShuffleNobody(ScenarioRun scenarioRun) {
        Stage stage = scenarioRun.stage("empty-zone").node("a1", "zone=a").node("b1", "zone=b");
        stage.deployment("web", 4, """
            topologySpreadConstraints:
            - {maxSkew: 1, topologyKey: zone, whenUnsatisfiable: DoNotSchedule, labelSelector: {matchLabels: {app: web}}}
            """);
        stage.deployment("cache", 4, """
            topologySpreadConstraints:
            - maxSkew: 1
              topologyKey: kubernetes.io/hostname
              whenUnsatisfiable: DoNotSchedule
              labelSelector: {matchLabels: {app: cache}}
            """);
        scenarioRun.settle(stage, "web", 4);
        scenarioRun.settle(stage, "cache", 4);
        scenarioRun.calm(stage.policy(ENFORCE));

        stage.node("c1", "zone=c").node("a2", "zone=a");

        scenarioRun.held(stage, "DomainAdded");
        scenarioRun.until(
                "both violations are held for this reason",
                () -> stage.status("pods", "held").equals(Optional.of(8)));
        scenarioRun.over(stage, PodRemovals.NONE, QUIET);
    }

    @Test
    void twoPoliciesThatContradictEachOtherAreBothNamedAndMoveNobody(ScenarioRun scenarioRun) {
        Stage stage = scenarioRun.stage("contradiction").node("n1", "disk=ssd").node("n2", "disk=hdd");
        stage.deployment("batch", 1, "nodeSelector: {pool: $NS, disk: ssd}");
        scenarioRun.settle(stage, "batch", 1);
        stage.apply("""
            apiVersion: holdfast.dev/v1alpha1
            kind: PlacementPolicy
            metadata: {name: apart}
            spec:
              mode: Enforce
              podSelector: {matchLabels: {app: web}}
              podRules: []
              limits: {minReplicas: 0}
              forgivenessSeconds: 3
              rules:
              - name: apart-from-batch
                podAntiAffinityTerm: {labelSelector: {matchLabels: {app: batch}}, topologyKey: kubernetes.io/hostname}
            """);
        stage.policy("""
            mode: Enforce
            podSelector: {matchLabels: {app: web}}
            podRules: []
            limits: {minReplicas: 0}
            forgivenessSeconds: 3
            rules:
            - name: fast-disks
              nodeAffinity: {required: {nodeSelectorTerms: [{matchExpressions: [{key: disk, operator: In, values: [ssd]}]}]}}
            """);
        stage.deployment("web", 1, """
            affinity:
              nodeAffinity:
                preferredDuringSchedulingIgnoredDuringExecution:
                - weight: 100
                  preference: {matchExpressions: [{key: disk, operator: In, values: [hdd]}]}
            """);
        scenarioRun.settle(stage, "web", 1);

        scenarioRun.held(stage, "Contradicts");
        assertThat(String.valueOf(stage.status("violations").orElseThrow()))
                .contains(stage.namespace() + "/keep", stage.namespace() + "/apart");
        scenarioRun.over(stage, PodRemovals.NONE, QUIET);
    }
}
