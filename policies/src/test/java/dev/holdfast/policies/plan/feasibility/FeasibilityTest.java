package dev.holdfast.policies.plan.feasibility;

import static dev.holdfast.policies.plan.Due.NOW;
import static dev.holdfast.policies.plan.Due.candidate;
import static dev.holdfast.policies.plan.Due.situation;
import static dev.holdfast.policies.testing.Demands.app;
import static dev.holdfast.policies.testing.Demands.term;
import static dev.holdfast.policies.testing.Facts.HOSTNAME;
import static dev.holdfast.policies.testing.Facts.ZONE;
import static dev.holdfast.policies.testing.Facts.cluster;
import static dev.holdfast.policies.testing.Facts.labels;
import static dev.holdfast.policies.testing.Facts.notReady;
import static dev.holdfast.policies.testing.NodeTraits.cordoned;
import static dev.holdfast.policies.testing.NodeTraits.createdAt;
import static dev.holdfast.policies.testing.NodeTraits.leavingSince;
import static dev.holdfast.policies.testing.NodeTraits.lifecycle;
import static dev.holdfast.policies.testing.NodeTraits.readyChanged;
import static dev.holdfast.policies.testing.NodeTraits.tainted;
import static dev.holdfast.policies.testing.NodeTraits.zone;
import static dev.holdfast.policies.testing.PodTraits.near;
import static dev.holdfast.policies.testing.PodTraits.nodeSelector;
import static dev.holdfast.policies.testing.PodTraits.on;
import static dev.holdfast.policies.testing.PodTraits.ownedBy;
import static dev.holdfast.policies.testing.PodTraits.spread;
import static dev.holdfast.policies.testing.PodTraits.terminating;
import static dev.holdfast.policies.testing.Spreads.maxSkew;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.params.provider.Arguments.argumentSet;

import dev.holdfast.policies.model.NodeLifecycle;
import dev.holdfast.policies.model.ReferenceCluster;
import dev.holdfast.policies.plan.Due;
import dev.holdfast.policies.plan.Plan;
import dev.holdfast.policies.plan.ShuffledPlanner;
import dev.holdfast.policies.plan.input.Candidate;
import dev.holdfast.policies.plan.move.Moves;
import dev.holdfast.policies.testing.ClusterBuilder;
import dev.holdfast.policies.testing.NodeTrait;
import dev.holdfast.policies.testing.PodTrait;
import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Tests whether node n2 would take a pod whose broken rule would hold there. */
class FeasibilityTest {
    static Stream<Arguments> settling() {
        Duration minute = Duration.ofMinutes(1);
        return Stream.of(
                row("Ready for 60 s, settle time 60 s", readyChanged(NOW.minusSeconds(60)), minute, ""),
                row(
                        "Ready for 59 s, settle time 60 s",
                        readyChanged(NOW.minusSeconds(59)),
                        minute,
                        "not Ready for long enough"),
                row("Ready since now, settle time 0", readyChanged(NOW), Duration.ZERO, ""),
                row("Ready without a transition time, created 60 s ago", createdAt(NOW.minusSeconds(60)), minute, ""),
                row(
                        "Ready without a transition time, created 59 s ago",
                        createdAt(NOW.minusSeconds(59)),
                        minute,
                        "not Ready for long enough"),
                row("not Ready since now", notReady(), minute, "not Ready"),
                row("about to be removed", leavingSince(NOW), minute, "about to be removed"),
                closed(
                        NodeLifecycle.Condition.GRACEFUL_NODE_SHUTDOWN_IN_PROGRESS,
                        "being shut down, drained or in maintenance"),
                closed(NodeLifecycle.Condition.DRAIN_IN_PROGRESS, "being shut down, drained or in maintenance"),
                closed(NodeLifecycle.Condition.DRAINED, "being shut down, drained or in maintenance"),
                closed(NodeLifecycle.Condition.MAINTENANCE_IN_PROGRESS, "being shut down, drained or in maintenance"),
                closed(NodeLifecycle.Condition.MAINTENANCE_PLANNED, "with maintenance planned"),
                closed(NodeLifecycle.Condition.UNKNOWN, "with a life-cycle condition of unknown status"));
    }

    private static Arguments closed(NodeLifecycle.Condition condition, String objection) {
        return row("the life-cycle condition " + condition.type(), lifecycle(condition), Duration.ZERO, objection);
    }

    private static Arguments row(String name, NodeTrait trait, Duration settleTime, String objection) {
        return argumentSet(name, trait, settleTime, objection);
    }

