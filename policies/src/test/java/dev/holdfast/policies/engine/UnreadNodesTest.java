package dev.holdfast.policies.engine;

import static dev.holdfast.policies.engine.TestPolicies.FORGIVENESS;
import static dev.holdfast.policies.engine.TestPolicies.enforcing;
import static dev.holdfast.policies.testing.Changes.nodeChanged;
import static dev.holdfast.policies.testing.Changes.nodeGone;
import static dev.holdfast.policies.testing.Changes.nodeUnread;
import static dev.holdfast.policies.testing.Changes.podGone;
import static dev.holdfast.policies.testing.Demands.app;
import static dev.holdfast.policies.testing.Demands.namespaceSelector;
import static dev.holdfast.policies.testing.Demands.term;
import static dev.holdfast.policies.testing.Facts.HOSTNAME;
import static dev.holdfast.policies.testing.Facts.cluster;
import static dev.holdfast.policies.testing.Facts.labels;
import static dev.holdfast.policies.testing.PodTraits.apartFrom;
import static dev.holdfast.policies.testing.PodTraits.in;
import static dev.holdfast.policies.testing.PodTraits.near;
import static dev.holdfast.policies.testing.PodTraits.nodeSelector;
import static dev.holdfast.policies.testing.PodTraits.on;
import static dev.holdfast.policies.testing.PodTraits.phase;
import static dev.holdfast.policies.testing.PodTraits.replicaOf;
import static dev.holdfast.policies.testing.PodTraits.spread;
import static dev.holdfast.policies.testing.PodTraits.unreadLabels;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.params.provider.Arguments.argumentSet;

import dev.holdfast.policies.evaluate.Reason;
import dev.holdfast.policies.model.ClusterEvent;
import dev.holdfast.policies.model.LabelSelector;
import dev.holdfast.policies.model.NodeInclusionPolicy;
import dev.holdfast.policies.model.Phase;
import dev.holdfast.policies.model.TopologySpreadConstraint;
import dev.holdfast.policies.rule.Policy;
import dev.holdfast.policies.rule.WhenInfeasible;
import dev.holdfast.policies.testing.ClusterBuilder;
import dev.holdfast.policies.testing.Facts;
import dev.holdfast.policies.testing.PodTrait;
import dev.holdfast.policies.testing.Rules;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Tests nodes that have more than is read. The cluster has nodes n1 and n2 in zone z1, and n3 in zone z2. Node n9 has
 * too many labels.
 */
class UnreadNodesTest {
    private static final String ZONE = "zone";
    private static final String WHY = "it has 5,000 labels, and Holdfast reads at most 1,024";
    private static final String N9 = "node n9 is not read: " + WHY + "; remove what the node does not need";
    private static final String UNSURE = N9 + "; so it is unknown which node would take the pod: of 2 other nodes: ";
    private static final ClusterEvent ODD = nodeUnread("n9", WHY);
    private static final PodTrait NEAR_CACHE = near(term(app("cache"), ZONE));
    private static final String EVICTED = "";

    private static ClusterBuilder zones() {
        return cluster()
                .node("n1", labels(ZONE, "z1", HOSTNAME, "n1", "disk", "hdd"))
                .node("n2", labels(ZONE, "z1", HOSTNAME, "n2", "disk", "ssd"))
                .node("n3", labels(ZONE, "z2", HOSTNAME, "n3", "disk", "ssd"))
                .with(ODD)
                .replicaSet("web", 1);
    }

    /** {@return web-1 in z1 with the given constraints, and a pod {@code app=cache} in z2} */
    private static ClusterBuilder web(PodTrait... rules) {
        return zones().pod(
                        "web-1",
                        Stream.concat(Stream.of(on("n1"), replicaOf("web"), labels("app", "web")), Stream.of(rules))
                                .toArray(PodTrait[]::new))
                .pod("cache-1", on("n3"), labels("app", "cache"));
    }

    private static PodTrait evenly(int minDomains) {
        return spread(new TopologySpreadConstraint(
                1,
                ZONE,
                Optional.of(app("web")),
                minDomains,
                NodeInclusionPolicy.HONOR,
                NodeInclusionPolicy.IGNORE,
                List.of()));
    }

    /** {@return web-1, web-2 and web-3 in z1, of which only web-1 has the rule} */
    private static ClusterBuilder three(int minDomains) {
        return zones().pod("web-1", on("n1"), replicaOf("web"), labels("app", "web"), evenly(minDomains))
                .pod("web-2", on("n1"), labels("app", "web"))
                .pod("web-3", on("n2"), labels("app", "web"));
    }

