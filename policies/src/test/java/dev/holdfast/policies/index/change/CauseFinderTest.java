package dev.holdfast.policies.index.change;

import static dev.holdfast.policies.testing.Changes.namespaceChanged;
import static dev.holdfast.policies.testing.Changes.nodeChanged;
import static dev.holdfast.policies.testing.Changes.podChanged;
import static dev.holdfast.policies.testing.Demands.app;
import static dev.holdfast.policies.testing.Demands.expression;
import static dev.holdfast.policies.testing.Demands.matchLabels;
import static dev.holdfast.policies.testing.Demands.namespaceSelector;
import static dev.holdfast.policies.testing.Demands.nodeTerm;
import static dev.holdfast.policies.testing.Demands.term;
import static dev.holdfast.policies.testing.Facts.ZONE;
import static dev.holdfast.policies.testing.Facts.cluster;
import static dev.holdfast.policies.testing.Facts.labels;
import static dev.holdfast.policies.testing.NodeTraits.tainted;
import static dev.holdfast.policies.testing.NodeTraits.zone;
import static dev.holdfast.policies.testing.PodTraits.in;
import static dev.holdfast.policies.testing.PodTraits.near;
import static dev.holdfast.policies.testing.PodTraits.nodeAffinity;
import static dev.holdfast.policies.testing.PodTraits.nodeSelector;
import static dev.holdfast.policies.testing.PodTraits.on;
import static dev.holdfast.policies.testing.PodTraits.spread;
import static dev.holdfast.policies.testing.PodTraits.terminating;
import static dev.holdfast.policies.testing.PodTraits.tolerating;
import static dev.holdfast.policies.testing.Spreads.honoringTaints;
import static dev.holdfast.policies.testing.Spreads.maxSkew;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.params.provider.Arguments.argumentSet;

import dev.holdfast.policies.index.Index;
import dev.holdfast.policies.index.IndexTest;
import dev.holdfast.policies.index.Told;
import dev.holdfast.policies.model.ClusterEvent;
import dev.holdfast.policies.testing.ClusterBuilder;
import dev.holdfast.policies.testing.NodeTrait;
import dev.holdfast.policies.testing.PodTrait;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Which part of a change is reported as the cause when several fields changed at once. */
class CauseFinderTest {
    private static final PodTrait BY_ZONE = spread(maxSkew(1, ZONE, app("web")));
    private static final PodTrait BY_ZONE_AND_TAINT = spread(maxSkew(1, ZONE, app("web"), honoringTaints()));
    private static final NodeTrait DEDICATED = tainted("dedicated", "gpu", "NoSchedule");
    private static final NodeTrait CROWDED = tainted("crowded", "", "PreferNoSchedule");

    private static PodTrait web() {
        return labels("app", "web");
    }

    /** {@code web-1} selects ssd nodes and counts only on them. Zone a has two pods, zone b has one. */
    private static ClusterBuilder onSsd(PodTrait demand, NodeTrait... ofC) {
        return cluster()
                .node("a1", zone("a"), labels("disk", "ssd"))
                .node("b1", zone("b"), labels("disk", "ssd"))
                .node(
                        "c1",
                        Stream.concat(Stream.of(zone("c"), labels("disk", "hdd")), Stream.of(ofC))
                                .toArray(NodeTrait[]::new))
                .pod("web-1", on("a1"), web(), nodeSelector("disk", "ssd"), demand)
                .pod("web-2", on("a1"), web())
                .pod("web-3", on("b1"), web());
    }

