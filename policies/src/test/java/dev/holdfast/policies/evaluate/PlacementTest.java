package dev.holdfast.policies.evaluate;

import static dev.holdfast.policies.testing.Demands.app;
import static dev.holdfast.policies.testing.Demands.expression;
import static dev.holdfast.policies.testing.Demands.fieldTerm;
import static dev.holdfast.policies.testing.Demands.matchLabelKeys;
import static dev.holdfast.policies.testing.Demands.namespaceSelector;
import static dev.holdfast.policies.testing.Demands.namespaces;
import static dev.holdfast.policies.testing.Demands.nodeTerm;
import static dev.holdfast.policies.testing.Demands.selector;
import static dev.holdfast.policies.testing.Demands.term;
import static dev.holdfast.policies.testing.Facts.HOSTNAME;
import static dev.holdfast.policies.testing.Facts.RACK;
import static dev.holdfast.policies.testing.Facts.ZONE;
import static dev.holdfast.policies.testing.Facts.cluster;
import static dev.holdfast.policies.testing.Facts.labels;
import static dev.holdfast.policies.testing.Facts.notReady;
import static dev.holdfast.policies.testing.NodeTraits.cordoned;
import static dev.holdfast.policies.testing.NodeTraits.hostname;
import static dev.holdfast.policies.testing.NodeTraits.rack;
import static dev.holdfast.policies.testing.NodeTraits.tainted;
import static dev.holdfast.policies.testing.NodeTraits.zone;
import static dev.holdfast.policies.testing.PodTraits.apartFrom;
import static dev.holdfast.policies.testing.PodTraits.in;
import static dev.holdfast.policies.testing.PodTraits.near;
import static dev.holdfast.policies.testing.PodTraits.nodeAffinity;
import static dev.holdfast.policies.testing.PodTraits.nodeSelector;
import static dev.holdfast.policies.testing.PodTraits.on;
import static dev.holdfast.policies.testing.PodTraits.spread;
import static dev.holdfast.policies.testing.PodTraits.terminating;
import static dev.holdfast.policies.testing.PodTraits.tolerating;
import static dev.holdfast.policies.testing.PodTraits.toleratingAny;
import static dev.holdfast.policies.testing.Rules.affinityRule;
import static dev.holdfast.policies.testing.Rules.antiAffinityRule;
import static dev.holdfast.policies.testing.Rules.nodeRule;
import static dev.holdfast.policies.testing.Rules.nodeSelectorRule;
import static dev.holdfast.policies.testing.Spreads.maxSkew;
import static dev.holdfast.policies.testing.Spreads.minDomains;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.params.provider.Arguments.argumentSet;

import dev.holdfast.policies.model.ClusterEvent;
import dev.holdfast.policies.model.Node;
import dev.holdfast.policies.model.ReferenceCluster;
import dev.holdfast.policies.rule.Rule;
import dev.holdfast.policies.testing.ClusterBuilder;
import dev.holdfast.policies.testing.Ghosts;
import dev.holdfast.policies.testing.PodTrait;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** The nodes on which the pod web-1 could be placed. By default it runs on n1. */
class PlacementTest {
    record Row(String name, ClusterBuilder cluster, List<Rule> further, List<String> expected) {
        Arguments arguments() {
            return argumentSet(name, this);
        }
    }

    private static final PodTrait WEB = labels("app", "web");

