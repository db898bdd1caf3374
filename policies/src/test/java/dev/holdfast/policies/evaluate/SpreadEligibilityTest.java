package dev.holdfast.policies.evaluate;

import static dev.holdfast.policies.evaluate.Expected.satisfied;
import static dev.holdfast.policies.evaluate.Expected.violated;
import static dev.holdfast.policies.testing.Demands.app;
import static dev.holdfast.policies.testing.Demands.expression;
import static dev.holdfast.policies.testing.Demands.nodeTerm;
import static dev.holdfast.policies.testing.Facts.RACK;
import static dev.holdfast.policies.testing.Facts.ZONE;
import static dev.holdfast.policies.testing.Facts.cluster;
import static dev.holdfast.policies.testing.Facts.labels;
import static dev.holdfast.policies.testing.Facts.notReady;
import static dev.holdfast.policies.testing.NodeTraits.cordoned;
import static dev.holdfast.policies.testing.NodeTraits.rack;
import static dev.holdfast.policies.testing.NodeTraits.tainted;
import static dev.holdfast.policies.testing.NodeTraits.zone;
import static dev.holdfast.policies.testing.PodTraits.nodeAffinity;
import static dev.holdfast.policies.testing.PodTraits.nodeSelector;
import static dev.holdfast.policies.testing.PodTraits.on;
import static dev.holdfast.policies.testing.PodTraits.toleratingAny;
import static dev.holdfast.policies.testing.Rules.spreadRule;
import static dev.holdfast.policies.testing.Spreads.honoringTaints;
import static dev.holdfast.policies.testing.Spreads.ignoringNodeAffinity;
import static dev.holdfast.policies.testing.Spreads.maxSkew;
import static dev.holdfast.policies.testing.Spreads.minDomains;

import dev.holdfast.policies.model.LabelSelector;
import dev.holdfast.policies.model.TopologySpreadConstraint;
import dev.holdfast.policies.rule.Rule;
import dev.holdfast.policies.testing.ClusterBuilder;
import dev.holdfast.policies.testing.NodeTrait;
import dev.holdfast.policies.testing.PodTrait;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Which nodes form domains and have their pods counted. n1 and n4 are in zone a, n2 in zone b, n3 in zone c. Each row
 * adds other labels, taints and pods. The rule owner is web-1 on n1.
 */
class SpreadEligibilityTest {
    private static final LabelSelector WEB = app("web");
    private static final TopologySpreadConstraint BY_ZONE = maxSkew(1, ZONE, WEB);
    private static final NodeTrait TAINT = tainted("gpu", "", "NoSchedule");

    static Stream<Arguments> keys() {
        return Stream.of(
                        row(
                                "TS-4: a domain without the key of the other constraint is none: [2], 1 other + 1 - 1"
                                        + " = 1 holds",
                                cluster()
                                        .node("n1", zone("a"), rack("r1"))
                                        .node("n2", zone("b"))
                                        .pod("web-1", on("n1"), web())
                                        .pod("web-2", on("n1"), web()),
                                spreadRule(BY_ZONE, RACK),
                                satisfied()),
                        row(
                                "TS-4: alone the same constraint has both domains: [2,0], 1 other + 1 - 0 = 2 > 1",
                                cluster()
                                        .node("n1", zone("a"), rack("r1"))
                                        .node("n2", zone("b"))
                                        .pod("web-1", on("n1"), web())
                                        .pod("web-2", on("n1"), web()),
                                spreadRule(BY_ZONE),
                                skew("a", 1, new LeastCount.OfDomain("b", 0))),
                        row(
                                "TS-4: a pod on a node without the key of the other constraint is not counted: [1,0],"
                                        + " 0 + 1 - 0 = 1 holds",
                                cluster()
                                        .node("n1", zone("a"), rack("r1"))
                                        .node("n2", zone("b"), rack("r1"))
                                        .node("n4", zone("a"))
                                        .pod("web-1", on("n1"), web())
                                        .pod("web-2", on("n4"), web()),
                                spreadRule(BY_ZONE, RACK),
                                satisfied()),
                        row(
                                "TS-14: by zone: [2,0], 1 other + 1 - 0 = 2 > 1, whatever the racks say",
                                racks(),
                                spreadRule(BY_ZONE, RACK),
                                skew("a", 1, new LeastCount.OfDomain("b", 0))),
                        row(
                                "TS-14: by rack: [1,1], 0 others + 1 - 0 = 1 holds, whatever the zones say",
                                racks(),
                                spreadRule(maxSkew(1, RACK, WEB), ZONE),
                                satisfied()))
                .map(VerdictRow::arguments);
    }

