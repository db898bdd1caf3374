package dev.holdfast.policies.engine;

import static dev.holdfast.policies.engine.TestPolicies.FORGIVENESS;
import static dev.holdfast.policies.engine.TestPolicies.enforcing;
import static dev.holdfast.policies.testing.Demands.app;
import static dev.holdfast.policies.testing.Demands.expression;
import static dev.holdfast.policies.testing.Demands.matchLabels;
import static dev.holdfast.policies.testing.Demands.namespaceSelector;
import static dev.holdfast.policies.testing.Demands.selector;
import static dev.holdfast.policies.testing.Demands.term;
import static dev.holdfast.policies.testing.Facts.HOSTNAME;
import static dev.holdfast.policies.testing.Facts.cluster;
import static dev.holdfast.policies.testing.Facts.labels;
import static dev.holdfast.policies.testing.PodTraits.apartFrom;
import static dev.holdfast.policies.testing.PodTraits.in;
import static dev.holdfast.policies.testing.PodTraits.near;
import static dev.holdfast.policies.testing.PodTraits.on;
import static dev.holdfast.policies.testing.PodTraits.replicaOf;
import static dev.holdfast.policies.testing.PodTraits.spread;
import static dev.holdfast.policies.testing.PodTraits.tooComplex;
import static dev.holdfast.policies.testing.PodTraits.unbound;
import static dev.holdfast.policies.testing.PodTraits.unreadLabels;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.params.provider.Arguments.argumentSet;

import dev.holdfast.policies.evaluate.Reason;
import dev.holdfast.policies.model.ClusterEvent;
import dev.holdfast.policies.model.LabelSelector;
import dev.holdfast.policies.model.Labels;
import dev.holdfast.policies.model.Namespace;
import dev.holdfast.policies.model.NodeInclusionPolicy;
import dev.holdfast.policies.model.TopologySpreadConstraint;
import dev.holdfast.policies.testing.ClusterBuilder;
import dev.holdfast.policies.testing.PodTrait;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Tests what a pod whose labels were not read does to the rules of other pods. The cluster has nodes n1 and n2 in zone
 * z1, and n3 in zone z2.
 */
class UnreadLabelsTest {
    private static final String ZONE = "zone";
    private static final PodTrait NEAR_CACHE = near(term(app("cache"), ZONE));
    private static final PodTrait NEAR_DATA =
            near(term(app("cache"), ZONE, namespaceSelector(matchLabels("team", "data"))));
    private static final String EVICTED = "";
    private static final String ODD = "pod shop/odd, with labels that are too many to be read, may satisfy the rule";

    private static ClusterBuilder zones() {
        return cluster()
                .node("n1", labels(ZONE, "z1", HOSTNAME, "n1"))
                .node("n2", labels(ZONE, "z1", HOSTNAME, "n2"))
                .node("n3", labels(ZONE, "z2", HOSTNAME, "n3"))
                .replicaSet("web", 1);
    }

    /** {@return web-1 in z1 with the given rule, and a pod {@code app=cache} in z2} */
    private static ClusterBuilder web(PodTrait rule) {
        return zones().pod("web-1", on("n1"), replicaOf("web"), labels("app", "web"), rule)
                .pod("cache-1", on("n3"), labels("app", "cache"));
    }

    private static ClusterEvent namespace(String name, Labels labels) {
        return new ClusterEvent.NamespaceChanged(new Namespace(name, 1, labels));
    }

    private static PodTrait evenly() {
        return spread(new TopologySpreadConstraint(
                1, ZONE, Optional.of(app("web")), 1, NodeInclusionPolicy.HONOR, NodeInclusionPolicy.IGNORE, List.of()));
    }

    private static ClusterBuilder three() {
        return zones().pod("web-1", on("n1"), replicaOf("web"), labels("app", "web"), evenly())
                .pod("web-2", on("n1"), labels("app", "web"))
                .pod("web-3", on("n2"), labels("app", "web"));
    }