    @ParameterizedTest
    @MethodSource("settling")
    void aPlaceIsOpenAndHasBeenReadyForTheSettleTime(NodeTrait trait, Duration settleTime, String objection) {
        ReferenceCluster referenceCluster = cluster()
                .node("n1", labels("disk", "hdd"))
                .node("n2", labels("disk", "ssd"), trait)
                .pod("web", on("n1"), nodeSelector("disk", "ssd"), ownedBy("ReplicaSet", "web", "rs"))
                .build();
        Candidate web = Due.settling(candidate(referenceCluster, "web"), settleTime);

        Plan plan = new ShuffledPlanner(1, 1).plan(List.of(web), situation(referenceCluster, new Moves()));

        assertThat(plan.chosen()).hasSize(objection.isEmpty() ? 1 : 0);
        assertThat(plan.held())
                .extracting(held -> held.hold().message())
                .containsExactlyElementsOf(
                        objection.isEmpty()
                                ? List.of()
                                : List.of("no other node would take the pod now: of 1 other node: 1 " + objection));
    }

    /**
     * Pods by zone are [3,1], so one must move from a to b. By host they are [1,1,1,1], and a move would make them
     * [0,1,1,2]. So no pod can move.
     */
    @Test
    void aZoneAndAHostnameSpreadThatCannotBothHoldAreSeen() {
        ClusterBuilder facts = cluster();
        for (String node : List.of("a1", "a2", "a3", "b1")) {
            facts.node(node, labels(ZONE, node.substring(0, 1), HOSTNAME, node))
                    .pod(
                            "web-" + node,
                            on(node),
                            labels("app", "web"),
                            spread(maxSkew(1, ZONE, app("web")), maxSkew(1, HOSTNAME, app("web"))),
                            ownedBy("ReplicaSet", "web", "rs"));
        }
        ReferenceCluster referenceCluster = facts.build();
        List<Candidate> candidates = Stream.of("web-a1", "web-a2", "web-a3")
                .map(pod -> candidate(referenceCluster, pod))
                .toList();

        Plan plan = new ShuffledPlanner(3, 9_000).plan(candidates, situation(referenceCluster, new Moves()));

        assertThat(plan.chosen()).isEmpty();
        assertThat(plan.held())
                .hasSize(3)
                .allMatch(held -> held.hold().message().endsWith("of 3 other nodes: 3 against its rules"));
    }

    static Stream<Arguments> partners() {
        String leaving = "1 near partners that are about to leave";
        return Stream.of(
                satisfiedBy("a partner that stays", node(), on("c1"), ""),
                satisfiedBy("a partner that is terminating", node(), terminating(), leaving),
                satisfiedBy("a partner on a cordoned node", cordoned(), on("c1"), leaving),
                satisfiedBy("a partner on a node that is not Ready", notReady(), on("c1"), leaving),
                satisfiedBy("a partner on a node that is about to be removed", leavingSince(NOW), on("c1"), leaving),
                satisfiedBy(
                        "a partner on a node with planned maintenance",
                        lifecycle(NodeLifecycle.Condition.MAINTENANCE_PLANNED),
                        on("c1"),
                        leaving));
    }

    private static NodeTrait node() {
        return labels("pool", "general");
    }

    private static Arguments satisfiedBy(String name, NodeTrait node, PodTrait partner, String objection) {
        return argumentSet(name, node, partner, objection);
    }

    /** The only partner of the affinity is on c1. Zone b has c1 and n2, and only n2 takes the pod. */
    @ParameterizedTest
    @MethodSource("partners")
    void onlyPartnersThatStaySatisfyAnAffinity(NodeTrait node, PodTrait partner, String objection) {
        ReferenceCluster referenceCluster = cluster()
                .node("c1", zone("b"), tainted("only", "cache", "NoSchedule"), node)
                .node("n1", zone("a"))
                .node("n2", zone("b"))
                .pod("cache", on("c1"), labels("app", "cache"), partner)
                .pod("web", on("n1"), near(term(app("cache"), ZONE)), ownedBy("ReplicaSet", "web", "rs"))
                .build();

        Plan plan = new ShuffledPlanner(1, 9_000)
                .plan(List.of(candidate(referenceCluster, "web")), situation(referenceCluster, new Moves()));

        assertThat(plan.chosen()).hasSize(objection.isEmpty() ? 1 : 0);
        assertThat(plan.held())
                .allMatch(held -> held.hold().message().contains(objection))
                .hasSize(objection.isEmpty() ? 0 : 1);
    }
}