    static Stream<Arguments> nodeRules() {
        return Stream.of(
                        row(
                                "TS-5: nodes that the owner's nodeSelector excludes make no domain: [2,1], 1 other + 1"
                                        + " - 1 = 1 holds",
                                ssdInAB().pod("web-1", on("n1"), web(), nodeSelector("disk", "ssd")),
                                spreadRule(BY_ZONE),
                                satisfied()),
                        row(
                                "TS-5: with nodeAffinityPolicy Ignore they do: [2,1,0], 1 other + 1 - 0 = 2 > 1",
                                ssdInAB().pod("web-1", on("n1"), web(), nodeSelector("disk", "ssd")),
                                spreadRule(maxSkew(1, ZONE, WEB, ignoringNodeAffinity())),
                                skew(
                                        "a",
                                        1,
                                        new LeastCount.OfDomain(
                                                "c", 0, "node affinity (nodeAffinityPolicy is Ignore)"))),
                        row(
                                "TS-5: nodes that the owner's node affinity excludes make no domain: [2,1], 1 other +"
                                        + " 1 - 1 = 1 holds",
                                ssdInAB()
                                        .pod(
                                                "web-1",
                                                on("n1"),
                                                web(),
                                                nodeAffinity(nodeTerm(expression("disk", "In", "ssd")))),
                                spreadRule(BY_ZONE),
                                satisfied()),
                        row(
                                "TS-5: the nodeSelector leaves a and b, the affinity a and c: [2] is left, 1 other + 1"
                                        + " - 1 = 1 holds",
                                cluster()
                                        .node("n1", zone("a"), labels("disk", "ssd"))
                                        .node("n2", zone("b"), labels("disk", "ssd"))
                                        .node("n3", zone("c"), labels("disk", "hdd"))
                                        .pod(
                                                "web-1",
                                                on("n1"),
                                                web(),
                                                nodeSelector("disk", "ssd"),
                                                nodeAffinity(nodeTerm(expression(ZONE, "In", "a", "c"))))
                                        .pod("web-2", on("n1"), web()),
                                spreadRule(BY_ZONE),
                                satisfied()),
                        row(
                                "TS-5: affinity that cannot be read lets no node in: no domain, 0 + 1 - 0 = 1 holds",
                                ssdInAB()
                                        .pod(
                                                "web-1",
                                                on("n1"),
                                                web(),
                                                nodeAffinity(nodeTerm(expression("disk", "Near", "ssd")))),
                                spreadRule(BY_ZONE),
                                satisfied()),
                        row(
                                "TS-5: a node may count for one constraint: by zone with Honor [2,1], 1 other + 1 - 1"
                                        + " = 1 holds",
                                ssdInAB().pod("web-1", on("n1"), web(), nodeSelector("disk", "ssd")),
                                spreadRule(BY_ZONE, RACK),
                                satisfied()),
                        row(
                                "TS-5: and for the other constraint, or not: by rack with Ignore [2,1,0],"
                                        + " 1 other + 1 - 0 = 2 > 1",
                                ssdInAB().pod("web-1", on("n1"), web(), nodeSelector("disk", "ssd")),
                                spreadRule(maxSkew(1, RACK, WEB, ignoringNodeAffinity()), ZONE),
                                violated(new ViolationDetail.Skew(
                                        RACK,
                                        "r1",
                                        1,
                                        1,
                                        new LeastCount.OfDomain(
                                                "r3", 0, "node affinity (nodeAffinityPolicy is Ignore)"),
                                        1))),
                        row(
                                "D-10: a domain that is gone leaves minDomains 3 with least 0: [2,1], 1 other + 1 - 0"
                                        + " = 2 > 1",
                                ssdInAB().pod("web-1", on("n1"), web(), nodeSelector("disk", "ssd")),
                                spreadRule(maxSkew(1, ZONE, WEB, minDomains(3))),
                                skew("a", 1, new LeastCount.OfTooFewDomains(2, 3, "c (node affinity)", true))))
                .map(VerdictRow::arguments);
    }