    static Stream<Arguments> verdicts() {
        String mayNeed = " may satisfy the rule, and its " + N9;
        return Stream.of(
                argumentSet("affinity, and no partner on the node", web(NEAR_CACHE), EVICTED),
                argumentSet(
                        "affinity, and a partner on the node, which may be in the zone",
                        web(NEAR_CACHE).pod("cache-9", on("n9"), labels("app", "cache")),
                        "pod shop/cache-9" + mayNeed),
                argumentSet(
                        "affinity, and two partners on the node",
                        web(NEAR_CACHE)
                                .pod("cache-9", on("n9"), labels("app", "cache"))
                                .pod("cache-8", on("n9"), labels("app", "cache")),
                        "pod shop/cache-8 and 1 more" + mayNeed),
                argumentSet(
                        "affinity, and a pod on the node whose labels were not read either",
                        web(NEAR_CACHE).pod("odd", on("n9"), unreadLabels()),
                        "pod shop/odd" + mayNeed),
                argumentSet(
                        "affinity, and another pod on the node",
                        web(NEAR_CACHE).pod("other", on("n9"), labels("app", "other")),
                        EVICTED),
                argumentSet(
                        "affinity, and a partner on the node in a namespace that the term does not reach",
                        web(NEAR_CACHE).pod("cache-9", on("n9"), in("other"), labels("app", "cache")),
                        EVICTED),
                argumentSet(
                        "affinity to all namespaces, and a partner on the node in another one",
                        web(near(term(app("cache"), ZONE, namespaceSelector(LabelSelector.everything()))))
                                .pod("cache-9", on("n9"), in("shop"), labels("app", "cache")),
                        "pod shop/cache-9" + mayNeed),
                argumentSet(
                        "node affinity of a pod on another node",
                        web(nodeSelector("disk", "ssd")).pod("cache-9", on("n9"), labels("app", "cache")),
                        EVICTED),
                argumentSet(
                        "anti-affinity to a pod on the same node",
                        web(apartFrom(term(app("db"), HOSTNAME))).pod("db-1", on("n1"), labels("app", "db")),
                        EVICTED),
                argumentSet(
                        "a spread of [3,0] with two pods on the node: it may be [3,2]",
                        three(1).pod("web-4", on("n9"), labels("app", "web"))
                                .pod("web-5", on("n9"), labels("app", "web")),
                        "pod shop/web-4 and 1 more" + mayNeed),
                argumentSet(
                        "a spread of [3,2] with two of three zones: the node may be the third",
                        three(3).pod("web-4", on("n3"), labels("app", "web"))
                                .pod("web-5", on("n3"), labels("app", "web")),
                        "node n9 may be a domain that the rule lacks, and " + N9),
                argumentSet(
                        "a spread of [3,0] with one pod on the node: no domain is sure to take another pod",
                        three(1).pod("web-4", on("n9"), labels("app", "web")),
                        UNSURE + "1 against its rules, 1 uncertain because some nodes are not read"),
                argumentSet(
                        "a spread of [3,0] without a pod on the node: z2 takes one pod whatever the node is",
                        three(1),
                        EVICTED));
    }

    @ParameterizedTest
    @MethodSource("verdicts")
    void aPodIsEvictedOnlyIfItsRuleIsBrokenWhereverTheNodeIs(ClusterBuilder facts, String why) {
        expect(facts, why);
    }

    static Stream<Arguments> places() {
        PodTrait ssd = nodeSelector("disk", "ssd");
        String sure = UNSURE + "2 uncertain because some nodes are not read";
        return Stream.of(
                argumentSet(
                        "a pod on the node that its anti-affinity matches: it may be in any zone",
                        web(ssd, apartFrom(term(app("db"), ZONE))).pod("db-9", on("n9"), labels("app", "db")),
                        sure),
                argumentSet(
                        "another pod on the node",
                        web(ssd, apartFrom(term(app("db"), ZONE))).pod("other", on("n9"), labels("app", "other")),
                        EVICTED),
                argumentSet(
                        "anti-affinity of a pod on the node: it may be in any zone",
                        web(ssd).pod("db-9", on("n9"), labels("app", "db"), apartFrom(term(app("web"), ZONE))),
                        sure),
                argumentSet(
                        "anti-affinity of a finished pod on the node",
                        web(ssd).pod("db-9", on("n9"), phase(Phase.SUCCEEDED), apartFrom(term(app("web"), ZONE))),
                        EVICTED),
                argumentSet(
                        "affinity to pods like itself: the only other one is on the node",
                        web(ssd, near(term(app("web"), ZONE))).pod("web-9", on("n9"), labels("app", "web")),
                        sure),
                argumentSet(
                        "affinity to pods like itself: it is the first",
                        web(ssd, near(term(app("web"), ZONE))),
                        EVICTED),
                argumentSet(
                        "a spread of two: with the node as a domain of its own, each place breaks it",
                        web(ssd, evenly(1))
                                .pod("web-2", on("n2"), labels("app", "web"))
                                .pod("web-3", on("n3"), labels("app", "web")),
                        sure));
    }

