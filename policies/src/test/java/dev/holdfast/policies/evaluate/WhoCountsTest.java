package dev.holdfast.policies.evaluate;

import static dev.holdfast.policies.evaluate.Expected.satisfied;
import static dev.holdfast.policies.evaluate.Expected.sharing;
import static dev.holdfast.policies.evaluate.Expected.violated;
import static dev.holdfast.policies.testing.Demands.app;
import static dev.holdfast.policies.testing.Demands.matchLabels;
import static dev.holdfast.policies.testing.Demands.term;
import static dev.holdfast.policies.testing.Facts.ZONE;
import static dev.holdfast.policies.testing.Facts.cluster;
import static dev.holdfast.policies.testing.Facts.labels;
import static dev.holdfast.policies.testing.Facts.notReady;
import static dev.holdfast.policies.testing.NodeTraits.cordoned;
import static dev.holdfast.policies.testing.NodeTraits.rack;
import static dev.holdfast.policies.testing.NodeTraits.tainted;
import static dev.holdfast.policies.testing.NodeTraits.zone;
import static dev.holdfast.policies.testing.PodTraits.gangMember;
import static dev.holdfast.policies.testing.PodTraits.mirror;
import static dev.holdfast.policies.testing.PodTraits.on;
import static dev.holdfast.policies.testing.PodTraits.ownedBy;
import static dev.holdfast.policies.testing.PodTraits.phase;
import static dev.holdfast.policies.testing.PodTraits.priority;
import static dev.holdfast.policies.testing.PodTraits.terminating;
import static dev.holdfast.policies.testing.Rules.affinityRule;
import static dev.holdfast.policies.testing.Rules.antiAffinityRule;
import static dev.holdfast.policies.testing.Rules.spreadRule;
import static dev.holdfast.policies.testing.Spreads.maxSkew;

import dev.holdfast.policies.model.Phase;
import dev.holdfast.policies.rule.Rule;
import dev.holdfast.policies.testing.ClusterBuilder;
import dev.holdfast.policies.testing.PodTrait;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Which pods and nodes count for a rule. If the other pod in the rule owner's zone counts, affinity is satisfied,
 * anti-affinity is violated, and a spread of maxSkew 1 over [2,0] is violated.
 */
class WhoCountsTest {
    private static final Rule NEAR = affinityRule(term(app("other"), ZONE));
    private static final Rule APART = antiAffinityRule(term(app("other"), ZONE));
    private static final Rule SPREAD = spreadRule(maxSkew(1, ZONE, matchLabels("set", "both")));

    static Stream<Arguments> pods() {
        return Stream.of(
                        counts("W-2: a bound pod counts", on("n3")),
                        counts("W-2: a bound pod counts before its containers run", on("n3"), phase(Phase.PENDING)),
                        counts("W-2: a bound pod counts while its node is unreachable", on("n3"), phase(Phase.UNKNOWN)),
                        counts("W-5: a mirror pod counts", on("n3"), mirror()),
                        counts("W-5: a DaemonSet's pod counts", on("n3"), ownedBy("DaemonSet", "agent", "ds1")),
                        counts("W-5: a system-critical pod counts", on("n3"), priority(2_000_000_000)),
                        counts("W-5: a member of a gang counts", on("n3"), gangMember()),
                        counts("D-5: a pod counts before it is Ready", on("n3"), notReady()),
                        countsNot("W-1: a pod that succeeded does not count", on("n3"), phase(Phase.SUCCEEDED)),
                        countsNot("W-1: a pod that failed does not count", on("n3"), phase(Phase.FAILED)),
                        countsNot("W-2: a pod that waits for a node does not count", phase(Phase.PENDING)),
                        countsNot("W-3: a pod on a node without object does not count", on("gone")))
                .flatMap(List::stream)
                .map(VerdictRow::arguments);
    }

    static Stream<Arguments> leaving() {
        PodTrait[] leaving = {on("n3"), terminating()};
        return Stream.of(
                        near(
                                "W-4: a terminating pod still satisfies affinity until it is gone",
                                true,
                                zones(),
                                leaving),
                        apart(
                                "W-4: a terminating pod still breaks anti-affinity until it is gone",
                                true,
                                zones(),
                                leaving),
                        spread(
                                "W-4: a terminating pod does not count for spread: 0 + 1 - 0 = 1",
                                false,
                                zones(),
                                leaving))
                .map(VerdictRow::arguments);
    }