    static Stream<Arguments> ofTheOwnNode() {
        return Stream.of(
                argumentSet(
                        "of several labels the one that a node affinity reads",
                        cluster()
                                .node("n1", labels("disk", "ssd", "cpu", "new"))
                                .pod("web-1", on("n1"), nodeAffinity(nodeTerm(expression("disk", "In", "ssd")))),
                        nodeChanged("n1", labels("cpu", "old", "disk", "hdd")),
                        List.of("broken web-1: label disk of node n1 changed ssd -> hdd")),
                argumentSet(
                        "of several labels the topology key: the pod moves from [2, 1, 1] to [3, 1]",
                        cluster()
                                .node("a1", zone("a"))
                                .node("b1", zone("b"), labels("cpu", "new"))
                                .node("c1", zone("c"))
                                .pod("web-1", on("b1"), web(), BY_ZONE)
                                .pod("web-2", on("a1"), web())
                                .pod("web-3", on("a1"), web())
                                .pod("web-4", on("c1"), web()),
                        nodeChanged("b1", zone("a"), labels("cpu", "old")),
                        List.of("broken web-1: label topology.kubernetes.io/zone of node b1 changed b -> a")),
                argumentSet(
                        "a removed taint, so that the pods on its node are counted: [-, 0] to [3, 0]",
                        cluster()
                                .node("a1", zone("a"), DEDICATED)
                                .node("b1", zone("b"))
                                .pod("web-1", on("a1"), web(), BY_ZONE_AND_TAINT)
                                .pod("web-2", on("a1"), web())
                                .pod("web-3", on("a1"), web()),
                        nodeChanged("a1", zone("a")),
                        List.of("broken web-1: taint dedicated=gpu:NoSchedule was removed from node a1")),
                argumentSet(
                        "a removed taint, not the label changed with it that the rule does not read",
                        cluster()
                                .node("a1", zone("a"), labels("cpu", "old"), DEDICATED)
                                .node("b1", zone("b"))
                                .pod("web-1", on("a1"), web(), BY_ZONE_AND_TAINT)
                                .pod("web-2", on("a1"), web())
                                .pod("web-3", on("a1"), web()),
                        nodeChanged("a1", zone("a"), labels("cpu", "new")),
                        List.of("broken web-1: taint dedicated=gpu:NoSchedule was removed from node a1")),
                argumentSet(
                        "a label that the nodeSelector requires, so that pods on the node count: [-, 0] to [3, 0]",
                        cluster()
                                .node("a1", zone("a"), labels("disk", "hdd"))
                                .node("b1", zone("b"), labels("disk", "ssd"))
                                .pod("web-1", on("a1"), web(), nodeSelector("disk", "ssd"), BY_ZONE)
                                .pod("web-2", on("a1"), web())
                                .pod("web-3", on("a1"), web()),
                        nodeChanged("a1", zone("a"), labels("disk", "ssd")),
                        List.of("broken web-1: label disk of node a1 changed hdd -> ssd", "mended web-1: SATISFIED")));
    }

    static Stream<Arguments> ofAnotherNode() {
        return Stream.of(
                argumentSet(
                        "of several labels the topology key",
                        cluster()
                                .node("a1", zone("a"))
                                .node("a2", zone("a"), labels("cpu", "new"))
                                .pod("web-1", on("a1"), near(term(app("cache"), ZONE)))
                                .pod("cache-1", on("a2"), labels("app", "cache")),
                        nodeChanged("a2", zone("b"), labels("cpu", "old")),
                        List.of("broken web-1: label topology.kubernetes.io/zone of node a2 changed a -> b")),
                argumentSet(
                        "a label that the holder's nodeSelector requires adds an empty domain",
                        onSsd(BY_ZONE),
                        nodeChanged("c1", zone("c"), labels("disk", "ssd")),
                        List.of("broken web-1: label disk of node c1 changed hdd -> ssd")),
                argumentSet(
                        "the label, not the taint added with it, if the spread ignores taints",
                        onSsd(BY_ZONE),
                        nodeChanged("c1", zone("c"), labels("disk", "ssd"), DEDICATED),
                        List.of("broken web-1: label disk of node c1 changed hdd -> ssd")),
                argumentSet(
                        "the label, not the taint removed with it, if the spread ignores taints",
                        onSsd(BY_ZONE, DEDICATED),
                        nodeChanged("c1", zone("c"), labels("disk", "ssd")),
                        List.of("broken web-1: label disk of node c1 changed hdd -> ssd")),
                argumentSet(
                        "of several taints the added one: [2, 1] to [2, 0]",
                        cluster()
                                .node("a1", zone("a"))
                                .node("b1", zone("b"), CROWDED)
                                .node("b2", zone("b"))
                                .pod("web-1", on("a1"), web(), BY_ZONE_AND_TAINT)
                                .pod("web-2", on("a1"), web())
                                .pod("web-3", on("b1"), web()),
                        nodeChanged("b1", zone("b"), CROWDED, DEDICATED),
                        List.of("broken web-1: taint dedicated=gpu:NoSchedule was added to node b1")),
                argumentSet(
                        "of several taints the removed one",
                        cluster()
                                .node("a1", zone("a"))
                                .node("b1", zone("b"), CROWDED, DEDICATED)
                                .pod("web-1", on("a1"), web(), BY_ZONE_AND_TAINT)
                                .pod("web-2", on("a1"), web()),
                        nodeChanged("b1", zone("b"), CROWDED),
                        List.of("broken web-1: taint dedicated=gpu:NoSchedule was removed from node b1")));
    }