    @ParameterizedTest
    @MethodSource("places")
    void aPodIsMovedOnlyToANodeThatTakesItWhereverTheUnreadNodeIs(ClusterBuilder facts, String why) {
        expect(facts, why);
    }

    private static final String WELL_KNOWN = Facts.ZONE;

    /** {@return the node, of which the zone is read} */
    private static ClusterEvent oddIn(String zone) {
        return new ClusterEvent.NodeUnread(Facts.node("n9", labels(WELL_KNOWN, zone, HOSTNAME, "n9", "disk", "ssd"))
                .unread(WHY));
    }

    /** {@return web-1 in z1, with n9 in the given zone} */
    private static ClusterBuilder webBeside(String zoneOfOdd, PodTrait... rules) {
        return cluster()
                .node("n1", labels(WELL_KNOWN, "z1", HOSTNAME, "n1"))
                .node("n2", labels(WELL_KNOWN, "z1", HOSTNAME, "n2", "disk", "ssd"))
                .node("n3", labels(WELL_KNOWN, "z2", HOSTNAME, "n3", "disk", "ssd"))
                .with(oddIn(zoneOfOdd))
                .replicaSet("web", 1)
                .pod(
                        "web-1",
                        Stream.concat(Stream.of(on("n1"), replicaOf("web"), labels("app", "web")), Stream.of(rules))
                                .toArray(PodTrait[]::new));
    }

    private static PodTrait evenlyBy(String key) {
        return spread(new TopologySpreadConstraint(
                1, key, Optional.of(app("web")), 1, NodeInclusionPolicy.IGNORE, NodeInclusionPolicy.IGNORE, List.of()));
    }

    private static ClusterBuilder threeBeside(String zoneOfOdd) {
        return webBeside(zoneOfOdd, evenlyBy(WELL_KNOWN))
                .pod("web-2", on("n1"), labels("app", "web"))
                .pod("web-3", on("n2"), labels("app", "web"));
    }

    static Stream<Arguments> knownDomains() {
        PodTrait near = near(term(app("cache"), WELL_KNOWN));
        PodTrait ssd = nodeSelector("disk", "ssd");
        return Stream.of(
                argumentSet(
                        "affinity: a partner on the node in the same zone satisfies it",
                        webBeside("z1", near)
                                .pod("cache-1", on("n3"), labels("app", "cache"))
                                .pod("cache-9", on("n9"), labels("app", "cache")),
                        "pod shop/cache-9 may satisfy the rule, and its " + N9),
                argumentSet(
                        "affinity: a partner on the node in another zone does not",
                        webBeside("z2", near)
                                .pod("cache-1", on("n3"), labels("app", "cache"))
                                .pod("cache-9", on("n9"), labels("app", "cache")),
                        EVICTED),
                argumentSet(
                        "a spread of [3,0] by zone with a pod on the node in z1: it is [4,0], and z2 has room",
                        threeBeside("z1").pod("web-4", on("n9"), labels("app", "web")),
                        EVICTED),
                argumentSet(
                        "a spread of [3,0] by zone with two pods on the node in z2: it is [3,2]",
                        threeBeside("z2")
                                .pod("web-4", on("n9"), labels("app", "web"))
                                .pod("web-5", on("n9"), labels("app", "web")),
                        "pod shop/web-4 and 1 more may satisfy the rule, and its " + N9),
                argumentSet(
                        "a spread of [1,1] by zone with the node in z3 as a third domain: a move within z1 keeps it",
                        webBeside("z3", ssd, evenlyBy(WELL_KNOWN)).pod("web-2", on("n3"), labels("app", "web")),
                        EVICTED),
                argumentSet(
                        "anti-affinity by zone: the pod that it matches is on the node in z1",
                        webBeside("z1", ssd, apartFrom(term(app("db"), WELL_KNOWN)))
                                .pod("db-9", on("n9"), labels("app", "db")),
                        EVICTED),
                argumentSet(
                        "anti-affinity by zone of a pod on the node in z2: the pod goes to z1",
                        webBeside("z2", ssd)
                                .pod("db-9", on("n9"), labels("app", "db"), apartFrom(term(app("web"), WELL_KNOWN))),
                        EVICTED),
                argumentSet(
                        "affinity by zone to pods like itself: the only other one is on the node in z2",
                        webBeside("z2", ssd, near(term(app("web"), WELL_KNOWN)))
                                .pod("web-9", on("n9"), labels("app", "web")),
                        EVICTED));
    }

