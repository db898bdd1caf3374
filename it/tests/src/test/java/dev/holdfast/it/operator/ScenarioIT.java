package dev.holdfast.it.operator;

import static dev.holdfast.it.scenario.StageDefaults.ENFORCE;
import static dev.holdfast.it.scenario.StageDefaults.ON_SSD;
import static dev.holdfast.it.scenario.StageDefaults.QUIET;
import static dev.holdfast.it.scenario.StageDefaults.enforcing;
import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.crds.v1alpha1.EnforcementPause;
import dev.holdfast.it.scenario.PodRemovals;
import dev.holdfast.it.scenario.Stage;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.scheduling.v1.PriorityClass;
import io.fabric8.kubernetes.api.model.scheduling.v1.PriorityClassBuilder;
import io.fabric8.kubernetes.client.dsl.Resource;
import io.fabric8.kubernetes.client.dsl.base.PatchContext;
import io.fabric8.kubernetes.client.dsl.base.PatchType;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/**
 * Scenarios in which rules break and heal, or cannot heal. Each test checks exactly which pods were evicted, by which
 * user, and for which rule and cause.
 */
@ExtendWith(SharedOperator.class)
@Execution(ExecutionMode.CONCURRENT)
@Order(1)
class ScenarioIT {
    /** A forgiveness that leaves time for an action before the violation is due, even on a busy machine. */
    private static final Duration PATIENCE = Duration.ofSeconds(60);

    private static final String ENFORCE_PATIENTLY = enforcing(PATIENCE);

    private static final String NEAR_S2 = """
        affinity:
          podAffinity:
            requiredDuringSchedulingIgnoredDuringExecution:
            - {labelSelector: {matchLabels: {app: s2}}, topologyKey: zone}
        """;

    @AfterAll
    static void inAllOfThisItKeptToItsRights(ScenarioRun scenarioRun) {
        scenarioRun.keptToItsRights();
    }

    private static String apartFrom(String app) {
        return """
            affinity:
              podAntiAffinity:
                requiredDuringSchedulingIgnoredDuringExecution:
                - {labelSelector: {matchLabels: {app: %s}}, topologyKey: zone}
            """.formatted(app);
    }

    private static String spread(String topologyKey) {
        return """
            topologySpreadConstraints:
            - {maxSkew: 1, topologyKey: %s, whenUnsatisfiable: DoNotSchedule, labelSelector: {matchLabels: {app: web}}}
            """.formatted(topologyKey);
    }

    private static String lostItsSsd(String node, Stage stage) {
        return "label disk of node " + stage.nodeName(node) + " changed ssd -> hdd";
    }

    private static String left(List<Pod> partners) {
        Pod partner = partners.getFirst();
        return "pod " + partner.getMetadata().getNamespace() + "/"
                + partner.getMetadata().getName() + " left";
    }

    @Test
    void aPodLeavesANodeThatLostTheLabelOfItsNodeSelectorForOneThatHasIt(ScenarioRun scenarioRun) {
        Stage stage = scenarioRun.stage("node-selector").node("n1", "disk=ssd").node("n2", "disk=hdd");
        stage.deployment("web", 1, "nodeSelector: {pool: $NS, disk: ssd}");
        scenarioRun.settle(stage, "web", 1);
        scenarioRun.calm(stage.policy(ENFORCE));
        List<Pod> victims = stage.running("web");

        stage.label("n2", "disk", "ssd").label("n1", "disk", "hdd");

        scenarioRun.moved(stage, 1);
        assertThat(stage.places("web")).containsExactly("n2");
        scenarioRun.over(stage, scenarioRun.evicted(stage, victims, "NodeAffinity", lostItsSsd("n1", stage)));
    }

    @Test
    void threePodsLeaveANodeThatLostTheLabelOfTheirNodeAffinityOneAfterTheOther(ScenarioRun scenarioRun) {
        Stage stage = scenarioRun.stage("node-affinity").node("n1", "disk=ssd").node("n2", "disk=hdd");
        stage.deployment("web", 3, ON_SSD);
        scenarioRun.settle(stage, "web", 3);
        scenarioRun.calm(stage.policy(ENFORCE));
        List<Pod> victims = stage.running("web");

        stage.label("n2", "disk", "ssd").label("n1", "disk", "hdd");

        scenarioRun.moved(stage, 3);
        assertThat(stage.places("web")).containsExactly("n2", "n2", "n2");
        scenarioRun.over(stage, scenarioRun.evicted(stage, victims, "NodeAffinity", lostItsSsd("n1", stage)));
    }