    static Stream<Arguments> taints() {
        return Stream.of(
                        row(
                                "TS-8: minDomains 3 is not met, because a taint leaves out c: [2,1], 1 other + 1 - 0 ="
                                        + " 2 > 1",
                                taintedC(TAINT).pod("web-1", on("n1"), web()),
                                spreadRule(maxSkew(1, ZONE, WEB, minDomains(3), honoringTaints())),
                                skew("a", 1, new LeastCount.OfTooFewDomains(2, 3, "c (taint gpu:NoSchedule)", true))),
                        row(
                                "TS-5: taints are ignored by default: [2,1,0], 1 other + 1 - 0 = 2 > 1, and the taint"
                                        + " is named",
                                taintedC(TAINT).pod("web-1", on("n1"), web()),
                                spreadRule(BY_ZONE),
                                skew(
                                        "a",
                                        1,
                                        new LeastCount.OfDomain(
                                                "c", 0, "taint gpu:NoSchedule (nodeTaintsPolicy is Ignore)"))),
                        row(
                                "TS-5: a taint that the pod tolerates does not keep it off",
                                taintedC(TAINT).pod("web-1", on("n1"), web(), toleratingAny("gpu", "")),
                                spreadRule(BY_ZONE),
                                skew("a", 1, new LeastCount.OfDomain("c", 0))),
                        row(
                                "TS-5: a taint that only prefers other nodes does not keep the pod off",
                                taintedC(tainted("gpu", "", "PreferNoSchedule")).pod("web-1", on("n1"), web()),
                                spreadRule(BY_ZONE),
                                skew("a", 1, new LeastCount.OfDomain("c", 0))),
                        row(
                                "TS-5: a second node of the domain without a taint is enough",
                                taintedC(TAINT).node("n5", zone("c")).pod("web-1", on("n1"), web()),
                                spreadRule(BY_ZONE),
                                skew("a", 1, new LeastCount.OfDomain("c", 0))),
                        row(
                                "TS-5: two nodes of the domain with different taints have one more reason",
                                taintedC(TAINT)
                                        .node("n5", zone("c"), tainted("spot", "", "NoExecute"))
                                        .pod("web-1", on("n1"), web()),
                                spreadRule(BY_ZONE),
                                skew(
                                        "a",
                                        1,
                                        new LeastCount.OfDomain(
                                                "c",
                                                0,
                                                "taint gpu:NoSchedule (nodeTaintsPolicy is Ignore) and 1 more"
                                                        + " reason"))),
                        row(
                                "TS-5: a tainted node whose zone is the empty string makes a domain too",
                                cluster()
                                        .node("n1", zone("a"))
                                        .node("n2", zone(""), TAINT)
                                        .pod("web-1", on("n1"), web())
                                        .pod("web-2", on("n1"), web()),
                                spreadRule(BY_ZONE),
                                skew(
                                        "a",
                                        1,
                                        new LeastCount.OfDomain(
                                                "", 0, "taint gpu:NoSchedule (nodeTaintsPolicy is Ignore)"))),
                        row(
                                "TS-5: of two smallest domains, the one that the pod can use is named",
                                taintedC(TAINT).node("n6", zone("d")).pod("web-1", on("n1"), web()),
                                spreadRule(BY_ZONE),
                                skew("a", 1, new LeastCount.OfDomain("d", 0))),
                        row(
                                "TS-5: of two smallest domains with taints, the first is named",
                                taintedC(TAINT)
                                        .node("n6", zone("d"), tainted("spot", "", "NoExecute"))
                                        .pod("web-1", on("n1"), web()),
                                spreadRule(BY_ZONE),
                                skew(
                                        "a",
                                        1,
                                        new LeastCount.OfDomain(
                                                "c", 0, "taint gpu:NoSchedule (nodeTaintsPolicy is Ignore)"))),
                        honor(
                                "TS-5: with Honor a tainted node makes no domain: [2,1], 1 other + 1 - 1 = 1 holds",
                                TAINT,
                                satisfied()),
                        honor(
                                "TS-5: NoExecute keeps a node out as well: [2,1], 1 other + 1 - 1 = 1 holds",
                                tainted("gpu", "", "NoExecute"),
                                satisfied()),
                        honor(
                                "TS-5: PreferNoSchedule does not: [2,1,0], 1 other + 1 - 0 = 2 > 1",
                                tainted("gpu", "", "PreferNoSchedule"),
                                skew("a", 1, 0)),
                        honor(
                                "TS-5: a cordon is no taint: [2,1,0], 1 other + 1 - 0 = 2 > 1",
                                cordoned(),
                                skew("a", 1, 0)),
                        honor(
                                "W-6: a node that is not Ready makes a domain: [2,1,0], 1 other + 1 - 0 = 2 > 1",
                                notReady(),
                                skew("a", 1, 0)),
                        honor(
                                "TS-5: a taint that the owner tolerates excludes no node: [2,1,0], 1 other + 1 - 0 = 2"
                                        + " > 1",
                                TAINT,
                                skew("a", 1, 0),
                                toleratingAny("gpu", "")))
                .map(VerdictRow::arguments);
    }