    static Stream<Arguments> rows() {
        return Stream.of(
                argumentSet("affinity, and no such pod", web(NEAR_CACHE), EVICTED),
                argumentSet(
                        "affinity, and such a pod in the zone: it may be the partner",
                        web(NEAR_CACHE).pod("odd", on("n2"), unreadLabels()),
                        ODD),
                argumentSet(
                        "affinity, and two such pods in the zone",
                        web(NEAR_CACHE).pod("odd", on("n2"), unreadLabels()).pod("odd-2", on("n2"), unreadLabels()),
                        "pod shop/odd and 1 more, with labels that are too many to be read, may satisfy the rule"),
                argumentSet(
                        "affinity, and such a pod in the other zone, which is of no use",
                        web(NEAR_CACHE).pod("odd", on("n3"), unreadLabels()),
                        EVICTED),
                argumentSet(
                        "affinity, and such a pod in a namespace that the term does not reach",
                        web(NEAR_CACHE).pod("odd", on("n2"), in("other"), unreadLabels()),
                        EVICTED),
                argumentSet(
                        "affinity, and such a pod without a node",
                        web(NEAR_CACHE).pod("odd", unbound(), unreadLabels()),
                        EVICTED),
                argumentSet(
                        "affinity to a namespace by labels, and a pod in one whose labels were not read",
                        web(NEAR_DATA)
                                .namespace("data", labels("team", "data"))
                                .pod("cache-2", on("n3"), in("data"), labels("app", "cache"))
                                .with(namespace("odd", Labels.unread()))
                                .pod("cache-3", on("n2"), in("odd"), labels("app", "cache")),
                        "pod odd/cache-3, with labels that are too many to be read, may satisfy the rule"),
                argumentSet(
                        "affinity to a namespace by labels, and a pod with other labels in such a namespace",
                        web(NEAR_DATA)
                                .namespace("data", labels("team", "data"))
                                .pod("cache-2", on("n3"), in("data"), labels("app", "cache"))
                                .with(namespace("odd", Labels.unread()))
                                .pod("cache-3", on("n2"), in("odd"), labels("app", "other")),
                        EVICTED),
                argumentSet(
                        "affinity to a namespace by labels, and such a pod in one that has them",
                        web(NEAR_DATA)
                                .namespace("data", labels("team", "data"))
                                .pod("cache-2", on("n3"), in("data"), labels("app", "cache"))
                                .pod("odd", on("n2"), in("data"), unreadLabels()),
                        "pod data/odd, with labels that are too many to be read, may satisfy the rule"),
                argumentSet(
                        "affinity to a namespace by labels, and such a pod in one that has others",
                        web(NEAR_DATA)
                                .namespace("data", labels("team", "data"))
                                .namespace("other", labels("team", "other"))
                                .pod("cache-2", on("n3"), in("data"), labels("app", "cache"))
                                .pod("odd", on("n2"), in("other"), unreadLabels()),
                        EVICTED),
                argumentSet(
                        "affinity to all namespaces, and such a pod in another one",
                        web(near(term(app("cache"), ZONE, namespaceSelector(LabelSelector.everything()))))
                                .pod("odd", on("n2"), in("other"), unreadLabels()),
                        "pod other/odd, with labels that are too many to be read, may satisfy the rule"),
                argumentSet("a spread of [3,0]", three(), EVICTED),
                argumentSet(
                        "a spread of [3,0], and such a pod in z2: it may be [3,1]",
                        three().pod("odd", on("n3"), unreadLabels()),
                        ODD),
                argumentSet(
                        "a spread of [3,0], and such a pod in z1: it is [3,0] or [4,0]",
                        three().pod("odd", on("n2"), unreadLabels()),
                        EVICTED),
                argumentSet(
                        "a spread of [3,0], and such a pod of another namespace in z2",
                        three().pod("odd", on("n3"), in("other"), unreadLabels()),
                        EVICTED));
    }