    @Test
    void aBreachThatHealsInsideItsWindowMovesNothingAndItsClockIsForgotten(ScenarioRun scenarioRun) {
        Stage stage = scenarioRun.stage("healed").node("n1", "disk=ssd").node("n2", "disk=ssd");
        stage.deployment("web", 2, ON_SSD);
        scenarioRun.settle(stage, "web", 2);
        scenarioRun.calm(stage.policy(ENFORCE_PATIENTLY));

        stage.label("n1", "disk", "hdd").label("n2", "disk", "hdd");
        scenarioRun.until(
                "two pods violate", () -> stage.status("pods", "violating").equals(Optional.of(2)));
        stage.label("n1", "disk", "ssd").label("n2", "disk", "ssd");

        scenarioRun.calm(stage);
        assertThat(stage.status("nextDeadlineTime")).isEmpty();
        scenarioRun.over(stage, PodRemovals.NONE, PATIENCE.plusSeconds(2));
    }

    @Test
    void s1FollowsS2IntoAnotherZone(ScenarioRun scenarioRun) {
        Stage stage = scenarioRun.stage("s2-elsewhere").node("a1", "zone=a").node("b1", "zone=b");
        stage.deployment("s2", 1, "nodeSelector: {pool: $NS, zone: a}");
        scenarioRun.settle(stage, "s2", 1);
        stage.deployment("s1", 1, NEAR_S2);
        scenarioRun.settle(stage, "s1", 1);
        assertThat(stage.places("s1")).containsExactly("a1");
        scenarioRun.calm(stage.policy("""
            mode: Enforce
            podSelector: {matchLabels: {app: s1}}
            limits: {minReplicas: 0}
            forgivenessSeconds: 3
            """));
        List<Pod> victims = stage.running("s1");
        List<Pod> partners = stage.running("s2");

        stage.deployment("s2", 1, "nodeSelector: {pool: $NS, zone: b}");

        scenarioRun.until("s1 follows", () -> stage.places("s1").equals(List.of("b1")));
        scenarioRun.moved(stage, 1);
        scenarioRun.over(
                stage,
                scenarioRun
                        .evicted(stage, victims, "PodAffinity", left(partners))
                        .and(PodRemovals.scaledDown(partners)));
    }

    @Test
    void s1StaysWhileS2IsNowhere(ScenarioRun scenarioRun) {
        Stage stage = scenarioRun.stage("s2-nowhere").node("a1", "zone=a").node("b1", "zone=b");
        stage.deployment("s2", 1, "");
        scenarioRun.settle(stage, "s2", 1);
        stage.deployment("s1", 1, NEAR_S2);
        scenarioRun.settle(stage, "s1", 1);
        scenarioRun.calm(stage.policy(ENFORCE));
        List<Pod> partners = stage.running("s2");

        stage.deployment("s2", 0, "");

        scenarioRun.held(stage, "Infeasible");
        scenarioRun.over(stage, PodRemovals.scaledDown(partners), QUIET);
    }

    @Test
    void s1LeavesWhileS2IsNowhereWhenThePolicyInsists(ScenarioRun scenarioRun) {
        Stage stage = scenarioRun.stage("s2-nowhere-evict").node("a1", "zone=a").node("b1", "zone=b");
        stage.deployment("s2", 1, "");
        scenarioRun.settle(stage, "s2", 1);
        stage.deployment("s1", 1, NEAR_S2);
        scenarioRun.settle(stage, "s1", 1);
        scenarioRun.calm(stage.policy("""
            mode: Enforce
            podSelector: {matchLabels: {app: s1}}
            limits: {minReplicas: 0}
            forgivenessSeconds: 3
            podRules: [{kind: PodAffinity, whenInfeasible: Evict}]
            """));
        List<Pod> victims = stage.running("s1");
        List<Pod> partners = stage.running("s2");

        stage.deployment("s2", 0, "");

        scenarioRun.until("s1 is evicted", () -> !scenarioRun.evictions(stage).isEmpty());
        scenarioRun.until(
                "its replacement waits for a node", () -> stage.running("s1").isEmpty());
        scenarioRun.over(
                stage,
                scenarioRun
                        .evicted(stage, victims, "PodAffinity", left(partners))
                        .and(PodRemovals.scaledDown(partners)));
    }