    @ParameterizedTest
    @MethodSource("knownDomains")
    void theZoneOfANodeIsKnownWhateverElseItHas(ClusterBuilder facts, String why) {
        expect(facts, why);
    }

    @Test
    void aChangeOfTheZoneOfAnUnreadNodeCounts() {
        PodTrait near = near(term(app("cache"), WELL_KNOWN));
        EngineScenario engineScenario = EngineScenario.begin(
                        webBeside("z1", near)
                                .pod("cache-1", on("n3"), labels("app", "cache"))
                                .pod("cache-9", on("n9"), labels("app", "cache")),
                        enforcing())
                .after(FORGIVENESS);
        assertThat(engineScenario.held()).isEqualTo(Reason.TOO_COMPLEX);

        engineScenario.happens(oddIn("z2")).after(FORGIVENESS);

        assertThat(engineScenario.evicted()).containsExactly("web-1");
    }

    private static void expect(ClusterBuilder facts, String why) {
        EngineScenario engineScenario = EngineScenario.begin(facts, enforcing()).after(FORGIVENESS);

        if (why.isEmpty()) {
            assertThat(engineScenario.evicted()).containsExactly("web-1");
        } else {
            assertThat(engineScenario.evicted()).isEmpty();
            assertThat(engineScenario.held()).isEqualTo(Reason.TOO_COMPLEX);
            assertThat(engineScenario.heldBecause()).isEqualTo(why);
        }
    }

    @Test
    void thePlaceMustBeKnownEvenIfThePodMayBeEvictedWithoutOne() {
        Policy evicting = TestPolicies.asking("ssd", Rules.nodeSelectorRule("disk", "ssd"), WhenInfeasible.EVICT);
        EngineScenario engineScenario = EngineScenario.begin(
                        web(apartFrom(term(app("db"), ZONE))).pod("db-9", on("n9"), labels("app", "db")), evicting)
                .after(FORGIVENESS);

        assertThat(engineScenario.evicted()).isEmpty();
        assertThat(engineScenario.held()).isEqualTo(Reason.TOO_COMPLEX);
    }

    @Test
    void aPodOnTheNodeHasNoVerdictAndItsClockStartsAgain() {
        EngineScenario engineScenario = EngineScenario.begin(web(nodeSelector("disk", "ssd")), enforcing())
                .happens(nodeUnread("n1", WHY))
                .after(FORGIVENESS);

        assertThat(engineScenario.evicted()).isEmpty();
        assertThat(engineScenario.holds()).isEmpty();

        engineScenario.happens(nodeChanged("n1", labels(ZONE, "z1", HOSTNAME, "n1", "disk", "hdd")));
        assertThat(engineScenario.evicted()).isEmpty();

        engineScenario.after(FORGIVENESS);
        assertThat(engineScenario.evicted()).containsExactly("web-1");
    }

    @Test
    void aWebStaysBesideItsCacheWhileTheNodeOfTheCacheIsUnread() {
        EngineScenario engineScenario = EngineScenario.begin(
                        cluster()
                                .node("n1", labels(ZONE, "z1"))
                                .node("n2", labels(ZONE, "z1"))
                                .node("n3", labels(ZONE, "z2"))
                                .replicaSet("web", 1)
                                .pod("web-1", on("n1"), replicaOf("web"), labels("app", "web"), NEAR_CACHE)
                                .pod("cache-1", on("n2"), labels("app", "cache"))
                                .pod("cache-2", on("n3"), labels("app", "cache")),
                        enforcing())
                .happens(nodeUnread("n2", WHY))
                .after(FORGIVENESS.multipliedBy(10));

        assertThat(engineScenario.evicted()).isEmpty();
        assertThat(engineScenario.held()).isEqualTo(Reason.TOO_COMPLEX);

        engineScenario.happens(nodeChanged("n2", labels(ZONE, "z1"))).after(FORGIVENESS.multipliedBy(10));
        assertThat(engineScenario.evicted()).isEmpty();
        assertThat(engineScenario.activity().nodesTooComplex()).isZero();
    }

