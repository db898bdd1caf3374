package dev.holdfast.operator.offline.simulate;

import static dev.holdfast.policies.testing.Demands.app;
import static dev.holdfast.policies.testing.Facts.ZONE;
import static dev.holdfast.policies.testing.Facts.cluster;
import static dev.holdfast.policies.testing.Facts.labels;
import static dev.holdfast.policies.testing.Facts.notReady;
import static dev.holdfast.policies.testing.NodeTraits.cordoned;
import static dev.holdfast.policies.testing.NodeTraits.tainted;
import static dev.holdfast.policies.testing.PodTraits.gated;
import static dev.holdfast.policies.testing.PodTraits.nodeSelector;
import static dev.holdfast.policies.testing.PodTraits.nominatedTo;
import static dev.holdfast.policies.testing.PodTraits.on;
import static dev.holdfast.policies.testing.PodTraits.scheduledBy;
import static dev.holdfast.policies.testing.PodTraits.spread;
import static dev.holdfast.policies.testing.PodTraits.tooComplex;
import static dev.holdfast.policies.testing.PodTraits.unbound;
import static dev.holdfast.policies.testing.Spreads.maxSkew;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.params.provider.Arguments.argumentSet;

import dev.holdfast.operator.config.OperatorConfig;
import dev.holdfast.operator.offline.simulate.object.Assumptions;
import dev.holdfast.operator.offline.waiting.Waiting;
import dev.holdfast.policies.rule.Mode;
import dev.holdfast.policies.testing.ClusterBuilder;
import java.time.Instant;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Why the pod {@code web} has no node. */
class WaitingReasonsTest {
    private static Arguments row(String name, ClusterBuilder cluster, Waiting.State state, String why) {
        return argumentSet(name, cluster, new Waiting(state, why));
    }

    static Stream<Arguments> reasons() {
        return Stream.of(
                row("there is no node", cluster().pod("web", unbound()), Waiting.State.NO_NODE, "there is no node"),
                row(
                        "each reason has its number of nodes, the largest first",
                        cluster()
                                .node("n1", tainted("gpu", "true", "NoSchedule"), labels("disk", "ssd"))
                                .node("n2", cordoned(), labels("disk", "ssd"))
                                .node("n3")
                                .node("n4")
                                .pod("web", unbound(), nodeSelector("disk", "ssd")),
                        Waiting.State.NO_NODE,
                        "4 nodes: 2 against its rule NodeAffinity: disk=ssd: it has no label disk; 1 cordoned; 1"
                                + " tainted gpu=true:NoSchedule"),
                row(
                        "one node is in the singular",
                        cluster().node("n1", notReady()).pod("web", unbound()),
                        Waiting.State.NO_NODE,
                        "1 node: 1 not Ready"),
                row(
                        "zone a has 1 pod and zone b 0, and its only node is cordoned: a second pod in a has skew 2",
                        cluster()
                                .node("n1", labels(ZONE, "a"))
                                .node("n2", labels(ZONE, "b"), cordoned())
                                .pod("other", on("n1"), labels("app", "web"))
                                .pod("web", unbound(), labels("app", "web"), spread(maxSkew(1, ZONE, app("web")))),
                        Waiting.State.NO_NODE,
                        "2 nodes: 1 against its rule TopologySpread: spread (app=web) by"
                                + " topology.kubernetes.io/zone, maxSkew 1: topology.kubernetes.io/zone=a would have 2"
                                + " matching pods, the smallest domain b has 0: skew 2, allowed 1; 1 cordoned"),
                row(
                        "the scheduler has not bound it to a node that takes it",
                        cluster().node("n1").node("n2", cordoned()).pod("web", unbound()),
                        Waiting.State.NOT_BOUND,
                        "1 of 2 nodes take it: n1"),
                row(
                        "of the nodes that take it, three are named",
                        cluster().node("n1").node("n2").node("n3").node("n4").pod("web", unbound()),
                        Waiting.State.NOT_BOUND,
                        "4 of 4 nodes take it: n1, n2, n3, ..."),
                row(
                        "scheduling gates count before the nodes",
                        cluster().node("n1", cordoned()).pod("web", unbound(), gated()),
                        Waiting.State.GATED,
                        "it has scheduling gates (spec.schedulingGates), so no scheduler looks at it before all are"
                                + " removed"),
                row(
                        "the scheduler makes room on a node that is full",
                        cluster().node("n1", cordoned()).pod("web", unbound(), nominatedTo("n1")),
                        Waiting.State.NOMINATED,
                        "scheduler default-scheduler makes room for it on node n1 (status.nominatedNodeName); now"
                                + " 1 node: 1 cordoned"),
                row(
                        "the scheduler made room on a node that is gone",
                        cluster().node("n1", cordoned()).pod("web", unbound(), nominatedTo("n9")),
                        Waiting.State.NOMINATED,
                        "scheduler default-scheduler makes room for it on node n9 (status.nominatedNodeName), which"
                                + " is not there; now 1 node: 1 cordoned"),
                row(
                        "a pod of another scheduler",
                        cluster().node("n1").pod("web", unbound(), scheduledBy("volcano")),
                        Waiting.State.OTHER_SCHEDULER,
                        "scheduler volcano places it, by rules of its own; by those of default-scheduler, 1 of 1"
                                + " node takes it: n1"),
                row(
                        "a pod that is too complex to be read",
                        cluster().node("n1").pod("web", unbound(), tooComplex("its spec has 300 tolerations")),
                        Waiting.State.UNREAD,
                        "its spec has 300 tolerations"));
    }

    @ParameterizedTest
    @MethodSource("reasons")
    void aPodHasNoNode(ClusterBuilder cluster, Waiting expected) {
        Simulation simulation = new Simulation(
                OperatorConfig.defaults().engineSettings(),
                new SimulationInput(cluster.facts(), List.of(), List.of()),
                Mode.AUDIT,
                Assumptions.defaults(),
                Instant.EPOCH);

        assertThat(simulation.whyWaiting(simulation.cluster().pods().stream()
                        .filter(Waiting::isTrueOf)
                        .findFirst()
                        .orElseThrow()))
                .isEqualTo(expected);
    }
}
