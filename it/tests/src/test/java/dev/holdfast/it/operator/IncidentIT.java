package dev.holdfast.it.operator;

import static dev.holdfast.it.scenario.StageDefaults.ENFORCE;
import static dev.holdfast.it.scenario.StageDefaults.ON_SSD;
import static dev.holdfast.it.scenario.StageDefaults.QUIET;
import static dev.holdfast.it.scenario.StageDefaults.enforcing;
import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.it.scenario.PodRemovals;
import dev.holdfast.it.scenario.Stage;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.apps.StatefulSet;
import java.time.Duration;
import java.util.List;
import java.util.Map;
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
    private static final Duration EIGHT_SECONDS = Duration.ofSeconds(8);

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
    void anAutoscalersEmptyZoneAndItsEmptyNodeShuffleNoPod(ScenarioRun scenarioRun) {
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
    void twoPoliciesThatContradictEachOtherAreBothNamedAndMoveNoPod(ScenarioRun scenarioRun) {
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
              podRuleSelection: None
              limits: {minReplicas: 0}
              forgivenessSeconds: 3
              rules:
              - name: apart-from-batch
                podAntiAffinityTerm: {labelSelector: {matchLabels: {app: batch}}, topologyKey: kubernetes.io/hostname}
            """);
        stage.policy("""
            mode: Enforce
            podSelector: {matchLabels: {app: web}}
            podRuleSelection: None
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

    @Test
    void aStatefulSetThatUpdatesOnDeleteKeepsItsPodAndOneWhoseRollOutIsFinishedMoves(ScenarioRun scenarioRun) {
        Stage stage = scenarioRun.stage("on-delete").node("n1", "disk=ssd").node("n2", "disk=hdd");
        stage.statefulSet("db", 1, "OnDelete", ON_SSD).statefulSet("queue", 1, "RollingUpdate", ON_SSD);
        scenarioRun.settle(stage, "db", 1);
        scenarioRun.settle(stage, "queue", 1);
        List<Pod> rolledOut = stage.running("queue");
        stage.statefulSet("db", 1, "OnDelete", "nodeSelector: {pool: $NS, generation: next}\n" + ON_SSD);
        stage.statefulSet("queue", 1, "RollingUpdate", ON_SSD + "terminationGracePeriodSeconds: 5");
        scenarioRun.until("db waits for its owner", () -> !isOfOneRevision(stage, "db"));
        scenarioRun.until(
                "queue-0 was replaced",
                () -> isOfOneRevision(stage, "queue")
                        && !stage.uid("queue-0")
                                .equals(rolledOut.getFirst().getMetadata().getUid()));
        scenarioRun.settle(stage, "queue", 1);
        scenarioRun.calm(stage.policy(ENFORCE));
        List<Pod> victims = stage.running("queue");

        stage.label("n2", "disk", "ssd").label("n1", "disk", "hdd");

        scenarioRun.held(stage, "RevisionPending");
        assertThat(String.valueOf(stage.status("violations").orElseThrow()))
                .contains("StatefulSet on-delete/db would make the replacement from revision");
        scenarioRun.moved(stage, 1);
        assertThat(stage.places("queue")).containsExactly("n2");
        scenarioRun.over(
                stage,
                scenarioRun
                        .evicted(stage, victims, "NodeAffinity", lostItsSsd(stage))
                        .and(PodRemovals.rolledOut(rolledOut)),
                QUIET);
        assertThat(stage.holdsOf("keep")).isEqualTo(Map.of("RevisionPending", 1));
    }

    /** {@return whether the status of a StatefulSet is of its present spec, and all its pods are of one revision} */
    private static boolean isOfOneRevision(Stage stage, String name) {
        StatefulSet set = stage.client()
                .apps()
                .statefulSets()
                .inNamespace(stage.namespace())
                .withName(name)
                .require();
        boolean observed =
                set.getMetadata().getGeneration().equals(set.getStatus().getObservedGeneration());
        assertThat(observed)
                .as("the status of " + name + " is of its present spec")
                .isTrue();
        return set.getStatus().getCurrentRevision().equals(set.getStatus().getUpdateRevision());
    }

    private static String lostItsSsd(Stage stage) {
        return "label disk of node " + stage.nodeName("n1") + " changed ssd -> hdd";
    }

    @Test
    void aSecondPolicyMovesItsPodAfterItsOwnForgivenessWhileTheWindowOfTheFirstIsShut(ScenarioRun scenarioRun) {
        Stage stage = scenarioRun.stage("second-policy").node("n1", "disk=ssd").node("n2", "disk=hdd");
        stage.deployment("few", 1, ON_SSD).deployment("many", 12, ON_SSD);
        scenarioRun.settle(stage, "few", 1);
        scenarioRun.settle(stage, "many", 12);
        scenarioRun.calm(stage.policy(
                ENFORCE + "windows: [{name: hours, action: Deny, schedule: \"0 * * * *\", durationSeconds: 7200}]"));
        List<Pod> victims = stage.running("few");
        stage.label("n2", "disk", "ssd").label("n1", "disk", "hdd");
        scenarioRun.until(
                "the window holds all pods", () -> stage.holdsOf("keep").equals(Map.of("WindowClosed", 13)));
        // Longer than the forgiveness of both further policies.
        scenarioRun.left(stage, PodRemovals.NONE, QUIET);

        stage.policy("second", enforcing(EIGHT_SECONDS).replace("{}", "{matchLabels: {app: few}}"));
        stage.policy("third", ENFORCE.replace("{}", "{matchLabels: {app: many}}"));

        scenarioRun.until(
                "the third policy is held", () -> stage.holdsOf("third").equals(Map.of("PolicyBacklog", 12)));
        scenarioRun.until("the pod moved", () -> stage.places("few").equals(List.of("n2")));
        scenarioRun.over(
                stage,
                scenarioRun.evictedFor("second-policy/second", victims, "NodeAffinity", lostItsSsd(stage)),
                QUIET);
        assertThat(scenarioRun.evictions(stage).getFirst().received())
                .isAfterOrEqualTo(scenarioRun
                        .lastChange(stage, "placementpolicies", "second")
                        .plus(EIGHT_SECONDS));
        scenarioRun.until(
                "the window holds the others", () -> stage.holdsOf("keep").equals(Map.of("WindowClosed", 12)));
        assertThat(stage.holdsOf("third")).isEqualTo(Map.of("PolicyBacklog", 12));
    }

    @Test
    void aWorkloadThatIsNotWholeLosesNoPodUntilItsOtherPodsAreReadyAgain(ScenarioRun scenarioRun) {
        Stage stage = scenarioRun.stage("not-whole").node("n1", "disk=ssd");
        stage.deployment("web", 2, ON_SSD);
        scenarioRun.settle(stage, "web", 2);
        List<Pod> victims = stage.running("web");
        stage.cordon("n1").node("n2", "disk=ssd").deployment("web", 10, ON_SSD);
        scenarioRun.until(
                "the other pods are elsewhere", () -> stage.namesOn("web", "n2").size() == 8);
        stage.uncordon("n1");
        scenarioRun.settle(stage, "web", 10);
        scenarioRun.calm(stage.policy(ENFORCE));
        List<String> others = stage.namesOn("web", "n2");
        others.forEach(pod -> stage.ready(pod, false));

        stage.label("n1", "disk", "hdd");

        scenarioRun.until("both pods are held", () -> stage.holdsOf("keep").equals(Map.of("WorkloadDegraded", 2)));
        assertThat(String.valueOf(stage.status("violations").orElseThrow()))
                .contains("9 of the 10 desired pods of Deployment not-whole/web would be missing or not Ready");
        scenarioRun.left(stage, PodRemovals.NONE, QUIET);
        others.forEach(pod -> stage.ready(pod, true));

        scenarioRun.moved(stage, 2);
        scenarioRun.over(stage, scenarioRun.evicted(stage, victims, "NodeAffinity", lostItsSsd(stage)));
    }

    @Test
    void aKeepAnnotationOfTheDeploymentHoldsItsPodForOneForgivenessAfterItIsTakenOff(ScenarioRun scenarioRun) {
        Stage stage = scenarioRun.stage("kept").node("n1", "disk=ssd").node("n2", "disk=hdd");
        stage.deployment("web", 1, ON_SSD);
        scenarioRun.settle(stage, "web", 1);
        // Longer than the watch of Deployments may lag behind that of nodes.
        Duration forgiveness = Duration.ofSeconds(20);
        scenarioRun.calm(stage.policy(enforcing(forgiveness)));
        List<Pod> victims = stage.running("web");
        stage.annotateDeployment("web", "holdfast.dev/keep", Optional.of("true"));

        stage.label("n2", "disk", "ssd").label("n1", "disk", "hdd");
        scenarioRun.held(stage, "Kept");
        assertThat(String.valueOf(stage.status("violations").orElseThrow()))
                .contains("annotation holdfast.dev/keep of Deployment kept/web forbids the eviction");
        stage.annotateDeployment("web", "holdfast.dev/keep", Optional.empty());

        scenarioRun.moved(stage, 1);
        scenarioRun.over(stage, scenarioRun.evicted(stage, victims, "NodeAffinity", lostItsSsd(stage)));
        assertThat(scenarioRun.evictions(stage).getFirst().received())
                .isAfterOrEqualTo(
                        scenarioRun.lastChange(stage, "deployments", "web").plus(forgiveness));
    }
}