    static Stream<Arguments> owners() {
        return Stream.of(
                        row(
                                "TS-6: a node that is not eligible is no failure: its zone has no count, 0 + 1 - 0 = 1"
                                        + " holds",
                                cluster()
                                        .node("n1", zone("a"), TAINT)
                                        .node("n2", zone("b"))
                                        .pod("web-1", on("n1"), web())
                                        .pod("web-2", on("n1"), web())
                                        .pod("web-3", on("n1"), web()),
                                spreadRule(maxSkew(1, ZONE, WEB, honoringTaints())),
                                satisfied()),
                        row(
                                "TS-6: its pods do not count, but its domain exists because of another node: 2 others"
                                        + " + 1 - 1 = 2 > 1",
                                cluster()
                                        .node("n1", zone("a"), TAINT)
                                        .node("n4", zone("a"))
                                        .node("n2", zone("b"))
                                        .pod("web-1", on("n1"), web())
                                        .pod("web-2", on("n1"), web())
                                        .pod("web-3", on("n4"), web())
                                        .pod("web-4", on("n4"), web())
                                        .pod("web-5", on("n2"), web()),
                                spreadRule(maxSkew(1, ZONE, WEB, honoringTaints())),
                                skew("a", 2, 1)),
                        row(
                                "TS-6: its own node rules broken, its zone exists because of another node: 1 other"
                                        + " + 1 - 1 = 1 holds",
                                cluster()
                                        .node("n1", zone("a"), labels("disk", "hdd"))
                                        .node("n4", zone("a"), labels("disk", "ssd"))
                                        .node("n2", zone("b"), labels("disk", "ssd"))
                                        .pod("web-1", on("n1"), web(), nodeSelector("disk", "ssd"))
                                        .pod("web-2", on("n4"), web())
                                        .pod("web-3", on("n2"), web()),
                                spreadRule(BY_ZONE),
                                satisfied()),
                        row(
                                "TS-6: its zone is no domain and counts 0, the least of the others is 1: 0 + 1 - 1 = 0"
                                        + " holds",
                                cluster()
                                        .node("n1", zone("a"), TAINT)
                                        .node("n2", zone("b"))
                                        .pod("web-1", on("n1"), web())
                                        .pod("web-2", on("n2"), web()),
                                spreadRule(maxSkew(1, ZONE, WEB, honoringTaints())),
                                satisfied()),
                        row(
                                "X-5: on a node that is not eligible the owner still adds 1: 2 others + 1 - 2 = 1"
                                        + " holds, maxSkew 1",
                                cluster()
                                        .node("n1", zone("a"), TAINT)
                                        .node("n4", zone("a"))
                                        .node("n2", zone("b"))
                                        .pod("web-1", on("n1"), web())
                                        .pod("web-2", on("n4"), web())
                                        .pod("web-3", on("n4"), web())
                                        .pod("web-4", on("n2"), web())
                                        .pod("web-5", on("n2"), web()),
                                spreadRule(maxSkew(1, ZONE, WEB, honoringTaints())),
                                satisfied()),
                        row(
                                "X-5: on a node that is not eligible the owner still adds 1: 1 other + 1 - 0 = 2 > 1",
                                cluster()
                                        .node("n1", zone("a"), TAINT)
                                        .node("n4", zone("a"))
                                        .node("n2", zone("b"))
                                        .pod("web-1", on("n1"), web())
                                        .pod("web-2", on("n4"), web()),
                                spreadRule(maxSkew(1, ZONE, WEB, honoringTaints())),
                                skew("a", 1, new LeastCount.OfDomain("b", 0))),
                        row(
                                "TS-8: no domain at all makes least 0: 0 + 1 - 0 = 1 holds",
                                cluster().node("n1", zone("a"), TAINT).pod("web-1", on("n1"), web()),
                                spreadRule(maxSkew(1, ZONE, WEB, honoringTaints())),
                                satisfied()))
                .map(VerdictRow::arguments);
    }