    static Stream<Arguments> nodes() {
        return Stream.of(
                        everyKind(
                                "W-6: a node that is not Ready is in its domain",
                                true,
                                two().node("n3", zone("a"), notReady())),
                        everyKind(
                                "W-6: a cordoned node is in its domain", true, two().node("n3", zone("a"), cordoned())),
                        everyKind(
                                "W-6: a tainted node is in its domain",
                                true,
                                two().node("n3", zone("a"), tainted("gpu", "", "NoExecute"))),
                        everyKind(
                                "W-7: values of a topologyKey are compared byte by byte: A is not a",
                                false,
                                two().node("n3", zone("A"))),
                        everyKind("W-7: a node without the key is in no domain", false, two().node("n3", rack("a"))),
                        List.of(
                                near(
                                        "W-7: two nodes with an empty value share a domain: affinity",
                                        true,
                                        emptyZones(),
                                        on("n3")),
                                new VerdictRow(
                                        "W-7: two nodes with an empty value share a domain: anti-affinity",
                                        owner(emptyZones(), on("n3")),
                                        "owner",
                                        APART,
                                        sharing(ZONE, "", "other")),
                                new VerdictRow(
                                        "W-7: two nodes with an empty value share a domain: spread, 1 + 1 - 0 = 2 > 1",
                                        owner(emptyZones(), on("n3")),
                                        "owner",
                                        SPREAD,
                                        violated(new ViolationDetail.Skew(
                                                ZONE, "", 1, 1, new LeastCount.OfDomain("b", 0), 1)))))
                .flatMap(List::stream)
                .map(VerdictRow::arguments);
    }

    @ParameterizedTest
    @MethodSource({"pods", "leaving", "nodes"})
    void verdict(VerdictRow row) {
        row.check();
    }

    private static List<VerdictRow> counts(String name, PodTrait... other) {
        return everyKind(name, true, zones(), other);
    }

    private static List<VerdictRow> countsNot(String name, PodTrait... other) {
        return everyKind(name, false, zones(), other);
    }

    private static List<VerdictRow> everyKind(String name, boolean counts, ClusterBuilder nodes) {
        return everyKind(name, counts, nodes, on("n3"));
    }

    private static List<VerdictRow> everyKind(String name, boolean counts, ClusterBuilder nodes, PodTrait... other) {
        return List.of(
                near(name + ": affinity", counts, nodes, other),
                apart(name + ": anti-affinity", counts, nodes, other),
                spread(
                        name + (counts ? ": spread, 1 + 1 - 0 = 2 > 1" : ": spread, 0 + 1 - 0 = 1"),
                        counts,
                        nodes,
                        other));
    }

    private static VerdictRow near(String name, boolean counts, ClusterBuilder nodes, PodTrait... other) {
        Expected alone = violated(
                new ViolationDetail.NoPartner(ZONE, "a", 1, "near (app=other) by topology.kubernetes.io/zone"));
        return new VerdictRow(name, owner(nodes, other), "owner", NEAR, counts ? satisfied() : alone);
    }

    private static VerdictRow apart(String name, boolean counts, ClusterBuilder nodes, PodTrait... other) {
        return new VerdictRow(
                name, owner(nodes, other), "owner", APART, counts ? sharing(ZONE, "a", "other") : satisfied());
    }

    private static VerdictRow spread(String name, boolean counts, ClusterBuilder nodes, PodTrait... other) {
        Expected skewed = violated(new ViolationDetail.Skew(ZONE, "a", 1, 1, new LeastCount.OfDomain("b", 0), 1));
        return new VerdictRow(name, owner(nodes, other), "owner", SPREAD, counts ? skewed : satisfied());
    }

    private static ClusterBuilder owner(ClusterBuilder nodes, PodTrait... other) {
        ClusterBuilder cluster = cluster();
        nodes.facts().forEach(cluster::with);
        PodTrait[] traits = Stream.concat(Stream.of(labels("app", "other", "set", "both")), Stream.of(other))
                .toArray(PodTrait[]::new);
        return cluster.pod("owner", on("n1"), labels("set", "both")).pod("other", traits);
    }

    private static ClusterBuilder two() {
        return cluster().node("n1", zone("a")).node("n2", zone("b"));
    }

    private static ClusterBuilder zones() {
        return two().node("n3", zone("a"));
    }

    private static ClusterBuilder emptyZones() {
        return cluster().node("n1", zone("")).node("n2", zone("b")).node("n3", zone(""));
    }
}
