package dev.holdfast.charts;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.params.provider.Arguments.argumentSet;

import io.fabric8.kubernetes.api.model.Affinity;
import io.fabric8.kubernetes.api.model.AffinityBuilder;
import io.fabric8.kubernetes.api.model.IntOrString;
import io.fabric8.kubernetes.api.model.LabelSelector;
import io.fabric8.kubernetes.api.model.LabelSelectorBuilder;
import io.fabric8.kubernetes.api.model.PodSpec;
import io.fabric8.kubernetes.api.model.TopologySpreadConstraint;
import io.fabric8.kubernetes.api.model.TopologySpreadConstraintBuilder;
import io.fabric8.kubernetes.api.model.apps.Deployment;
import io.fabric8.kubernetes.api.model.apps.DeploymentSpec;
import io.fabric8.kubernetes.api.model.apps.DeploymentStrategy;
import io.fabric8.kubernetes.api.model.apps.RollingUpdateDeployment;
import io.fabric8.kubernetes.api.model.policy.v1.PodDisruptionBudget;
import io.fabric8.kubernetes.api.model.policy.v1.PodDisruptionBudgetSpec;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** How many replicas run, where, and how drains and rollouts replace them. */
class ReplicasTest {
    private static final LabelSelector RELEASE = selector("holdfast");

    @Test
    void byDefaultOneReplicaActsAndOneStandsBy() {
        assertThat(deployment().getReplicas()).isEqualTo(2);
    }

    @ParameterizedTest
    @MethodSource
    void aRolloutEndsNoPodBeforeAnotherIsReady(String... settings) {
        assertThat(deployment(settings).getStrategy())
                .isEqualTo(new DeploymentStrategy(
                        new RollingUpdateDeployment(new IntOrString(1), new IntOrString(0)), "RollingUpdate"));
    }

    static List<Arguments> aRolloutEndsNoPodBeforeAnotherIsReady() {
        return List.of(argumentSet("of two replicas", (Object) new String[] {}), argumentSet("of one replica", (Object)
                new String[] {"replicaCount=1"}));
    }

    /** The release as the user named it, so that two releases do not count each other's pods. */
    @Test
    void theDefaultSpreadCountsThePodsOfTheReleaseAlone() {
        String[] settings = {"nameOverride=keeper", "fullnameOverride=holdfast", "commonLabels.team=platform"};

        assertThat(pod(settings).getAffinity()).isEqualTo(otherNode(selector("keeper")));
        assertThat(pod(settings).getTopologySpreadConstraints()).containsExactly(otherZone(selector("keeper")));
        assertThat(deployment(settings).getSelector()).isEqualTo(selector("keeper"));
    }

    @ParameterizedTest
    @MethodSource
    void thePodsHave(@Nullable Affinity affinity, List<TopologySpreadConstraint> spread, String... settings) {
        assertThat(pod(settings).getAffinity()).isEqualTo(affinity);
        assertThat(pod(settings).getTopologySpreadConstraints()).isEqualTo(spread);
    }

    static List<Arguments> thePodsHave() {
        String affinity = "affinity.nodeAffinity.requiredDuringSchedulingIgnoredDuringExecution"
                + ".nodeSelectorTerms[0].matchFields[0].key=metadata.name";
        String skew = "topologySpreadConstraints[0].maxSkew=2";
        String topologyKey = "topologySpreadConstraints[0].topologyKey=rack";
        Affinity givenAffinity = new AffinityBuilder()
                .withNewNodeAffinity()
                .withNewRequiredDuringSchedulingIgnoredDuringExecution()
                .addNewNodeSelectorTerm()
                .addNewMatchField()
                .withKey("metadata.name")
                .endMatchField()
                .endNodeSelectorTerm()
                .endRequiredDuringSchedulingIgnoredDuringExecution()
                .endNodeAffinity()
                .build();
        TopologySpreadConstraint givenSpread = new TopologySpreadConstraintBuilder()
                .withMaxSkew(2)
                .withTopologyKey("rack")
                .build();
        Affinity otherNode = otherNode(RELEASE);
        TopologySpreadConstraint otherZone = otherZone(RELEASE);
        return List.of(
                argumentSet(
                        "a preference for other nodes and zones by default",
                        otherNode,
                        List.of(otherZone),
                        new String[] {}),
                argumentSet(
                        "the same with one replica, so that a second one replaces no pod",
                        otherNode,
                        List.of(otherZone),
                        new String[] {"replicaCount=1"}),
                argumentSet(
                        "the given affinity alone, and the default constraints",
                        givenAffinity,
                        List.of(otherZone),
                        new String[] {affinity}),
                argumentSet(
                        "the given constraints alone, and the default affinity",
                        otherNode,
                        List.of(givenSpread),
                        new String[] {skew, topologyKey}),
                argumentSet(
                        "no affinity and no constraints if the spread is switched off", null, List.of(), new String[] {
                            "spreadReplicas=false"
                        }),
                argumentSet(
                        "what is given even if the spread is switched off",
                        givenAffinity,
                        List.of(givenSpread),
                        new String[] {"spreadReplicas=false", affinity, skew, topologyKey}));
    }

