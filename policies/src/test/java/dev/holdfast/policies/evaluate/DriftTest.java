package dev.holdfast.policies.evaluate;

import static dev.holdfast.policies.evaluate.Expected.satisfied;
import static dev.holdfast.policies.evaluate.Expected.sharing;
import static dev.holdfast.policies.evaluate.Expected.undetermined;
import static dev.holdfast.policies.evaluate.Expected.violated;
import static dev.holdfast.policies.testing.Changes.namespaceChanged;
import static dev.holdfast.policies.testing.Changes.namespaceGone;
import static dev.holdfast.policies.testing.Changes.nodeChanged;
import static dev.holdfast.policies.testing.Changes.nodeGone;
import static dev.holdfast.policies.testing.Changes.podChanged;
import static dev.holdfast.policies.testing.Changes.podGone;
import static dev.holdfast.policies.testing.Demands.app;
import static dev.holdfast.policies.testing.Demands.expression;
import static dev.holdfast.policies.testing.Demands.matchLabelKeys;
import static dev.holdfast.policies.testing.Demands.matchLabels;
import static dev.holdfast.policies.testing.Demands.namespaceSelector;
import static dev.holdfast.policies.testing.Demands.nodeTerm;
import static dev.holdfast.policies.testing.Demands.selector;
import static dev.holdfast.policies.testing.Demands.term;
import static dev.holdfast.policies.testing.Facts.ZONE;
import static dev.holdfast.policies.testing.Facts.cluster;
import static dev.holdfast.policies.testing.Facts.labels;
import static dev.holdfast.policies.testing.Facts.uid;
import static dev.holdfast.policies.testing.NodeTraits.zone;
import static dev.holdfast.policies.testing.PodTraits.in;
import static dev.holdfast.policies.testing.PodTraits.on;
import static dev.holdfast.policies.testing.PodTraits.phase;
import static dev.holdfast.policies.testing.PodTraits.terminating;
import static dev.holdfast.policies.testing.Rules.affinityRule;
import static dev.holdfast.policies.testing.Rules.antiAffinityRule;
import static dev.holdfast.policies.testing.Rules.nodeRule;
import static dev.holdfast.policies.testing.Rules.nodeSelectorRule;
import static dev.holdfast.policies.testing.Rules.spreadRule;
import static dev.holdfast.policies.testing.Spreads.maxSkew;
import static dev.holdfast.policies.testing.Spreads.minDomains;

import dev.holdfast.policies.model.Phase;
import dev.holdfast.policies.rule.Rule;
import dev.holdfast.policies.testing.ClusterBuilder;
import dev.holdfast.policies.testing.PodTrait;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Verdicts that change while pods run: each scenario ends with another verdict than it began with. */
class DriftTest {
    private static final String BY_ZONE = " by topology.kubernetes.io/zone";
    private static final Rule APART_FROM_WEB = antiAffinityRule(term(app("web"), ZONE));
    private static final Rule APART_FROM_BATCH = antiAffinityRule(term(app("batch"), ZONE));
    private static final Rule NEAR_WEB = affinityRule(term(app("web"), ZONE));
    private static final Rule NEAR_CACHE = affinityRule(term(app("cache"), ZONE));
    private static final Rule EVEN = spreadRule(maxSkew(1, ZONE, app("web")));
    private static final PodTrait WEB = labels("app", "web");
    private static final PodTrait CACHE = labels("app", "cache");
    private static final PodTrait BATCH = labels("app", "batch");