    static Stream<Arguments> nodes() {
        return Stream.of(
                        row(
                                "P-6: a pod that demands nothing fits everywhere, its own node included",
                                web(),
                                "n1",
                                "n2",
                                "n3"),
                        row("P-6: without nodes it fits nowhere", cluster().pod("web-1", on("n1"))),
                        row(
                                "P-6: its present node, if it no longer exists, is infeasible",
                                cluster().node("n2").pod("web-1", on("n1")),
                                "n2"),
                        row(
                                "P-6: a pod that waits for a node is placed like any other",
                                zones().pod("web-1"),
                                "n1",
                                "n2",
                                "n3"),
                        row(
                                "P-6: nodes are named in order",
                                cluster().node("b").node("a").node("c").pod("web-1"),
                                "a",
                                "b",
                                "c"),
                        row(
                                "P-6, W-6: a node that is not Ready is feasible",
                                web().node("n4", notReady()),
                                "n1",
                                "n2",
                                "n3",
                                "n4"),
                        row("P-6: a cordoned node is infeasible", web().node("n4", cordoned()), "n1", "n2", "n3"),
                        row(
                                "P-6: a cordoned node is infeasible even if it is the present node",
                                cluster().node("n1", cordoned()).node("n2").pod("web-1", on("n1")),
                                "n2"),
                        row(
                                "P-6: a cordoned node is feasible for a pod that tolerates a cordon",
                                zones().node("n4", cordoned())
                                        .pod("web-1", toleratingAny("node.kubernetes.io/unschedulable", "NoSchedule")),
                                "n1",
                                "n2",
                                "n3",
                                "n4"),
                        row(
                                "P-6: a cordoned node is infeasible for a pod that tolerates only another effect",
                                zones().node("n4", cordoned())
                                        .pod("web-1", toleratingAny("node.kubernetes.io/unschedulable", "NoExecute")),
                                "n1",
                                "n2",
                                "n3"),
                        row(
                                "TT-1: NoSchedule and NoExecute keep a pod away, PreferNoSchedule does not",
                                web().node("n4", tainted("a", "", "NoSchedule"))
                                        .node("n5", tainted("b", "", "NoExecute"))
                                        .node("n6", tainted("c", "", "PreferNoSchedule")),
                                "n1",
                                "n2",
                                "n3",
                                "n6"),
                        row(
                                "TT-2: a taint that is tolerated does not",
                                zones().node("n4", tainted("gpu", "a100", "NoSchedule"))
                                        .node("n5", tainted("gpu", "h100", "NoSchedule"))
                                        .pod("web-1", tolerating("gpu", "a100", "NoSchedule")),
                                "n1",
                                "n2",
                                "n3",
                                "n4"),
                        row(
                                "NS-1: the nodeSelector",
                                zones().node("n4", labels("disk", "ssd")).pod("web-1", nodeSelector("disk", "ssd")),
                                "n4"),
                        row(
                                "NA-2: the node affinity",
                                zones().pod("web-1", nodeAffinity(nodeTerm(expression(ZONE, "NotIn", "a")))),
                                "n2"),
                        row(
                                "NA-8: a node by its name",
                                zones().pod("web-1", nodeAffinity(fieldTerm(expression("metadata.name", "In", "n3")))),
                                "n3"))
                .map(Row::arguments);
    }