    @Test
    void theHoldEndsWithTheNodeOrItsPod() {
        EngineScenario engineScenario = EngineScenario.begin(
                        web(NEAR_CACHE).pod("cache-9", on("n9"), labels("app", "cache")), enforcing())
                .after(FORGIVENESS);
        assertThat(engineScenario.held()).isEqualTo(Reason.TOO_COMPLEX);

        engineScenario.happens(podGone("cache-9")).after(FORGIVENESS);

        assertThat(engineScenario.evicted()).containsExactly("web-1");
    }

    @Test
    void aNodeThatIsGoneDecidesNothing() {
        EngineScenario engineScenario = EngineScenario.begin(
                        web(NEAR_CACHE).pod("cache-9", on("n9"), labels("app", "cache")), enforcing())
                .happens(nodeGone("n9"))
                .after(FORGIVENESS);

        assertThat(engineScenario.evicted()).containsExactly("web-1");
    }

    @Test
    void unreadNodesAreCountedUntilTheyAreReadOrGone() {
        EngineScenario engineScenario = EngineScenario.begin(web(NEAR_CACHE), enforcing());
        assertThat(engineScenario.activity().nodesTooComplex()).isEqualTo(1);

        engineScenario.happens(nodeUnread("n3", WHY)).happens(nodeUnread("n3", WHY));
        assertThat(engineScenario.activity().nodesTooComplex()).isEqualTo(2);

        engineScenario.happens(nodeChanged("n3", labels(ZONE, "z2"))).happens(nodeGone("n9"));
        assertThat(engineScenario.activity().nodesTooComplex()).isZero();
    }

    @Test
    void aLabelThatIsUnreadIsNotLost() {
        ClusterBuilder many = cluster().replicaSet("web", 1);
        for (int i = 1; i <= 5; i++) {
            many.node("n" + i, labels("disk", "ssd"));
        }
        many.pod("web-1", on("n1"), replicaOf("web"), labels("app", "web"), nodeSelector("disk", "ssd"));
        EngineScenario engineScenario = EngineScenario.begin(many, enforcing());

        for (int i = 1; i <= 5; i++) {
            engineScenario.happens(nodeUnread("n" + i, WHY));
        }
        assertThat(engineScenario.turns).isEmpty();

        for (int i = 1; i <= 5; i++) {
            engineScenario.happens(nodeChanged("n" + i, labels("disk", "hdd")));
        }
        engineScenario.after(FORGIVENESS);
        assertThat(engineScenario.evicted()).isEmpty();
        assertThat(engineScenario.held()).isEqualTo(Reason.LABEL_BREAKER);
    }

    private static ClusterEvent manyLabels(int node, String values) {
        String[] pairs = new String[2_048];
        for (int i = 0; i < 1_024; i++) {
            pairs[2 * i] = "feature-" + i;
            pairs[2 * i + 1] = values;
        }
        return nodeChanged("many-" + node, labels(pairs));
    }

    @Test
    void labelsThatNodesShareAreReadOfAnyNumberOfNodes() {
        EngineScenario engineScenario = EngineScenario.begin(cluster(), enforcing());

        for (int i = 0; i < 1_000; i++) {
            engineScenario.happens(manyLabels(i, "true"));
        }

        assertThat(engineScenario.activity().nodesTooComplex()).isZero();
    }

    /** A label takes 160 bytes and its characters. */
    @Test
    void labelsThatNodesDoNotShareAreReadWhileAllTakeAtMost64MebibytesAndNodesWithFewLabelsAlways() {
        EngineScenario engineScenario = EngineScenario.begin(cluster(), enforcing());
        String filler = "x".repeat(50);

        for (int i = 0; i < 400; i++) {
            engineScenario.happens(manyLabels(i, String.format(Locale.ROOT, "%05d", i) + filler));
        }
        engineScenario.happens(nodeChanged("few", labels("disk", "ssd")));

        int bytes = 1_024 * (160 + 55 + "feature-".length()) + 10 + 2 * 90 + 3 * 900 + 4 * 24;
        assertThat(engineScenario.activity().nodesTooComplex()).isEqualTo(400 - (64 << 20) / bytes);

        // A node that is gone makes room for the next one that is written.
        engineScenario
                .happens(nodeGone("many-0"))
                .happens(manyLabels(399, String.format(Locale.ROOT, "%05d", 399) + filler));
        assertThat(engineScenario.activity().nodesTooComplex()).isEqualTo(399 - (64 << 20) / bytes);
    }
}
