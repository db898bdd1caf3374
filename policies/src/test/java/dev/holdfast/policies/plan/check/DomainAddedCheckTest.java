package dev.holdfast.policies.plan.check;

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
import static dev.holdfast.policies.testing.NodeTraits.hostname;
import static dev.holdfast.policies.testing.NodeTraits.leavingSince;
import static dev.holdfast.policies.testing.NodeTraits.lifecycle;
import static dev.holdfast.policies.testing.NodeTraits.readyChanged;
import static dev.holdfast.policies.testing.NodeTraits.tainted;
import static dev.holdfast.policies.testing.NodeTraits.zone;
import static dev.holdfast.policies.testing.PodTraits.apartFrom;
import static dev.holdfast.policies.testing.PodTraits.bound;
import static dev.holdfast.policies.testing.PodTraits.nodeSelector;
import static dev.holdfast.policies.testing.PodTraits.on;
import static dev.holdfast.policies.testing.PodTraits.replicaOf;
import static dev.holdfast.policies.testing.PodTraits.spread;
import static dev.holdfast.policies.testing.Spreads.honoringTaints;
import static dev.holdfast.policies.testing.Spreads.ignoringNodeAffinity;
import static dev.holdfast.policies.testing.Spreads.maxSkew;
import static dev.holdfast.policies.testing.Spreads.minDomains;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.params.provider.Arguments.argumentSet;

import dev.holdfast.policies.evaluate.Reason;
import dev.holdfast.policies.model.NodeLifecycle;
import dev.holdfast.policies.model.ReferenceCluster;
import dev.holdfast.policies.plan.Due;
import dev.holdfast.policies.plan.ShuffledPlanner;
import dev.holdfast.policies.plan.input.Candidate;
import dev.holdfast.policies.plan.move.Hold;
import dev.holdfast.policies.plan.move.Moves;
import dev.holdfast.policies.testing.ClusterBuilder;
import dev.holdfast.policies.testing.NodeTrait;
import dev.holdfast.policies.testing.PodTrait;
import dev.holdfast.policies.testing.SpreadTrait;
import java.time.Instant;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

class DomainAddedCheckTest {
    private static final Instant BOUND = NOW.minusSeconds(86_400);
    private static final NodeTrait YOUNG = createdAt(BOUND.plusSeconds(1));
    private static final String WITH_ONE = " with 1 of 1 nodes that this rule counts";
    private static final String YOUNG_C =
            "topology.kubernetes.io/zone=c, usable since " + BOUND.plusSeconds(1) + WITH_ONE;
    private static final String NOBODYS_C =
            "topology.kubernetes.io/zone=c, unusable now: 0 of 1 nodes that this rule counts are Ready, schedulable"
                    + " and not about to be removed";

    /**
     * {@return a cluster with pods that must be spread over zones}
     *
     * @param pods the number of pods in each zone
     */
    private static ClusterBuilder counts(int... pods) {
        return counts(spread(maxSkew(1, ZONE, app("web"))), pods);
    }

    private static ClusterBuilder counts(PodTrait demand, int... pods) {
        ClusterBuilder facts = cluster().node("a1", zone("a")).node("b1", zone("b"));
        int name = 1;
        for (int zone = 0; zone < pods.length; zone++) {
            for (int i = 0; i < pods[zone]; i++) {
                facts.pod("web-" + name++, on((char) ('a' + zone) + "1"), replicaOf("web"), bound(BOUND), demand);
            }
        }
        return facts;
    }

    private static final NodeTrait GENERAL = labels("pool", "general");
    private static final NodeTrait GPU = labels("pool", "gpu");

    /** {@return a cluster with two pods in each of two zones, which use only the nodes of the pool general} */
    private static ClusterBuilder pools(PodTrait demand) {
        ClusterBuilder facts = cluster().node("a1", zone("a"), GENERAL).node("b1", zone("b"), GENERAL);
        for (int i = 1; i <= 4; i++) {
            facts.pod(
                    "web-" + i,
                    on(i <= 2 ? "a1" : "b1"),
                    replicaOf("web"),
                    bound(BOUND),
                    nodeSelector("pool", "general"),
                    demand);
        }
        return facts;
    }

