package dev.holdfast.policies.plan.check;

import static dev.holdfast.policies.plan.Due.NOW;
import static dev.holdfast.policies.plan.Due.candidate;
import static dev.holdfast.policies.plan.Due.moving;
import static dev.holdfast.policies.plan.Due.situation;
import static dev.holdfast.policies.testing.Facts.cluster;
import static dev.holdfast.policies.testing.Facts.labels;
import static dev.holdfast.policies.testing.NodeTraits.cordoned;
import static dev.holdfast.policies.testing.NodeTraits.leavingSince;
import static dev.holdfast.policies.testing.NodeTraits.lifecycle;
import static dev.holdfast.policies.testing.NodeTraits.tainted;
import static dev.holdfast.policies.testing.PodTraits.mirror;
import static dev.holdfast.policies.testing.PodTraits.nodeSelector;
import static dev.holdfast.policies.testing.PodTraits.on;
import static dev.holdfast.policies.testing.PodTraits.ownedBy;
import static dev.holdfast.policies.testing.PodTraits.phase;
import static dev.holdfast.policies.testing.PodTraits.replicaOf;
import static dev.holdfast.policies.testing.PodTraits.terminating;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.params.provider.Arguments.argumentSet;

import dev.holdfast.policies.evaluate.Reason;
import dev.holdfast.policies.model.NodeLifecycle;
import dev.holdfast.policies.model.Phase;
import dev.holdfast.policies.model.ReferenceCluster;
import dev.holdfast.policies.plan.ShuffledPlanner;
import dev.holdfast.policies.plan.move.Hold;
import dev.holdfast.policies.plan.move.Move;
import dev.holdfast.policies.plan.move.Moves;
import dev.holdfast.policies.testing.ClusterBuilder;
import dev.holdfast.policies.testing.NodeTrait;
import dev.holdfast.policies.testing.PodTrait;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

class LeavingNodeCheckTest {
    private static final PodTrait[] WEB = {on("n1"), nodeSelector("disk", "ssd"), replicaOf("web")};
    private static final PodTrait GOING = terminating(NOW.minusSeconds(10));

    /** {@return a cluster with a pod on node n1, which lost its label, and node n2} */
    private static ClusterBuilder webOn(NodeTrait... n1) {
        List<NodeTrait> all = new ArrayList<>(List.of(labels("disk", "hdd")));
        all.addAll(List.of(n1));
        return cluster().node("n1", all.toArray(NodeTrait[]::new)).node("n2").pod("web", WEB);
    }

    static Stream<Arguments> rows() {
        return Stream.of(
                free("nothing is going on", webOn()),
                held("deletion requested now", webOn(leavingSince(NOW)), "node n1 is being deleted"),
                held(
                        "deletion requested a day ago",
                        webOn(leavingSince(NOW.minusSeconds(86_400))),
                        "node n1 is being deleted"),
                held(
                        "to be deleted by the cluster autoscaler",
                        webOn(tainted("ToBeDeletedByClusterAutoscaler", "1763640000", "NoSchedule")),
                        byTaint("ToBeDeletedByClusterAutoscaler")),
                held(
                        "to be removed by Karpenter",
                        webOn(tainted("karpenter.sh/disrupted", "", "NoSchedule")),
                        byTaint("karpenter.sh/disrupted")),
                held(
                        "to be removed by an older Karpenter",
                        webOn(tainted("karpenter.sh/disruption", "disrupting", "NoSchedule")),
                        byTaint("karpenter.sh/disruption")),
                held(
                        "out of service",
                        webOn(tainted("node.kubernetes.io/out-of-service", "nodeshutdown", "NoExecute")),
                        byTaint("node.kubernetes.io/out-of-service")),
                held(
                        "two taints: the hold names the first by name",
                        webOn(
                                tainted("karpenter.sh/disruption", "", "NoSchedule"),
                                tainted("karpenter.sh/disrupted", "", "NoSchedule")),
                        byTaint("karpenter.sh/disrupted")),
                free(
                        "a candidate of the cluster autoscaler",
                        webOn(tainted("DeletionCandidateOfClusterAutoscaler", "1763640000", "PreferNoSchedule"))),
                free("a candidate of Karpenter", webOn(tainted("karpenter.sh/candidate", "", "PreferNoSchedule"))),
                free("some other taint", webOn(tainted("gpu", "", "NoSchedule"))),
                heldBy(NodeLifecycle.Condition.GRACEFUL_NODE_SHUTDOWN_IN_PROGRESS, "GracefulNodeShutdownInProgress"),
                heldBy(NodeLifecycle.Condition.DRAIN_IN_PROGRESS, "DrainInProgress"),
                heldBy(NodeLifecycle.Condition.DRAINED, "Drained"),
                heldBy(NodeLifecycle.Condition.MAINTENANCE_IN_PROGRESS, "MaintenanceInProgress"),
                held(
                        "a condition and a taint: the hold names the taint",
                        webOn(
                                lifecycle(NodeLifecycle.Condition.DRAINED),
                                tainted("karpenter.sh/disrupted", "", "NoSchedule")),
                        byTaint("karpenter.sh/disrupted")),
                free("maintenance is planned", webOn(lifecycle(NodeLifecycle.Condition.MAINTENANCE_PLANNED))),
                free("a condition of unknown status", webOn(lifecycle(NodeLifecycle.Condition.UNKNOWN))),
                free("another node is leaving", webOn().node("n2", leavingSince(NOW))),
                free("cordoned, and nothing more", webOn(cordoned())),
                argumentSet(
                        "cordoned, and a pod is being deleted from it",
                        webOn(cordoned()).pod("api", on("n1"), GOING),
                        Optional.of(Hold.until(
                                Reason.NODE_LEAVING,
                                "node n1 is being drained: it is cordoned, and pod shop/api is being deleted from it",
                                NOW.plusSeconds(290)))),
                argumentSet(
                        "cordoned, and two pods are being deleted from it: the later counts",
                        webOn(cordoned())
                                .pod("api", on("n1"), GOING)
                                .pod("db", on("n1"), terminating(NOW.plusSeconds(30))),
                        Optional.of(Hold.until(
                                Reason.NODE_LEAVING,
                                "node n1 is being drained: it is cordoned, and pod shop/db is being deleted from it",
                                NOW.plusSeconds(330)))),
                argumentSet(
                        "cordoned, and a pod should have been gone 299 s ago",
                        webOn(cordoned()).pod("api", on("n1"), terminating(NOW.minusSeconds(299))),
                        Optional.of(Hold.until(
                                Reason.NODE_LEAVING,
                                "node n1 is being drained: it is cordoned, and pod shop/api is being deleted from it",
                                NOW.plusSeconds(1)))),
                free(
                        "cordoned, and a pod should have been gone 300 s ago",
                        webOn(cordoned()).pod("api", on("n1"), terminating(NOW.minusSeconds(300)))),
                free("a pod is being deleted from it, but it is not cordoned", webOn().pod("api", on("n1"), GOING)),
                free(
                        "cordoned, and a pod is being deleted from another node",
                        webOn(cordoned()).pod("api", on("n2"), GOING)),
                free(
                        "cordoned, and a daemon is being deleted from it",
                        webOn(cordoned()).pod("agent", on("n1"), ownedBy("DaemonSet", "agent", "ds"), GOING)),
                free(
                        "cordoned, and a mirror pod is being deleted",
                        webOn(cordoned()).pod("static", on("n1"), mirror(), GOING)),
                free(
                        "cordoned, and a pod that failed is being deleted",
                        webOn(cordoned()).pod("job", on("n1"), phase(Phase.FAILED), GOING)));
    }