    static Stream<Arguments> antiAffinity() {
        return Stream.of(
                        new VerdictScenario(
                                        "D-1: two replicas whose nodes come to share a zone are both violated, and the"
                                                + " one that stays is healed",
                                        webs("n1", "n2"),
                                        APART_FROM_WEB)
                                .judged("web-1", satisfied())
                                .then(nodeChanged("n2", zone("a")))
                                .judged("web-1", sharing(ZONE, "a", "web-2"))
                                .judged("web-2", sharing(ZONE, "a", "web-1"))
                                .then(podGone("web-1"))
                                .judged("web-2", satisfied()),
                        new VerdictScenario(
                                        "D-6: a terminating pod in conflict still conflicts until it is gone",
                                        webs("n1", "n1"),
                                        APART_FROM_WEB)
                                .then(podChanged("web-2", on("n1"), WEB, terminating()))
                                .judged("web-1", sharing(ZONE, "a", "web-2"))
                                .then(podGone("web-2"))
                                .judged("web-1", satisfied()),
                        new VerdictScenario(
                                        "D-7: a pod relabelled into a conflict",
                                        webs("n1").pod("job", on("n1")),
                                        APART_FROM_BATCH)
                                .judged("web-1", satisfied())
                                .then(podChanged("job", on("n1"), BATCH))
                                .judged("web-1", sharing(ZONE, "a", "job")),
                        new VerdictScenario(
                                        "D-7: a pod bound into a conflict by hand",
                                        webs("n1").pod("job", BATCH),
                                        APART_FROM_BATCH)
                                .judged("web-1", satisfied())
                                .then(podChanged("job", on("n1"), BATCH))
                                .judged("web-1", sharing(ZONE, "a", "job")),
                        new VerdictScenario(
                                        "D-12: a namespace relabelled breaks the rule of a pod in another namespace,"
                                                + " not those of its own pods",
                                        webs("n1")
                                                .namespace("bank", labels("team", "blue"))
                                                .pod("batch", in("bank"), on("n1"), BATCH),
                                        antiAffinityRule(
                                                term(selector(), ZONE, namespaceSelector(matchLabels("team", "data")))))
                                .judged("web-1", satisfied())
                                .judged("batch", satisfied())
                                .then(namespaceChanged("bank", labels("team", "data")))
                                .judged("web-1", sharing(ZONE, "a", "batch"))
                                .judged("batch", satisfied())
                                .then(namespaceGone("bank"))
                                .judged("web-1", satisfied()),
                        new VerdictScenario(
                                        "D-13: a pod relabelled keeps its own term; the pods that select its new"
                                                + " label are the ones it breaks",
                                        webs("n1").pod("shy", on("n1"), labels("app", "shy")),
                                        APART_FROM_BATCH)
                                .then(podChanged("web-1", on("n1"), BATCH))
                                .judged("web-1", satisfied())
                                .judged("shy", sharing(ZONE, "a", "web-1")),
                        new VerdictScenario(
                                        "D-15: two pods whose terms name each other's label: the first owner",
                                        mutual(),
                                        APART_FROM_BATCH)
                                .judged("web-1", satisfied())
                                .then(nodeChanged("n2", zone("a")))
                                .judged("web-1", sharing(ZONE, "a", "batch")),
                        new VerdictScenario(
                                        "D-15: two pods whose terms name each other's label: the second owner",
                                        mutual(),
                                        APART_FROM_WEB)
                                .judged("batch", satisfied())
                                .then(nodeChanged("n2", zone("a")))
                                .judged("batch", sharing(ZONE, "a", "web-1")),
                        new VerdictScenario(
                                        "D-11: replicas of two revisions in one zone during a rollout do not see each"
                                                + " other",
                                        zones().pod("old", on("n1"), labels("app", "web", "pod-template-hash", "7f")),
                                        antiAffinityRule(term(app("web"), ZONE, matchLabelKeys("pod-template-hash"))))
                                .then(podChanged("new", on("n1"), labels("app", "web", "pod-template-hash", "80")))
                                .judged("old", satisfied())
                                .judged("new", satisfied())
                                .then(podChanged("new", on("n1"), labels("app", "web", "pod-template-hash", "7f")))
                                .judged("old", sharing(ZONE, "a", "new")))
                .map(VerdictScenario::arguments);
    }