    @ParameterizedTest
    @MethodSource("rows")
    void aPodIsEvictedOnlyIfItsRuleIsBrokenWhateverTheLabelsAre(ClusterBuilder facts, String why) {
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
    void aSelectorThatSuchAPodMightNotMatchIsNoConflict() {
        PodTrait alone = apartFrom(term(selector(expression("app", "NotIn", "web")), HOSTNAME));
        EngineScenario engineScenario = EngineScenario.begin(
                        zones().pod("web-1", on("n1"), replicaOf("web"), labels("app", "web"), alone)
                                .pod("odd", on("n1"), unreadLabels()),
                        enforcing())
                .after(FORGIVENESS);

        assertThat(engineScenario.evicted()).isEmpty();
        assertThat(engineScenario.holds()).isEmpty();
    }

    static Stream<Arguments> targets() {
        PodTrait odd = tooComplex("it has 40 rules, and Holdfast reads at most 12");
        return Stream.of(
                argumentSet("its labels may match the pod's own anti-affinity", unreadLabels(), labels()),
                argumentSet(
                        "its anti-affinity counts, although its own rules do not",
                        odd,
                        apartFrom(term(LabelSelector.everything(), HOSTNAME))));
    }

    @ParameterizedTest
    @MethodSource("targets")
    void noPodIsMovedNextToAPodThatIsTooComplexIf(PodTrait odd, PodTrait other) {
        EngineScenario engineScenario = EngineScenario.begin(
                        cluster()
                                .node("n1", labels(HOSTNAME, "n1"))
                                .node("n2", labels(HOSTNAME, "n2"))
                                .replicaSet("web", 1)
                                .pod(
                                        "web-1",
                                        on("n1"),
                                        replicaOf("web"),
                                        labels("app", "web"),
                                        apartFrom(term(app("db"), HOSTNAME)))
                                .pod("db-1", on("n1"), labels("app", "db"))
                                .pod("odd", on("n2"), odd, other),
                        enforcing())
                .after(FORGIVENESS);

        assertThat(engineScenario.evicted()).isEmpty();
        assertThat(engineScenario.held()).isEqualTo(Reason.INFEASIBLE);
    }

    @Test
    void noPodIsMovedToWhereAntiAffinityMayReachItsNamespaceWhoseLabelsAreUnread() {
        PodTrait awayFromWeb = apartFrom(term(app("web"), HOSTNAME, namespaceSelector(matchLabels("team", "data"))));
        EngineScenario engineScenario = EngineScenario.begin(
                        cluster()
                                .node("n1", labels(HOSTNAME, "n1"))
                                .node("n2", labels(HOSTNAME, "n2"))
                                .with(namespace("shop", Labels.unread()))
                                .replicaSet("web", 1)
                                .pod(
                                        "web-1",
                                        on("n1"),
                                        replicaOf("web"),
                                        labels("app", "web"),
                                        apartFrom(term(app("db"), HOSTNAME)))
                                .pod("db-1", on("n1"), labels("app", "db"))
                                .pod("etl-1", on("n2"), in("data"), labels("app", "etl"), awayFromWeb),
                        enforcing())
                .after(FORGIVENESS);

        assertThat(engineScenario.evicted()).isEmpty();
        assertThat(engineScenario.held()).isEqualTo(Reason.INFEASIBLE);
    }

    @Test
    void itsOwnRulesHoldForNoPod() {
        EngineScenario engineScenario = EngineScenario.begin(
                        zones().pod(
                                        "odd",
                                        on("n1"),
                                        replicaOf("web"),
                                        unreadLabels(),
                                        apartFrom(term(app("db"), HOSTNAME)))
                                .pod("db-1", on("n1"), labels("app", "db")),
                        enforcing())
                .after(FORGIVENESS);

        assertThat(engineScenario.holds()).isEmpty();
        assertThat(engineScenario.evicted()).isEmpty();
    }
}