    static Stream<Arguments> rows() {
        return Stream.of(
                free("[3,1]: both zones were there before", counts(3, 1)),
                held(
                        "[2,2] and a zone that came after the pod: 2 - 0 > 1",
                        counts(2, 2).node("c1", zone("c"), YOUNG),
                        YOUNG_C),
                free(
                        "[2,2] and a zone that was there when the pod was bound",
                        counts(2, 2).node("c1", zone("c"), createdAt(BOUND.minusSeconds(1)))),
                held(
                        "[2,2] and a zone of the second in which the pod was bound: the zone may have come later",
                        counts(2, 2).node("c1", zone("c"), createdAt(BOUND)),
                        "topology.kubernetes.io/zone=c, usable since " + BOUND + WITH_ONE),
                held(
                        "[2,2] and a zone whose only node has been Ready since after the pod was bound",
                        counts(2, 2).node("c1", zone("c"), readyChanged(BOUND.plusSeconds(1))),
                        YOUNG_C),
                free(
                        "[2,2] and a zone with a younger node beside an older one",
                        counts(2, 2).node("c1", zone("c"), YOUNG).node("c2", zone("c"))),
                free(
                        "[4,1] and a zone that came after the pod: 4 - 1 > 1 without it too",
                        counts(4, 1).node("c1", zone("c"), YOUNG)),
                held("[2,2] and a zone that is not Ready", counts(2, 2).node("c1", zone("c"), notReady()), NOBODYS_C),
                held("[2,2] and a zone that is cordoned", counts(2, 2).node("c1", zone("c"), cordoned()), NOBODYS_C),
                held(
                        "[2,2] and a zone that is being deleted",
                        counts(2, 2).node("c1", zone("c"), leavingSince(NOW)),
                        NOBODYS_C),
                held(
                        "[2,2] and a zone that is drained",
                        counts(2, 2).node("c1", zone("c"), lifecycle(NodeLifecycle.Condition.DRAINED)),
                        NOBODYS_C),
                free(
                        "[2,2] and a zone whose maintenance is planned, which the scheduler still uses",
                        counts(2, 2).node("c1", zone("c"), lifecycle(NodeLifecycle.Condition.MAINTENANCE_PLANNED))),
                held(
                        "[2,2] and a zone that an autoscaler takes away",
                        counts(2, 2).node("c1", zone("c"), tainted("karpenter.sh/disrupted", "", "NoSchedule")),
                        NOBODYS_C),
                free(
                        "[2,2] and a zone with a cordoned node beside one that is not",
                        counts(2, 2).node("c1", zone("c"), cordoned()).node("c2", zone("c"))),
                held(
                        "[2,2] and two zones: the one without a node first, then the one that came",
                        counts(2, 2).node("c1", zone("c"), notReady()).node("d1", zone("d"), YOUNG),
                        NOBODYS_C + ", topology.kubernetes.io/zone=d, usable since " + BOUND.plusSeconds(1) + WITH_ONE),
                free(
                        "[2,2], a zone that came and one that was there before: 2 - 0 > 1 without the new one too",
                        counts(2, 2).node("c1", zone("c"), YOUNG).node("d1", zone("d"))),
                held(
                        "[2,2] and five zones that came: three are named, the youngest first",
                        counts(2, 2)
                                .node("c1", zone("c"), YOUNG)
                                .node("d1", zone("d"), createdAt(BOUND.plusSeconds(2)))
                                .node("e1", zone("e"), createdAt(BOUND.plusSeconds(3)))
                                .node("f1", zone("f"), createdAt(BOUND.plusSeconds(4)))
                                .node("g1", zone("g"), createdAt(BOUND.plusSeconds(5))),
                        "topology.kubernetes.io/zone=g, usable since " + BOUND.plusSeconds(5) + WITH_ONE
                                + ", topology.kubernetes.io/zone=f, usable since " + BOUND.plusSeconds(4) + WITH_ONE
                                + ", topology.kubernetes.io/zone=e, usable since " + BOUND.plusSeconds(3) + WITH_ONE
                                + " and 2 more"),
                held(
                        "[2,2,2] and one more that came, of which only the emptier is named",
                        counts(2, 2, 2).node("c1", zone("c"), YOUNG).node("d1", zone("d"), YOUNG),
                        "topology.kubernetes.io/zone=d, usable since " + BOUND.plusSeconds(1) + WITH_ONE),
                free(
                        "the pod's own zone counts even if it is newer than the pod: [3,1]",
                        cluster()
                                .node("a1", zone("a"), YOUNG)
                                .node("b1", zone("b"))
                                .pod("web-1", on("a1"), replicaOf("web"), bound(BOUND), evenly())
                                .pod("web-2", on("a1"), replicaOf("web"), evenly())
                                .pod("web-3", on("a1"), replicaOf("web"), evenly())
                                .pod("web-4", on("b1"), replicaOf("web"), evenly())),
                free(
                        "minDomains 3 was violated before the third zone was added: 2 - 0 > 1 with two zones too",
                        counts(evenly(minDomains(3)), 2, 2).node("c1", zone("c"), YOUNG)),
                held(
                        "minDomains 2 was satisfied before",
                        counts(evenly(minDomains(2)), 2, 2).node("c1", zone("c"), YOUNG),
                        YOUNG_C),
                free(
                        "the pod's own node has lost the label, which no new domain causes",
                        cluster()
                                .node("n1")
                                .node("c1", zone("c"), YOUNG)
                                .pod("web-1", on("n1"), replicaOf("web"), bound(BOUND), evenly())),
                held(
                        "two pods on one node, and a new node",
                        cluster()
                                .node("n1", hostname("n1"))
                                .node("n2", hostname("n2"), YOUNG)
                                .pod("web-1", on("n1"), replicaOf("web"), bound(BOUND), perNode())
                                .pod("web-2", on("n1"), replicaOf("web"), bound(BOUND), perNode()),
                        "kubernetes.io/hostname=n2, usable since " + BOUND.plusSeconds(1) + WITH_ONE),
                held(
                        "a zone that only another pool had used, and the first node of the pod's own pool",
                        pools(evenly()).node("c1", zone("c"), GPU).node("c2", zone("c"), GENERAL, YOUNG),
                        YOUNG_C),
                held(
                        "a zone with an old node of another pool, where two of the pool's three nodes are usable",
                        pools(evenly())
                                .node("c1", zone("c"), GPU)
                                .node("c2", zone("c"), GENERAL, YOUNG)
                                .node("c3", zone("c"), GENERAL, createdAt(NOW))
                                .node("c4", zone("c"), GENERAL, notReady()),
                        "topology.kubernetes.io/zone=c, usable since " + BOUND.plusSeconds(1)
                                + " with 2 of 3 nodes that this rule counts"),
                held(
                        "a zone with an old node of another pool, and one of the pod's own that is not Ready",
                        pools(evenly()).node("c1", zone("c"), GPU).node("c2", zone("c"), GENERAL, notReady()),
                        NOBODYS_C),
                free(
                        "a zone that had a node of the pod's own pool before, and gets another",
                        pools(evenly()).node("c1", zone("c"), GENERAL).node("c2", zone("c"), GENERAL, YOUNG)),
                free(
                        "nodeAffinityPolicy Ignore: a zone that another pool had used is not new",
                        pools(evenly(ignoringNodeAffinity()))
                                .node("c1", zone("c"), GPU)
                                .node("c2", zone("c"), GENERAL, YOUNG)),
                held(
                        "nodeTaintsPolicy Honor: a zone whose old node repels the pod, and one that does not",
                        counts(evenly(honoringTaints()), 2, 2)
                                .node("c1", zone("c"), tainted("dedicated", "gpu", "NoSchedule"))
                                .node("c2", zone("c"), YOUNG),
                        YOUNG_C),
                free(
                        "nodeTaintsPolicy Ignore: a zone whose old node repels the pod is not new",
                        counts(2, 2)
                                .node("c1", zone("c"), tainted("dedicated", "gpu", "NoSchedule"))
                                .node("c2", zone("c"), YOUNG)),
                free(
                        "anti-affinity is not affected",
                        counts(apartFrom(term(app("web"), ZONE)), 2).node("c1", zone("c"), YOUNG)),
                free(
                        "node affinity is not affected",
                        counts(nodeSelector("disk", "ssd"), 1).node("c1", zone("c"), labels("disk", "ssd"), YOUNG)));
    }