    static Stream<Arguments> affinity() {
        return Stream.of(
                        new VerdictScenario(
                                        "D-2: a group split 3/2 has no violation",
                                        webs("n1", "n1", "n1", "n2", "n2"),
                                        NEAR_WEB)
                                .judged("web-1", satisfied())
                                .judged("web-4", satisfied()),
                        new VerdictScenario(
                                        "D-2: a group split 3/1 has one, and it heals where it joins the others",
                                        webs("n1", "n1", "n1", "n2"),
                                        NEAR_WEB)
                                .judged("web-1", satisfied())
                                .judged("web-4", withoutMate("b", "near (app=web)" + BY_ZONE))
                                .then(podGone("web-4"), podChanged("web-5", on("n1"), WEB))
                                .judged("web-5", satisfied()),
                        new VerdictScenario(
                                        "D-2: of a group split 1/1 both are violated until one is gone",
                                        webs("n1", "n2"),
                                        NEAR_WEB)
                                .judged("web-1", withoutMate("a", "near (app=web)" + BY_ZONE))
                                .judged("web-2", withoutMate("b", "near (app=web)" + BY_ZONE))
                                .then(podGone("web-1"))
                                .judged("web-2", satisfied()),
                        new VerdictScenario(
                                        "D-3: a lone self-affine pod passes until its node loses the key",
                                        webs("n1"),
                                        NEAR_WEB)
                                .judged("web-1", satisfied())
                                .then(nodeChanged("n1"))
                                .judged("web-1", violated(new ViolationDetail.NoTopologyKey("n1", ZONE))),
                        new VerdictScenario(
                                        "D-4: the partner is deleted",
                                        webs("n1").pod("cache", on("n1"), CACHE),
                                        NEAR_CACHE)
                                .judged("web-1", satisfied())
                                .then(podGone("cache"))
                                .judged("web-1", alone("a", "near (app=cache)" + BY_ZONE)),
                        new VerdictScenario(
                                        "D-4: the partner is relabelled",
                                        webs("n1").pod("cache", on("n1"), CACHE),
                                        NEAR_CACHE)
                                .then(podChanged("cache", on("n1"), BATCH))
                                .judged("web-1", alone("a", "near (app=cache)" + BY_ZONE)),
                        new VerdictScenario(
                                        "D-4: the partner comes back in another zone",
                                        webs("n1").pod("cache", on("n1"), CACHE),
                                        NEAR_CACHE)
                                .then(podGone("cache"), podChanged("cache", uid("cache again"), on("n2"), CACHE))
                                .judged("web-1", alone("a", "near (app=cache)" + BY_ZONE)),
                        new VerdictScenario(
                                        "D-5: the partner is terminating, is gone, and is replaced",
                                        webs("n1").pod("cache", on("n1"), CACHE),
                                        NEAR_CACHE)
                                .then(podChanged("cache", on("n1"), CACHE, terminating()))
                                .judged("web-1", satisfied())
                                .then(podGone("cache"))
                                .judged("web-1", alone("a", "near (app=cache)" + BY_ZONE))
                                .then(podChanged("cache-2", CACHE, phase(Phase.PENDING)))
                                .judged("web-1", alone("a", "near (app=cache)" + BY_ZONE))
                                .then(podChanged("cache-2", on("n1"), CACHE, phase(Phase.PENDING)))
                                .judged("web-1", satisfied()),
                        new VerdictScenario(
                                        "D-13: a lone pod relabelled is no partner of its own any more",
                                        webs("n1"),
                                        NEAR_WEB)
                                .judged("web-1", satisfied())
                                .then(podChanged("web-1", on("n1"), BATCH))
                                .judged("web-1", alone("a", "near (app=web)" + BY_ZONE)))
                .map(VerdictScenario::arguments);
    }