    @Test
    void aDrainStopsOneReplicaAtATimeAndNeverWaitsForOneThatIsNotReady() {
        assertThat(Chart.object(PodDisruptionBudget.class, "holdfast").getSpec())
                .isEqualTo(budget(new IntOrString(1), "AlwaysAllow"));
    }

    @Test
    void theBudgetIsAsGiven() {
        assertThat(Chart.object(
                                PodDisruptionBudget.class,
                                "holdfast",
                                "replicaCount=4",
                                "podDisruptionBudget.maxUnavailable=50%",
                                "podDisruptionBudget.unhealthyPodEvictionPolicy=IfHealthyBudget")
                        .getSpec())
                .isEqualTo(budget(new IntOrString("50%"), "IfHealthyBudget"));
    }

    @ParameterizedTest
    @MethodSource
    void thereAreBudgets(int count, String... settings) {
        assertThat(Chart.objects(PodDisruptionBudget.class, settings)).hasSize(count);
    }

    static List<Arguments> thereAreBudgets() {
        return List.of(
                argumentSet("one for two replicas", 1, new String[] {}),
                argumentSet("one for three replicas", 1, new String[] {"replicaCount=3"}),
                argumentSet(
                        "none for one replica, which may leave its node at any time", 0, new String[] {"replicaCount=1"
                        }),
                argumentSet("none while Holdfast is stopped", 0, new String[] {"replicaCount=0"}),
                argumentSet("none if it is switched off", 0, new String[] {"podDisruptionBudget.enabled=false"}));
    }

    private static PodDisruptionBudgetSpec budget(IntOrString maxUnavailable, String unhealthyPods) {
        return new PodDisruptionBudgetSpec(maxUnavailable, null, RELEASE, unhealthyPods);
    }

    private static Affinity otherNode(LabelSelector replicas) {
        return new AffinityBuilder()
                .withNewPodAntiAffinity()
                .addNewPreferredDuringSchedulingIgnoredDuringExecution()
                .withWeight(100)
                .withNewPodAffinityTerm()
                .withTopologyKey("kubernetes.io/hostname")
                .withLabelSelector(replicas)
                .withMatchLabelKeys("pod-template-hash")
                .endPodAffinityTerm()
                .endPreferredDuringSchedulingIgnoredDuringExecution()
                .endPodAntiAffinity()
                .build();
    }

    private static TopologySpreadConstraint otherZone(LabelSelector replicas) {
        return new TopologySpreadConstraintBuilder()
                .withMaxSkew(1)
                .withTopologyKey("topology.kubernetes.io/zone")
                .withWhenUnsatisfiable("ScheduleAnyway")
                .withLabelSelector(replicas)
                .withMatchLabelKeys("pod-template-hash")
                .build();
    }

    private static LabelSelector selector(String name) {
        return new LabelSelectorBuilder()
                .withMatchLabels(Map.of("app.kubernetes.io/name", name, "app.kubernetes.io/instance", "holdfast"))
                .build();
    }

    private static DeploymentSpec deployment(String... settings) {
        return Chart.object(Deployment.class, "holdfast", settings).getSpec();
    }

    private static PodSpec pod(String... settings) {
        return deployment(settings).getTemplate().getSpec();
    }
}