    static Stream<Arguments> ofAPartner() {
        return Stream.of(
                argumentSet(
                        "a terminating partner is relabelled",
                        cluster()
                                .node("a1", zone("a"))
                                .pod("web-1", on("a1"), near(term(app("cache"), ZONE)))
                                .pod("cache-1", on("a1"), labels("app", "cache"), terminating()),
                        podChanged("cache-1", on("a1"), labels("app", "queue"), terminating()),
                        List.of("broken web-1: label app of pod shop/cache-1 changed cache -> queue")),
                argumentSet(
                        "a partner begins to terminate and is relabelled in one event",
                        cluster()
                                .node("a1", zone("a"))
                                .node("b1", zone("b"))
                                .pod("web-1", on("a1"), web(), BY_ZONE)
                                .pod("web-2", on("a1"), web())
                                .pod("web-3", on("b1"), web()),
                        podChanged("web-3", on("b1"), labels("app", "queue"), terminating()),
                        List.of("broken web-1: pod shop/web-3 left")));
    }

    static Stream<Arguments> ofSeveralLabels() {
        ClusterBuilder nearCache = cluster()
                .namespace("shop", labels())
                .namespace("bank", labels("team", "blue"))
                .node("a1", zone("a"))
                .pod("web-1", on("a1"), near(term(app("cache"), ZONE)))
                .pod("cache-1", on("a1"), labels("a-build", "1", "app", "cache"))
                .pod("log-1", on("a1"), near(term(app("db"), ZONE, namespaceSelector(matchLabels("team", "blue")))))
                .pod("db-1", in("bank"), on("a1"), labels("app", "db"));
        return Stream.of(
                argumentSet(
                        "of a partner's labels the one that the rule reads",
                        nearCache,
                        podChanged("cache-1", on("a1"), labels("a-build", "2", "app", "queue")),
                        List.of("broken web-1: label app of pod shop/cache-1 changed cache -> queue")),
                argumentSet(
                        "of a namespace's labels the one that the rule reads",
                        nearCache,
                        namespaceChanged("bank", labels("a-note", "new", "team", "red")),
                        List.of("broken log-1: label team of namespace bank changed blue -> red")),
                argumentSet(
                        "of the pod itself the tolerations, which the rule reads, not a label: [2, 0]",
                        cluster()
                                .node("a1", zone("a"))
                                .node("c1", zone("c"), DEDICATED)
                                .pod("web-1", on("a1"), web(), BY_ZONE_AND_TAINT)
                                .pod("web-2", on("a1"), web()),
                        podChanged(
                                "web-1",
                                on("a1"),
                                labels("a-build", "2", "app", "web"),
                                tolerating("dedicated", "gpu", "NoSchedule"),
                                BY_ZONE_AND_TAINT),
                        List.of("broken web-1: the pod's tolerations changed")),
                argumentSet(
                        "the label, not the toleration, if the spread ignores taints",
                        cluster()
                                .node("a1", zone("a"))
                                .node("b1", zone("b"))
                                .pod("web-1", on("a1"), labels("a-build", "1", "app", "db"), BY_ZONE)
                                .pod("web-2", on("a1"), web()),
                        podChanged(
                                "web-1",
                                on("a1"),
                                labels("a-build", "1", "app", "web"),
                                tolerating("dedicated", "gpu", "NoSchedule"),
                                BY_ZONE),
                        List.of("broken web-1: label app of the pod changed db -> web")),
                argumentSet(
                        "of the pod's own labels the one that the rule reads: the pod counts itself now",
                        cluster()
                                .node("a1", zone("a"))
                                .node("b1", zone("b"))
                                .pod("web-1", on("a1"), labels("app", "db"), BY_ZONE)
                                .pod("web-2", on("a1"), web()),
                        podChanged("web-1", on("a1"), labels("a-build", "2", "app", "web"), BY_ZONE),
                        List.of("broken web-1: label app of the pod changed db -> web")));
    }

    @ParameterizedTest
    @MethodSource({"ofTheOwnNode", "ofAnotherNode", "ofAPartner", "ofSeveralLabels"})
    void theCauseIsWhatTheRuleDependsOn(ClusterBuilder facts, ClusterEvent change, List<String> expected) {
        Told told = new Told();
        Index index = new Index(Set.of(), told);
        index.put(IndexTest.everything());
        facts.facts().forEach(index::apply);
        told.clear();

        index.apply(change);

        assertThat(told.lines()).containsExactlyElementsOf(expected);
    }
}