    @Test
    void rollingS2InsideTheWindowMovesNothing(ScenarioRun scenarioRun) {
        Stage stage = scenarioRun.stage("s2-rolled").node("a1", "zone=a").node("b1", "zone=b");
        String inZoneA = "nodeSelector: {pool: $NS, zone: a}";
        stage.deployment("s2", 1, inZoneA);
        scenarioRun.settle(stage, "s2", 1);
        stage.deployment("s1", 1, NEAR_S2);
        scenarioRun.settle(stage, "s1", 1);
        scenarioRun.calm(stage.policy(ENFORCE_PATIENTLY));
        List<Pod> before = stage.running("s2");

        stage.deployment("s2", 0, inZoneA);
        scenarioRun.until("s1 violates", () -> stage.status("pods", "violating").equals(Optional.of(1)));
        stage.deployment("s2", 1, inZoneA);
        scenarioRun.settle(stage, "s2", 1);

        assertThat(stage.running("s2"))
                .extracting(pod -> pod.getMetadata().getUid())
                .doesNotContainAnyElementsOf(
                        before.stream().map(pod -> pod.getMetadata().getUid()).toList())
                .isNotEmpty();
        scenarioRun.calm(stage);
        scenarioRun.over(stage, PodRemovals.scaledDown(before), PATIENCE.plusSeconds(2));
    }

    @Test
    void theOwnerOfTheRuleLeavesAndThePodRelabelledIntoConflictStays(ScenarioRun scenarioRun) {
        Stage stage = scenarioRun.stage("conflict").node("a1", "zone=a").node("b1", "zone=b");
        stage.deployment("calm", 1, "nodeSelector: {pool: $NS, zone: a}");
        stage.deployment("web", 1, apartFrom("noisy"));
        scenarioRun.settle(stage, "calm", 1);
        scenarioRun.settle(stage, "web", 1);
        stage.cordon(stage.places("web").getFirst().equals("a1") ? "b1" : "a1");
        scenarioRun.calm(stage.policy(ENFORCE));
        String home = stage.places("web").getFirst();
        Pod intruder = stage.bare("intruder", home, "app: quiet");
        List<Pod> victims = stage.running("web");
        stage.uncordon("a1").uncordon("b1");
        scenarioRun.settle(stage, "quiet", 1);
        scenarioRun.calm(stage);

        stage.labelPod("intruder", "app", "noisy");

        scenarioRun.moved(stage, 1);
        assertThat(stage.places("web")).doesNotContain(home);
        assertThat(stage.uid("intruder")).isEqualTo(intruder.getMetadata().getUid());
        String cause = "label app of pod conflict/intruder changed quiet -> noisy";
        scenarioRun.over(stage, scenarioRun.evicted(stage, victims, "PodAntiAffinity", cause));
    }

    @Test
    void aPodOfLowerPriorityMakesWayForTheOneWhoseRuleItBreaksWhereAClusterPolicySaysSo(ScenarioRun scenarioRun) {
        Stage stage = scenarioRun.stage("lowest").node("a1", "zone=a");
        PriorityClass important = new PriorityClassBuilder()
                .withNewMetadata()
                .withName("important")
                .endMetadata()
                .withValue(1_000)
                .build();
        stage.client().resource(important).create();
        stage.deployment("web", 1, "priorityClassName: important").deployment("batch", 1, "");
        scenarioRun.settle(stage, "web", 1);
        scenarioRun.settle(stage, "batch", 1);
        stage.node("b1", "zone=b").apply("""
            apiVersion: holdfast.dev/v1alpha1
            kind: ClusterPlacementPolicy
            metadata: {name: of-$NS}
            spec:
              mode: Enforce
              namespaceSelector: {matchLabels: {kubernetes.io/metadata.name: $NS}}
              podSelector: {matchLabels: {app: web}}
              podRuleSelection: None
              rules:
              - name: apart-from-noisy
                victim: LowestPriority
                podAntiAffinityTerm: {labelSelector: {matchLabels: {tier: noisy}}, topologyKey: zone}
              limits: {minReplicas: 0}
              forgivenessSeconds: 3
            """);
        scenarioRun.settle(stage, "batch", 1);
        scenarioRun.calm(stage.policy("{forgivenessSeconds: 3}"));
        scenarioRun.calm("of-lowest", 1);
        Pod web = stage.running("web").getFirst();
        Pod batch = stage.running("batch").getFirst();
        String name = batch.getMetadata().getName();

        stage.labelPod(name, "tier", "noisy");

        scenarioRun.until(
                "another pod of batch runs",
                () -> stage.names("batch").size() == 1 && !stage.names("batch").contains(name));
        assertThat(stage.running("web"))
                .singleElement()
                .extracting(pod -> pod.getMetadata().getUid())
                .isEqualTo(web.getMetadata().getUid());
        String cause = "label tier of pod lowest/" + name + " was added as 'noisy'; evicted instead of lowest/"
                + web.getMetadata().getName() + ", which has a higher priority";
        scenarioRun.over(stage, scenarioRun.evictedFor("of-lowest", List.of(batch), "apart-from-noisy", cause));
    }