    static Stream<Arguments> lasting() {
        return Stream.of(
                rebalancing(
                        "a zone that has been usable for 3,599 s",
                        counts(2, 2).node("c1", zone("c"), createdAt(NOW.minusSeconds(3_599))),
                        Optional.of(lastingNot(
                                "c, usable since " + NOW.minusSeconds(3_599) + WITH_ONE,
                                Optional.of(NOW.plusSeconds(1))))),
                rebalancing(
                        "a zone that has been usable for 3,600 s",
                        counts(2, 2).node("c1", zone("c"), createdAt(NOW.minusSeconds(3_600))),
                        Optional.empty()),
                rebalancing(
                        "a zone that another pool has used for long, and the pod's own pool for 3,599 s",
                        pools(evenly())
                                .node("c1", zone("c"), GPU)
                                .node("c2", zone("c"), GENERAL, createdAt(NOW.minusSeconds(3_599))),
                        Optional.of(lastingNot(
                                "c, usable since " + NOW.minusSeconds(3_599) + WITH_ONE,
                                Optional.of(NOW.plusSeconds(1))))),
                rebalancing(
                        "a zone that the pod's own pool has used for 3,600 s",
                        pools(evenly())
                                .node("c1", zone("c"), GPU)
                                .node("c2", zone("c"), GENERAL, createdAt(NOW.minusSeconds(3_600))),
                        Optional.empty()),
                rebalancing(
                        "a zone that is not usable",
                        counts(2, 2).node("c1", zone("c"), cordoned()),
                        Optional.of(lastingNot(
                                "c, unusable now: 0 of 1 nodes that this rule counts are Ready, schedulable and not"
                                        + " about to be removed",
                                Optional.empty()))),
                rebalancing(
                        "a zone that is younger than an hour and older than the pod's binding",
                        cluster()
                                .node("a1", zone("a"))
                                .node("b1", zone("b"), createdAt(NOW.minusSeconds(20)))
                                .pod("web-1", on("a1"), replicaOf("web"), bound(NOW.minusSeconds(10)), evenly())
                                .pod("web-2", on("a1"), replicaOf("web"), evenly()),
                        Optional.empty()));
    }