    static Stream<Arguments> pods() {
        return Stream.of(
                        row(
                                "AF-3: affinity: the zone of a partner",
                                zones().pod("web-1", on("n2"), near(term(app("cache"), ZONE)))
                                        .pod("cache", on("n1"), labels("app", "cache")),
                                "n1",
                                "n3"),
                        row(
                                "AF-4: affinity: never a node without the key",
                                zones().node("bare").pod("web-1", on("n1"), WEB, near(term(app("web"), ZONE))),
                                "n1",
                                "n2",
                                "n3"),
                        row(
                                "AF-5: affinity: the first of a group fits in every zone, itself being taken out first",
                                zones().pod("web-1", on("n2"), WEB, near(term(app("web"), ZONE))),
                                "n1",
                                "n2",
                                "n3"),
                        row(
                                "AF-8: the affinity of another pod excludes no pod",
                                web().pod("cache", on("n1"), near(term(app("db"), ZONE))),
                                "n1",
                                "n2",
                                "n3"),
                        row(
                                "D-4: with the partner gone no node is any better",
                                zones().pod("web-1", on("n1"), near(term(app("cache"), ZONE)))),
                        row(
                                "AA-1: own anti-affinity: any term is enough to exclude a node",
                                zones().pod(
                                                "web-1",
                                                on("n2"),
                                                WEB,
                                                apartFrom(term(app("db"), ZONE), term(app("batch"), HOSTNAME)))
                                        .node("n4", hostname("n4"))
                                        .pod("db", on("n1"), labels("app", "db"))
                                        .pod("batch", on("n4"), labels("app", "batch")),
                                "n2"),
                        row(
                                "AA-2: own anti-affinity: a node without the key is feasible",
                                zones().node("bare")
                                        .pod("web-1", on("n1"), apartFrom(term(app("db"), ZONE)))
                                        .pod("db", on("n1"), labels("app", "db")),
                                "bare",
                                "n2"),
                        row(
                                "AA-3: own anti-affinity: the pod does not exclude itself from its present node",
                                zones().pod("web-1", on("n1"), WEB, apartFrom(term(app("web"), ZONE))),
                                "n1",
                                "n2",
                                "n3"),
                        row(
                                "AA-4: another's anti-affinity keeps it out of that pod's zone",
                                web().pod("batch", on("n1"), apartFrom(term(app("web"), ZONE))),
                                "n2"),
                        row(
                                "AA-4: by that pod's namespace",
                                web().pod("batch", in("bank"), on("n1"), apartFrom(term(app("web"), ZONE))),
                                "n1",
                                "n2",
                                "n3"),
                        row(
                                "AA-4: by the namespaces that it lists",
                                web().pod(
                                                "batch",
                                                in("bank"),
                                                on("n1"),
                                                apartFrom(term(app("web"), ZONE, namespaces("shop")))),
                                "n2"),
                        row(
                                "AA-4: every term of every pod keeps it away",
                                web().pod("batch", on("n2"), apartFrom(term(app("db"), ZONE), term(app("web"), RACK)))
                                        .pod("other", on("n1"), apartFrom(term(app("web"), RACK)))),
                        row(
                                "AA-4: the anti-affinity of a pod on a node without the key excludes no pod",
                                web().node("bare").pod("batch", on("bare"), apartFrom(term(app("web"), ZONE))),
                                "bare",
                                "n1",
                                "n2",
                                "n3"),
                        row(
                                "AA-4, PA-7: label keys that the API server has merged are not merged again",
                                web().pod(
                                                "batch",
                                                on("n1"),
                                                labels("app", "batch"),
                                                apartFrom(term(app("web"), ZONE, matchLabelKeys("app")))),
                                "n2"),
                        row(
                                "AA-5: own affinity, own anti-affinity and another's must all agree",
                                zones().node("n4", zone("c"))
                                        .pod(
                                                "web-1",
                                                WEB,
                                                near(term(app("cache"), RACK)),
                                                apartFrom(term(app("db"), ZONE)))
                                        .pod("cache", on("n3"), labels("app", "cache"))
                                        .pod("db", on("n1"), labels("app", "db"))
                                        .pod("batch", on("n4"), apartFrom(term(app("web"), ZONE))),
                                "n2"),
                        row(
                                "W-4: a terminating pod keeps it away until it is gone",
                                web().pod("batch", on("n1"), apartFrom(term(app("web"), ZONE)), terminating()),
                                "n2"),
                        row(
                                "PA-6: another's NotIn over namespaces reaches a namespace without object",
                                web().pod(
                                                "batch",
                                                in("bank"),
                                                on("n1"),
                                                apartFrom(term(
                                                        app("web"),
                                                        ZONE,
                                                        namespaceSelector(
                                                                selector(expression("team", "NotIn", "blue")))))),
                                "n2"),
                        row(
                                "PA-6: the pod's own NotIn over namespaces does not",
                                zones().pod(
                                                "web-1",
                                                on("n1"),
                                                apartFrom(term(
                                                        app("batch"),
                                                        ZONE,
                                                        namespaceSelector(
                                                                selector(expression("team", "NotIn", "blue"))))))
                                        .pod("batch", in("bank"), on("n1"), labels("app", "batch")),
                                "n1",
                                "n2",
                                "n3"),
                        row(
                                "PA-8: of another pod's anti-affinity one term that cannot be read drops the whole"
                                        + " list",
                                web().pod(
                                                "batch",
                                                on("n1"),
                                                apartFrom(
                                                        term(app("web"), ZONE),
                                                        term(selector(expression("app", "Near", "web")), ZONE))),
                                "n1",
                                "n2",
                                "n3"),
                        row(
                                "PA-8: a dropped list has no effect on those of other pods",
                                web().pod(
                                                "batch",
                                                on("n1"),
                                                apartFrom(term(selector(expression("app", "Near", "web")), ZONE)))
                                        .pod("other", on("n1"), apartFrom(term(app("web"), ZONE))),
                                "n2"),
                        row(
                                "PA-8: a term of its own that cannot be read lets it fit nowhere",
                                zones().pod(
                                                "web-1",
                                                on("n1"),
                                                apartFrom(term(selector(expression("app", "Near", "web")), ZONE)))))
                .map(Row::arguments);
    }