    @Test
    void ofTwoPodsApartFromEachOtherThatEndUpInOneZoneExactlyOneLeaves(ScenarioRun scenarioRun) {
        Stage stage = scenarioRun.stage("mutual").node("a1", "zone=a").node("b1", "zone=b");
        stage.deployment("web", 2, apartFrom("web"));
        scenarioRun.settle(stage, "web", 2);
        scenarioRun.calm(stage.policy(ENFORCE));
        List<Pod> before = stage.running("web");
        stage.node("c1", "zone=c");
        scenarioRun.settle(stage, "web", 2);

        stage.label("b1", "zone", "a");

        scenarioRun.moved(stage, 1);
        scenarioRun.calm(stage);
        assertThat(stage.places("web")).contains("c1");
        List<Pod> victim = scenarioRun.theOneThatLeft(stage, "web", before);
        String cause = "label zone of node mutual-b1 changed b -> a";
        scenarioRun.over(stage, scenarioRun.evicted(stage, victim, "PodAntiAffinity", cause));
    }

    @Test
    void aNodeMovedToAnotherZoneMakesASpread3To1AndOnePodEvensItOut(ScenarioRun scenarioRun) {
        Stage stage = scenarioRun
                .stage("spread")
                .node("a1", "zone=a")
                .node("a2", "zone=a")
                .node("b1", "zone=b")
                .node("b2", "zone=b");
        stage.deployment("web", 4, spread("zone") + apartFromOnNode());
        scenarioRun.settle(stage, "web", 4);
        scenarioRun.calm(stage.policy(ENFORCE));
        List<Pod> before = stage.running("web");
        stage.node("b3", "zone=b");
        scenarioRun.settle(stage, "web", 4);

        stage.label("b2", "zone", "a");

        scenarioRun.moved(stage, 1);
        scenarioRun.calm(stage);
        List<Pod> victim = scenarioRun.theOneThatLeft(stage, "web", before);
        String cause = "label zone of node spread-b2 changed b -> a";
        scenarioRun.over(stage, scenarioRun.evicted(stage, victim, "TopologySpread", cause));
    }

    private static String apartFromOnNode() {
        return """
            affinity:
              podAntiAffinity:
                requiredDuringSchedulingIgnoredDuringExecution:
                - {labelSelector: {matchLabels: {app: web}}, topologyKey: kubernetes.io/hostname}
            """;
    }

    @Test
    void aCordonedEmptyNodeUnderHostnameSpreadMovesNothing(ScenarioRun scenarioRun) {
        Stage stage = scenarioRun.stage("cordoned").node("n1").node("n2");
        stage.deployment("web", 4, spread("kubernetes.io/hostname"));
        scenarioRun.settle(stage, "web", 4);
        scenarioRun.calm(stage.policy(ENFORCE));

        stage.node("n3").cordon("n3");

        scenarioRun.held(stage, "DomainAdded");
        scenarioRun.over(stage, PodRemovals.NONE, QUIET);
    }