    private static Arguments heldBy(NodeLifecycle.Condition condition, String type) {
        return held(
                "the condition " + type,
                webOn(lifecycle(condition)),
                "node n1 is being shut down, drained or in maintenance: its condition " + type + " is True");
    }

    private static String byTaint(String taint) {
        return "node n1 is going to be removed: it has the taint " + taint;
    }

    private static Arguments held(String name, ClusterBuilder facts, String message) {
        return argumentSet(name, facts, Optional.of(Hold.untilChange(Reason.NODE_LEAVING, message)));
    }

    private static Arguments free(String name, ClusterBuilder facts) {
        return argumentSet(name, facts, Optional.empty());
    }

    @ParameterizedTest
    @MethodSource("rows")
    void aPodIsLeftToThoseWhoTakeItsNodeAway(ClusterBuilder facts, Optional<Hold> expected) {
        ReferenceCluster referenceCluster = facts.build();

        Optional<Hold> hold = ShuffledPlanner.hold(
                new LeavingNodeCheck(), candidate(referenceCluster, "web"), situation(referenceCluster, new Moves()));

        assertThat(hold).isEqualTo(expected);
    }

    static Stream<Arguments> moves() {
        ReferenceCluster before = webOn(cordoned()).pod("web-2", WEB).build();
        Moves inFlight = new Moves();
        Move move = moving(candidate(before, "web-2"), "m", new Move.Stage.Evicted(NOW, Set.of()));
        inFlight.put(move);
        Moves over = new Moves();
        over.spend(move, NOW.minusSeconds(60));
        return Stream.of(
                argumentSet("its replacement is awaited", inFlight),
                argumentSet("its replacement is Ready, and its grace period is not over", over),
                argumentSet("the same, while a plan is made", over.copy()));
    }

    @ParameterizedTest
    @MethodSource("moves")
    void aPodThatWeEvictOurselvesFromACordonedNodeIsNoSignOfADrain(Moves moves) {
        ReferenceCluster referenceCluster =
                webOn(cordoned()).pod("web-2", WEB).pod("web-2", goingWeb()).build();

        Optional<Hold> hold = ShuffledPlanner.hold(
                new LeavingNodeCheck(), candidate(referenceCluster, "web"), situation(referenceCluster, moves));

        assertThat(hold).isEmpty();
    }

    private static PodTrait[] goingWeb() {
        List<PodTrait> all = new ArrayList<>(List.of(WEB));
        all.add(GOING);
        return all.toArray(PodTrait[]::new);
    }
}