    static Stream<Arguments> spreadAndFurtherRules() {
        return Stream.of(
                        row(
                                "TS-2: [2,0] by zone, maxSkew 1: back to a makes 1 + 1 - 0 = 2 > 1, to b 0 + 1 - 0 = 1",
                                zones().pod("web-1", on("n1"), WEB, spread(maxSkew(1, ZONE, app("web"))))
                                        .pod("web-2", on("n3"), WEB),
                                "n2"),
                        row(
                                "TS-14: by zone and by rack: [2,0] by zone leaves b, [2,0] by rack leaves r1, and no"
                                        + " node is both",
                                zones().pod(
                                                "web-1",
                                                on("n3"),
                                                WEB,
                                                spread(maxSkew(1, ZONE, app("web")), maxSkew(1, RACK, app("web"))))
                                        .pod("web-2", on("n3"), WEB)),
                        row(
                                "D-10: a zone lost with minDomains 3 leaves no better place: anywhere is 1 + 1 - 0 = 2"
                                        + " > 1",
                                zones().pod("web-1", on("n1"), WEB, spread(maxSkew(1, ZONE, app("web"), minDomains(3))))
                                        .pod("web-2", on("n1"), WEB)
                                        .pod("web-3", on("n2"), WEB)),
                        further(
                                "P-6: further rules hold beside its own",
                                zones().pod("web-1", on("n1"), WEB, nodeSelector(RACK, "r2")),
                                List.of(nodeSelectorRule(ZONE, "a")),
                                "n3"),
                        further("P-6: one that no node satisfies leaves no feasible node", web(), List.of(nodeRule())),
                        further(
                                "P-6, PA-7: label keys of a further rule are merged for the pod",
                                zones().pod("web-1", on("n2"), labels("app", "web", "version", "7f"))
                                        .pod("web-2", on("n1"), labels("app", "web", "version", "7f"))
                                        .pod("web-3", on("n2"), labels("app", "web", "version", "80")),
                                List.of(antiAffinityRule(term(app("web"), ZONE, matchLabelKeys("version")))),
                                "n2"),
                        further(
                                "AF-9: further affinity rules are judged one by one: near a cache and near a db",
                                web().pod("cache", on("n1"), labels("app", "cache"))
                                        .pod("db", on("n3"), labels("app", "db")),
                                List.of(affinityRule(term(app("cache"), ZONE)), affinityRule(term(app("db"), RACK))),
                                "n3"),
                        further(
                                "PA-8: one that cannot be read leaves no feasible node",
                                web(),
                                List.of(affinityRule(term(selector(expression("app", "Near", "x")), ZONE)))))
                .map(Row::arguments);
    }

    @ParameterizedTest
    @MethodSource({"nodes", "pods", "spreadAndFurtherRules"})
    void fits(Row row) {
        assertThat(fits(row, row.cluster().build())).as(row.name()).isEqualTo(row.expected());
    }

    @ParameterizedTest
    @MethodSource({"nodes", "pods", "spreadAndFurtherRules"})
    void fitsWhateverTheOrderOfFactsAndRulesAndWhateverDoesNotCount(Row row) {
        for (int seed = 0; seed < 8; seed++) {
            ReferenceCluster referenceCluster = row.cluster().shuffled(seed);
            assertThat(fits(row, referenceCluster))
                    .as("%s; facts in the order of seed %d", row.name(), seed)
                    .isEqualTo(row.expected());
        }
        ReferenceCluster haunted = row.cluster().build();
        haunted.pods().stream()
                .flatMap(Ghosts::of)
                .toList()
                .forEach(ghost -> haunted.apply(new ClusterEvent.PodChanged(ghost)));
        assertThat(fits(row, haunted))
                .as("%s; with ghosts of all pods", row.name())
                .isEqualTo(row.expected());
        Row reversed = new Row(row.name(), row.cluster(), row.further().reversed(), row.expected());
        assertThat(fits(reversed, row.cluster().build()))
                .as("%s; further rules reversed", row.name())
                .isEqualTo(row.expected());
    }

    private static List<String> fits(Row row, ReferenceCluster referenceCluster) {
        return Placement.fits(referenceCluster.pod("web-1").orElseThrow(), row.further(), referenceCluster).stream()
                .map(Node::name)
                .toList();
    }

    private static Row row(String name, ClusterBuilder cluster, String... expected) {
        return further(name, cluster, List.of(), expected);
    }

    private static Row further(String name, ClusterBuilder cluster, List<Rule> further, String... expected) {
        return new Row(name, cluster, further, List.of(expected));
    }

    /** {@return a cluster where n1 and n3 are in zone a, and n2 and n3 are in rack r2} */
    private static ClusterBuilder zones() {
        return cluster()
                .node("n1", zone("a"), rack("r1"))
                .node("n2", zone("b"), rack("r2"))
                .node("n3", zone("a"), rack("r2"));
    }

    private static ClusterBuilder web() {
        return zones().pod("web-1", on("n1"), WEB);
    }
}