    @Test
    void whileItsNamespaceIsPausedNothingLeavesAndWithoutThePauseItDoes(ScenarioRun scenarioRun) {
        Stage stage = scenarioRun.stage("paused").node("n1", "disk=ssd").node("n2", "disk=hdd");
        stage.deployment("web", 1, ON_SSD);
        scenarioRun.settle(stage, "web", 1);
        scenarioRun.calm(stage.policy(ENFORCE));
        List<Pod> victims = stage.running("web");
        Resource<EnforcementPause> pause = scenarioRun.pause("quarter end", stage);

        stage.label("n2", "disk", "ssd").label("n1", "disk", "hdd");
        scenarioRun.held(stage, "Paused");
        assertThat(String.valueOf(stage.status("violations").orElseThrow()))
                .contains("EnforcementPause of-paused: quarter end; until it is deleted");
        scenarioRun.left(stage, PodRemovals.NONE, QUIET);
        pause.delete();

        scenarioRun.moved(stage, 1);
        scenarioRun.over(stage, scenarioRun.evicted(stage, victims, "NodeAffinity", lostItsSsd("n1", stage)));
    }

    @Test
    void aPauseThatExpiresLetsThePodGoByItselfAndIsShownAsExpired(ScenarioRun scenarioRun) {
        Stage stage = scenarioRun.stage("expired").node("n1", "disk=ssd").node("n2", "disk=hdd");
        stage.deployment("web", 1, ON_SSD);
        scenarioRun.settle(stage, "web", 1);
        scenarioRun.calm(stage.policy(ENFORCE));
        List<Pod> victims = stage.running("web");
        Resource<EnforcementPause> pause = scenarioRun.pause("some seconds", stage);
        stage.label("n2", "disk", "ssd").label("n1", "disk", "hdd");
        scenarioRun.held(stage, "Paused");

        pause.patch(
                PatchContext.of(PatchType.JSON_MERGE),
                "{\"spec\":{\"expirationTime\":\"" + Instant.now().plusSeconds(5) + "\"}}");

        scenarioRun.moved(stage, 1);
        scenarioRun.awaitPause(pause, "Expired");
        pause.delete();
        scenarioRun.over(stage, scenarioRun.evicted(stage, victims, "NodeAffinity", lostItsSsd("n1", stage)));
    }

    @Test
    void auditSaysWhatEnforceWouldDoAndSendsNothingNotEvenADryRun(ScenarioRun scenarioRun) {
        Stage stage = scenarioRun.stage("audit").node("n1", "disk=ssd").node("n2", "disk=hdd");
        stage.deployment("web", 1, ON_SSD);
        scenarioRun.settle(stage, "web", 1);
        scenarioRun.calm(stage.policy("{forgivenessSeconds: 3, limits: {minReplicas: 0}}"));

        stage.label("n2", "disk", "ssd").label("n1", "disk", "hdd");

        scenarioRun.until(
                "the policy reports WouldEvict",
                () -> String.valueOf(stage.status("violations").orElse("")).contains("WouldEvict"));
        scenarioRun.over(stage, PodRemovals.NONE, QUIET);
        assertThat(scenarioRun.evictionRequests(stage)).isEmpty();
    }

    @Test
    void aPolicyDeletedInsideTheWindowMovesNothing(ScenarioRun scenarioRun) {
        Stage stage = scenarioRun.stage("deleted").node("n1", "disk=ssd").node("n2", "disk=hdd");
        stage.deployment("web", 1, ON_SSD);
        scenarioRun.settle(stage, "web", 1);
        scenarioRun.calm(stage.policy(ENFORCE_PATIENTLY));

        stage.label("n2", "disk", "ssd").label("n1", "disk", "hdd");
        scenarioRun.until(
                "a pod violates", () -> stage.status("pods", "violating").equals(Optional.of(1)));
        stage.deletePolicy();

        scenarioRun.over(stage, PodRemovals.NONE, PATIENCE.plusSeconds(2));
    }

    @Test
    void aPolicyDisabledInsideTheWindowMovesNothing(ScenarioRun scenarioRun) {
        Stage stage = scenarioRun.stage("disabled").node("n1", "disk=ssd").node("n2", "disk=hdd");
        stage.deployment("web", 1, ON_SSD);
        scenarioRun.settle(stage, "web", 1);
        scenarioRun.calm(stage.policy(ENFORCE_PATIENTLY));

        stage.label("n2", "disk", "ssd").label("n1", "disk", "hdd");
        scenarioRun.until(
                "a pod violates", () -> stage.status("pods", "violating").equals(Optional.of(1)));
        stage.policy(ENFORCE_PATIENTLY.replace("Enforce", "Disabled"));

        scenarioRun.until(
                "nothing violates", () -> stage.status("pods", "violating").equals(Optional.of(0)));
        scenarioRun.over(stage, PodRemovals.NONE, PATIENCE.plusSeconds(2));
    }
}