    @ParameterizedTest
    @MethodSource({"keys", "nodeRules", "taints", "owners"})
    void verdict(VerdictRow row) {
        row.check();
    }

    private static VerdictRow row(String name, ClusterBuilder cluster, Rule rule, Expected expected) {
        return new VerdictRow(name, cluster, "web-1", rule, expected);
    }

    private static VerdictRow honor(String name, NodeTrait ofC, Expected expected, PodTrait... ofOwner) {
        PodTrait[] traits =
                Stream.concat(Stream.of(on("n1"), web()), Stream.of(ofOwner)).toArray(PodTrait[]::new);
        return row(
                name,
                taintedC(ofC).pod("web-1", traits),
                spreadRule(maxSkew(1, ZONE, WEB, honoringTaints())),
                expected);
    }

    private static Expected skew(String zone, int others, int least) {
        return skew(zone, others, new LeastCount.OfDomain(least == 0 ? "c" : "b", least));
    }

    private static Expected skew(String zone, int others, LeastCount least) {
        return violated(new ViolationDetail.Skew(ZONE, zone, others, 1, least, 1));
    }

    private static PodTrait web() {
        return labels("app", "web");
    }

    /** {@return a cluster with an ssd in zones a and b but not c, with the pods web-2 in zone a and web-3 in zone b} */
    private static ClusterBuilder ssdInAB() {
        return cluster()
                .node("n1", zone("a"), rack("r1"), labels("disk", "ssd"))
                .node("n2", zone("b"), rack("r2"), labels("disk", "ssd"))
                .node("n3", zone("c"), rack("r3"), labels("disk", "hdd"))
                .pod("web-2", on("n1"), web())
                .pod("web-3", on("n2"), web());
    }

    private static ClusterBuilder taintedC(NodeTrait ofC) {
        return cluster()
                .node("n1", zone("a"))
                .node("n2", zone("b"))
                .node("n3", zone("c"), ofC)
                .pod("web-2", on("n1"), web())
                .pod("web-3", on("n2"), web());
    }

    /** {@return a cluster with web-1 and web-2 in zone a, each in another rack, and no pods in zone b} */
    private static ClusterBuilder racks() {
        return cluster()
                .node("n1", zone("a"), rack("r1"))
                .node("n4", zone("a"), rack("r2"))
                .node("n2", zone("b"), rack("r1"))
                .pod("web-1", on("n1"), web())
                .pod("web-2", on("n4"), web());
    }
}