    static Stream<Arguments> spreadAndNodes() {
        return Stream.of(
                        new VerdictScenario(
                                        "D-8: a node that loses the key breaks affinity",
                                        webs("n1").pod("cache", on("n1"), CACHE),
                                        NEAR_CACHE)
                                .judged("web-1", satisfied())
                                .then(nodeChanged("n1"))
                                .judged("web-1", violated(new ViolationDetail.NoTopologyKey("n1", ZONE))),
                        new VerdictScenario(
                                        "D-8: a node that loses the key heals anti-affinity",
                                        webs("n1", "n1"),
                                        APART_FROM_WEB)
                                .judged("web-1", sharing(ZONE, "a", "web-2"))
                                .then(nodeChanged("n1"))
                                .judged("web-1", satisfied()),
                        new VerdictScenario("D-8: a node that loses the key breaks a spread", webs("n1", "n2"), EVEN)
                                .judged("web-1", satisfied())
                                .then(nodeChanged("n1"))
                                .judged("web-1", violated(new ViolationDetail.NoTopologyKey("n1", ZONE)))
                                .judged("web-2", satisfied()),
                        new VerdictScenario(
                                        "D-9: of [4,0] all four are violated, of [3,1] all three, of [2,2] none",
                                        webs("n1", "n1", "n1", "n1"),
                                        EVEN)
                                .judged("web-1", skew("a", 3, 0))
                                .judged("web-2", skew("a", 3, 0))
                                .judged("web-3", skew("a", 3, 0))
                                .judged("web-4", skew("a", 3, 0))
                                .then(podGone("web-4"), podChanged("web-5", on("n2"), WEB))
                                .judged("web-1", skew("a", 2, 1))
                                .judged("web-5", satisfied())
                                .then(podGone("web-3"), podChanged("web-6", on("n2"), WEB))
                                .judged("web-1", satisfied())
                                .judged("web-2", satisfied())
                                .judged("web-5", satisfied())
                                .judged("web-6", satisfied()),
                        new VerdictScenario(
                                        "D-10: a zone that is lost leaves minDomains 3 unmet, and every healthy pod"
                                                + " beyond one a zone is violated",
                                        webs("n1", "n1", "n2", "n2", "n3", "n3").node("n3", zone("c")),
                                        spreadRule(maxSkew(1, ZONE, app("web"), minDomains(3))))
                                .judged("web-1", satisfied())
                                .then(nodeGone("n3"))
                                .judged("web-1", tooFew("a"))
                                .judged("web-3", tooFew("b"))
                                .judged("web-5", undetermined(Reason.NODE_MISSING, "no node n3")),
                        new VerdictScenario(
                                        "D-10: without minDomains a lost zone has no effect",
                                        webs("n1", "n1", "n2", "n2", "n3").node("n3", zone("c")),
                                        EVEN)
                                .judged("web-1", satisfied())
                                .then(nodeGone("n3"))
                                .judged("web-1", satisfied()),
                        new VerdictScenario(
                                        "D-13: a pod relabelled does not count itself any more: 1 other + 1 - 0 = 2 >"
                                                + " 1, then 1 other + 0 - 0 = 1",
                                        webs("n1", "n1"),
                                        EVEN)
                                .judged("web-1", skew("a", 1, 0))
                                .then(podChanged("web-1", on("n1"), BATCH))
                                .judged("web-1", satisfied()),
                        new VerdictScenario(
                                        "D-14: a node deleted and made again is known by its last labels alone",
                                        webs("n1"),
                                        nodeSelectorRule("disk", "ssd"))
                                .judged(
                                        "web-1",
                                        violated(new ViolationDetail.NodeMismatch(
                                                "n1", "disk=ssd", "it has no label disk")))
                                .then(
                                        nodeChanged("n1", labels("disk", "nvme")),
                                        nodeGone("n1"),
                                        nodeChanged("n1", uid("n1 again"), labels("disk", "ssd")))
                                .judged("web-1", satisfied()),
                        new VerdictScenario(
                                        "X-0: a node deleted and made again makes the verdict undetermined in between",
                                        webs("n1"),
                                        nodeSelectorRule("disk", "ssd"))
                                .then(nodeGone("n1"))
                                .judged("web-1", undetermined(Reason.NODE_MISSING, "no node n1"))
                                .then(nodeChanged("n1", uid("n1 again"), labels("disk", "ssd")))
                                .judged("web-1", satisfied()),
                        new VerdictScenario(
                                        "X-1: the label of its node changes and changes back",
                                        webs("n1"),
                                        nodeRule(nodeTerm(expression(ZONE, "In", "a"))))
                                .judged("web-1", satisfied())
                                .then(nodeChanged("n1", zone("b")))
                                .judged(
                                        "web-1",
                                        violated(new ViolationDetail.NodeMismatch(
                                                "n1",
                                                "topology.kubernetes.io/zone In [a]",
                                                "it has topology.kubernetes.io/zone=b")))
                                .then(nodeChanged("n1", zone("a")))
                                .judged("web-1", satisfied()))
                .map(VerdictScenario::arguments);
    }

    @ParameterizedTest
    @MethodSource({"antiAffinity", "affinity", "spreadAndNodes"})
    void story(VerdictScenario verdictScenario) {
        verdictScenario.applyAll();
    }

    private static ClusterBuilder zones() {
        return cluster().node("n1", zone("a")).node("n2", zone("b"));
    }

    /** {@return a cluster with pod web-1 on the first of these nodes, web-2 on the second, and so on} */
    private static ClusterBuilder webs(String... nodes) {
        ClusterBuilder cluster = zones();
        for (int i = 0; i < nodes.length; i++) {
            cluster.pod("web-" + (i + 1), on(nodes[i]), WEB);
        }
        return cluster;
    }

    private static ClusterBuilder mutual() {
        return webs("n1").pod("batch", on("n2"), BATCH);
    }

    /** {@return the violation of a pod that matches its own term} */
    private static Expected withoutMate(String domain, String demanded) {
        return violated(new ViolationDetail.NoPartner(ZONE, domain, 1, 1, demanded));
    }

    private static Expected alone(String domain, String demanded) {
        return violated(new ViolationDetail.NoPartner(ZONE, domain, 1, demanded));
    }

    /** {@return that one other pod is in the domain, of which there are two, as full as each other, and not three} */
    private static Expected tooFew(String domain) {
        return violated(
                new ViolationDetail.Skew(ZONE, domain, 1, 1, new LeastCount.OfTooFewDomains(2, 3, "", true), 1));
    }

    private static Expected skew(String domain, int others, int least) {
        return violated(new ViolationDetail.Skew(ZONE, domain, others, 1, new LeastCount.OfDomain("b", least), 1));
    }
}