    private static Arguments rebalancing(String name, ClusterBuilder facts, Optional<Hold> expected) {
        return argumentSet(name, facts, expected);
    }

    private static Hold lastingNot(String zone, Optional<Instant> nextLook) {
        return new Hold(
                Reason.DOMAIN_ADDED,
                "the rule is broken only by domains that were unusable at some time in the last 60 minutes:"
                        + " topology.kubernetes.io/zone="
                        + zone,
                nextLook);
    }

    @ParameterizedTest
    @MethodSource("lasting")
    void whereThePolicyRebalancesNewerDomainsBreakASpreadWhenTheyHaveLasted(
            ClusterBuilder facts, Optional<Hold> expected) {
        ReferenceCluster referenceCluster = facts.build();
        Candidate rebalanced = Due.rebalancing(candidate(referenceCluster, "web-1"));

        Optional<Hold> hold =
                ShuffledPlanner.hold(new DomainAddedCheck(), rebalanced, situation(referenceCluster, new Moves()));

        assertThat(hold).isEqualTo(expected);
    }

    private static PodTrait evenly(SpreadTrait... traits) {
        return spread(maxSkew(1, ZONE, app("web"), traits));
    }

    private static PodTrait perNode() {
        return spread(maxSkew(1, HOSTNAME, app("web")));
    }

    private static Arguments held(String name, ClusterBuilder facts, String named) {
        return argumentSet(
                name,
                facts,
                Optional.of(Hold.untilChange(
                        Reason.DOMAIN_ADDED,
                        "the rule is broken only by domains that were unusable at some time since the pod was bound: "
                                + named
                                + "; `whenDomainAdded: Rebalance` would move pods there")));
    }

    private static Arguments free(String name, ClusterBuilder facts) {
        return argumentSet(name, facts, Optional.empty());
    }

    @ParameterizedTest
    @MethodSource("rows")
    void aSpreadThatOnlyNewerDomainsBreakIsLeftAsItIs(ClusterBuilder facts, Optional<Hold> expected) {
        ReferenceCluster referenceCluster = facts.build();

        Optional<Hold> hold = ShuffledPlanner.hold(
                new DomainAddedCheck(), candidate(referenceCluster, "web-1"), situation(referenceCluster, new Moves()));

        assertThat(hold).isEqualTo(expected);
    }
}
