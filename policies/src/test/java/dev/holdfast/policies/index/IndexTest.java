package dev.holdfast.policies.index;

import static dev.holdfast.policies.testing.Changes.budgetChanged;
import static dev.holdfast.policies.testing.Changes.budgetGone;
import static dev.holdfast.policies.testing.Changes.namespaceChanged;
import static dev.holdfast.policies.testing.Changes.namespaceGone;
import static dev.holdfast.policies.testing.Changes.nodeChanged;
import static dev.holdfast.policies.testing.Changes.nodeGone;
import static dev.holdfast.policies.testing.Changes.podChanged;
import static dev.holdfast.policies.testing.Changes.podGone;
import static dev.holdfast.policies.testing.Changes.replicaSetChanged;
import static dev.holdfast.policies.testing.Changes.replicaSetGone;
import static dev.holdfast.policies.testing.Demands.app;
import static dev.holdfast.policies.testing.Demands.matchLabels;
import static dev.holdfast.policies.testing.Demands.namespaceSelector;
import static dev.holdfast.policies.testing.Demands.term;
import static dev.holdfast.policies.testing.Facts.RACK;
import static dev.holdfast.policies.testing.Facts.ZONE;
import static dev.holdfast.policies.testing.Facts.cluster;
import static dev.holdfast.policies.testing.Facts.labels;
import static dev.holdfast.policies.testing.Facts.resourceVersion;
import static dev.holdfast.policies.testing.NodeTraits.rack;
import static dev.holdfast.policies.testing.NodeTraits.tainted;
import static dev.holdfast.policies.testing.NodeTraits.zone;
import static dev.holdfast.policies.testing.PodTraits.apartFrom;
import static dev.holdfast.policies.testing.PodTraits.in;
import static dev.holdfast.policies.testing.PodTraits.near;
import static dev.holdfast.policies.testing.PodTraits.needing;
import static dev.holdfast.policies.testing.PodTraits.nodeSelector;
import static dev.holdfast.policies.testing.PodTraits.on;
import static dev.holdfast.policies.testing.PodTraits.phase;
import static dev.holdfast.policies.testing.PodTraits.spread;
import static dev.holdfast.policies.testing.PodTraits.terminating;
import static dev.holdfast.policies.testing.PodTraits.tolerating;
import static dev.holdfast.policies.testing.Spreads.honoringTaints;
import static dev.holdfast.policies.testing.Spreads.maxSkew;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.params.provider.Arguments.argumentSet;

import dev.holdfast.policies.evaluate.ViolationDetail;
import dev.holdfast.policies.model.ClusterEvent;
import dev.holdfast.policies.model.HostPort;
import dev.holdfast.policies.model.LabelSelector;
import dev.holdfast.policies.model.Phase;
import dev.holdfast.policies.model.Pod;
import dev.holdfast.policies.model.PodRequirements;
import dev.holdfast.policies.model.Resources;
import dev.holdfast.policies.model.Toleration;
import dev.holdfast.policies.rule.AppliedRule;
import dev.holdfast.policies.rule.Enforcement;
import dev.holdfast.policies.rule.Mode;
import dev.holdfast.policies.rule.Policy;
import dev.holdfast.policies.rule.PolicyId;
import dev.holdfast.policies.rule.RuleKind;
import dev.holdfast.policies.rule.WhenInfeasible;
import dev.holdfast.policies.testing.ClusterBuilder;
import dev.holdfast.policies.testing.Demands;
import dev.holdfast.policies.testing.PodTrait;
import dev.holdfast.policies.testing.PolicyDraft;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What the index reports for one change: the pods whose violations begin or end, and the cause. */
public class IndexTest {
    private static final PodTrait BY_ZONE = spread(maxSkew(1, ZONE, app("web")));
    private static final PodTrait BY_ZONE_AND_TAINT = spread(maxSkew(1, ZONE, app("web"), honoringTaints()));

    private final Told told = new Told();
    private final Index index = new Index(Set.of("kube-system"), told);

    private static Policy named(PolicyId id) {
        Policy like = everything();
        return new Policy(
                id, 1, like.mode(), like.pods(), like.nodes(), like.namespaces(), like.podRules(), like.rules());
    }

    private static Policy policy(int generation, Duration forgiveness, LabelSelector pods) {
        Enforcement enforcement = new Enforcement(Mode.AUDIT, forgiveness, WhenInfeasible.WAIT);
        return PolicyDraft.of(PolicyId.cluster("all"), Mode.AUDIT)
                .generation(generation)
                .pods(Demands.matcher(pods))
                .podRules(Stream.of(RuleKind.values()).collect(Collectors.toMap(kind -> kind, _ -> enforcement)))
                .policy();
    }

    public static Policy everything() {
        return policy(1, Duration.ofMinutes(1), LabelSelector.everything());
    }

    private void given(ClusterBuilder facts) {
        index.put(everything());
        facts.facts().forEach(index::apply);
        told.clear();
    }

    /**
     * Two pods in zone a, and one pod on node b1 in zone b; node b2 is empty. The spread counts are [2, 1] while b1 is
     * eligible.
     */
    private static ClusterBuilder spreading(PodTrait demand) {
        return cluster()
                .node("a1", zone("a"))
                .node("b1", zone("b"))
                .node("b2", zone("b"))
                .pod("web-1", on("a1"), labels("app", "web"), demand)
                .pod("web-2", on("a1"), labels("app", "web"))
                .pod("web-3", on("b1"), labels("app", "web"));
    }

    private static ClusterBuilder apart() {
        return cluster()
                .node("a1", zone("a"))
                .node("a2", zone("a"))
                .namespace("shop", labels())
                .namespace("lab", labels())
                .pod(
                        "web-1",
                        on("a1"),
                        apartFrom(term(app("noisy"), ZONE, namespaceSelector(matchLabels("team", "red")))));
    }

    static Stream<Arguments> changes() {
        ClusterBuilder onSsd = cluster()
                .node("n1", labels("disk", "ssd", "cpu", "new"))
                .pod("web-1", on("n1"), nodeSelector("disk", "ssd"));
        ClusterBuilder nearCache = cluster()
                .node("a1", zone("a"))
                .node("a2", zone("a"))
                .pod("web-1", on("a1"), near(term(app("cache"), ZONE)))
                .pod("cache-1", on("a2"), labels("app", "cache"));
        return Stream.of(
                argumentSet(
                        "a pod is bound to a node that violates its rule",
                        cluster().node("n1", labels("disk", "hdd")),
                        podChanged("web-1", on("n1"), nodeSelector("disk", "ssd")),
                        List.of("broken web-1: the pod was bound to n1")),
                argumentSet(
                        "of several changed labels of its node, the cause is the one that the rule reads",
                        onSsd,
                        nodeChanged("n1", labels("cpu", "old", "disk", "hdd")),
                        List.of("broken web-1: label disk of node n1 changed ssd -> hdd")),
                argumentSet(
                        "its node gets the label back",
                        cluster().node("n1").pod("web-1", on("n1"), nodeSelector("disk", "ssd")),
                        nodeChanged("n1", labels("disk", "ssd")),
                        List.of("mended web-1: SATISFIED")),
                argumentSet(
                        "the node of a violating pod is deleted: the verdict is undetermined",
                        cluster().node("n1").pod("web-1", on("n1"), nodeSelector("disk", "ssd")),
                        nodeGone("n1"),
                        List.of("mended web-1: UNDETERMINED")),
                argumentSet(
                        "the Node object of a bound pod appears, and violates its rule",
                        cluster().pod("web-1", on("n1"), nodeSelector("disk", "ssd")),
                        nodeChanged("n1", labels("disk", "hdd")),
                        List.of("broken web-1: node n1 was added")),
                argumentSet(
                        "a partner is deleted",
                        nearCache,
                        podGone("cache-1"),
                        List.of("broken web-1: pod shop/cache-1 left")),
                argumentSet(
                        "a partner has finished",
                        nearCache,
                        podChanged("cache-1", on("a2"), labels("app", "cache"), phase(Phase.SUCCEEDED)),
                        List.of("broken web-1: pod shop/cache-1 left")),
                argumentSet(
                        "a partner is relabelled",
                        nearCache,
                        podChanged("cache-1", on("a2"), labels("app", "queue")),
                        List.of("broken web-1: label app of pod shop/cache-1 changed cache -> queue")),
                argumentSet(
                        "the node of the partner is relabelled to another zone",
                        nearCache,
                        nodeChanged("a2", zone("b")),
                        List.of("broken web-1: label topology.kubernetes.io/zone of node a2 changed a -> b")),
                argumentSet(
                        "the node of the partner is deleted",
                        nearCache,
                        nodeGone("a2"),
                        List.of("broken web-1: node a2 was removed")),
                argumentSet(
                        "a terminating partner still counts for affinity",
                        nearCache,
                        podChanged("cache-1", on("a2"), labels("app", "cache"), terminating()),
                        List.of()),
                argumentSet(
                        "a pod appears in a namespace that the anti-affinity does not select",
                        apart(),
                        podChanged("noisy-1", on("a2"), in("shop"), labels("app", "noisy")),
                        List.of()),
                argumentSet(
                        "a namespace gets the label that makes its pod a conflict",
                        apart().pod("noisy-1", on("a2"), in("lab"), labels("app", "noisy")),
                        namespaceChanged("lab", labels("team", "red")),
                        List.of("broken web-1: label team of namespace lab was added as 'red'")),
                argumentSet(
                        "a Namespace object appears with the label",
                        apart().pod("noisy-1", on("a2"), in("red"), labels("app", "noisy")),
                        namespaceChanged("red", labels("team", "red")),
                        List.of("broken web-1: namespace red was created or deleted")),
                argumentSet(
                        "the Namespace object that made the conflict is deleted",
                        apart().namespace("red", labels("team", "red"))
                                .pod("noisy-1", on("a2"), in("red"), labels("app", "noisy")),
                        namespaceGone("red"),
                        List.of("mended web-1: SATISFIED")),
                argumentSet(
                        "a namespace loses the label that made the conflict; the rule reads zone labels of pods",
                        cluster()
                                .node("a1", zone("a"))
                                .namespace("lab", labels("team", "red"))
                                .pod(
                                        "web-1",
                                        on("a1"),
                                        apartFrom(term(
                                                matchLabels(ZONE, "a"),
                                                ZONE,
                                                namespaceSelector(matchLabels("team", "red")))))
                                .pod("noisy-1", on("a1"), in("lab"), labels(ZONE, "a")),
                        namespaceChanged("lab", labels()),
                        List.of("mended web-1: SATISFIED")),
                argumentSet(
                        "one pod too many in a domain: [3, 1]",
                        spreading(BY_ZONE),
                        podChanged("web-4", on("a1"), labels("app", "web")),
                        List.of("broken web-1: pod shop/web-4 was bound to a1")),
                argumentSet(
                        "a pod in the smallest domain begins to terminate: [2, 0]",
                        spreading(BY_ZONE),
                        podChanged("web-3", on("b1"), labels("app", "web"), terminating()),
                        List.of("broken web-1: pod shop/web-3 left")),
                argumentSet(
                        "an empty domain appears with a new node",
                        spreading(BY_ZONE),
                        nodeChanged("c1", zone("c")),
                        List.of("broken web-1: node c1 was added")),
                argumentSet(
                        "an empty domain appears with a label change",
                        spreading(BY_ZONE),
                        nodeChanged("b2", zone("c")),
                        List.of("broken web-1: label topology.kubernetes.io/zone of node b2 changed b -> c")),
                argumentSet(
                        "a taint excludes a node from a spread with nodeTaintsPolicy Honor",
                        spreading(BY_ZONE_AND_TAINT),
                        nodeChanged("b1", zone("b"), tainted("dedicated", "gpu", "NoSchedule")),
                        List.of("broken web-1: taint dedicated=gpu:NoSchedule was added to node b1")),
                argumentSet(
                        "the same taint changes nothing with nodeTaintsPolicy Ignore",
                        spreading(BY_ZONE),
                        nodeChanged("b1", zone("b"), tainted("dedicated", "gpu", "NoSchedule")),
                        List.of()),
                argumentSet(
                        "an empty domain appears when a taint is removed",
                        spreading(BY_ZONE_AND_TAINT).node("c1", zone("c"), tainted("dedicated", "gpu", "NoSchedule")),
                        nodeChanged("c1", zone("c")),
                        List.of("broken web-1: taint dedicated=gpu:NoSchedule was removed from node c1")),
                argumentSet(
                        "an update without changes",
                        onSsd,
                        podChanged("web-1", on("n1"), nodeSelector("disk", "ssd")),
                        List.of()),
                argumentSet(
                        "a violating pod begins to terminate",
                        cluster().node("n1").pod("web-1", on("n1"), nodeSelector("disk", "ssd")),
                        podChanged("web-1", on("n1"), nodeSelector("disk", "ssd"), terminating()),
                        List.of("mended web-1: UNDETERMINED")));
    }

    @ParameterizedTest
    @MethodSource("changes")
    void aChangeReportsWhatItFlipsAndNothingElse(ClusterBuilder facts, ClusterEvent change, List<String> expected) {
        given(facts);

        index.apply(change);

        assertThat(told.lines()).containsExactlyElementsOf(expected);
    }

    @Test
    void aPolicyThatComesIsTheCauseOfWhatIsBrokenAlreadyAndWhatItAskedForEndsWithIt() {
        given(cluster().node("n1").pod("web-1", on("n1"), nodeSelector("disk", "ssd")));
        index.remove(everything().id());
        index.put(everything());

        assertThat(told.lines())
                .containsExactly("mended web-1: NOT_REQUESTED", "broken web-1: policy all requested the rule");
        assertThat(index.selected(everything().id())).isEqualTo(1);
    }

    @Test
    void anEditThatAsksOtherwiseForABrokenRuleIsToldAndOneThatAsksAlikeIsNot() {
        given(cluster().node("n1").pod("web-1", on("n1"), nodeSelector("disk", "ssd")));

        index.put(policy(2, Duration.ofMinutes(1), matchLabels()));
        index.put(policy(3, Duration.ofMinutes(2), LabelSelector.everything()));

        assertThat(told.lines()).containsExactly("requestsChanged web-1: 60 s -> 120 s");
    }

    @Test
    void ofManyPartnersSomeAreNamedAndAllAreCounted() {
        ClusterBuilder many =
                cluster().node("r1", rack("r")).node("r2", rack("r")).node("s1", rack("s"));
        for (int i = 0; i < 9; i++) {
            many = many.pod(
                    "web-" + i, on(i % 2 == 0 ? "r1" : "r2"), labels("app", "web"), apartFrom(term(app("web"), RACK)));
        }
        given(many.pod("web-9", on("s1"), labels("app", "web")));

        AppliedRule rule = index.rulesOf("web-0").getFirst();
        assertThat(index.violationDetail("web-0", rule.identity()).orElseThrow().describe())
                .isEqualTo(
                        "it shares rack=r with shop/web-1, shop/web-2, shop/web-4, shop/web-6, shop/web-8 and 3 more");
        assertThat(index.violationDetail("web-9", rule.identity())).isEmpty();
    }

    @Test
    void thoseOnTheSameNodeAreNamedFirstAndNoMoreThanFive() {
        ClusterBuilder many = cluster()
                .node("r1", rack("r"))
                .node("r2", rack("r"))
                .pod("a-0", on("r2"), labels("app", "web"))
                .pod("web-0", on("r1"), apartFrom(term(app("web"), RACK)));
        for (int i = 1; i < 8; i++) {
            many = many.pod("web-" + i, on("r1"), labels("app", "web"));
        }
        given(many);
        AppliedRule rule = index.rulesOf("web-0").getFirst();

        ViolationDetail violationDetail =
                index.violationDetail("web-0", rule.identity()).orElseThrow();
        assertThat(violationDetail.partners()).hasSize(5);
        assertThat(violationDetail.describe())
                .isEqualTo(
                        "it shares rack=r with shop/web-1, shop/web-2, shop/web-3, shop/web-4, shop/web-5 and 3 more");
        index.apply(podGone("web-6"));
        index.apply(podGone("web-7"));
        assertThat(index.violationDetail("web-0", rule.identity()).orElseThrow().describe())
                .isEqualTo(
                        "it shares rack=r with shop/web-1, shop/web-2, shop/web-3, shop/web-4, shop/web-5 and 1 more");
    }

    @Test
    void conflictsReachHoldersWhoArePartnersAndHoldersWhoAreNot() {
        given(cluster()
                .node("n1", zone("a"))
                .pod("db-1", on("n1"), labels("app", "db"), apartFrom(term(app("db"), ZONE)))
                .pod("web-1", on("n1"), apartFrom(term(app("db"), ZONE)))
                .pod("db-2", on("n1"), labels("app", "db")));

        for (String pod : List.of("db-1", "web-1", "db-2")) {
            assertThat(index.conflictQuery(List::copyOf).around(pod))
                    .containsExactlyInAnyOrder("db-1", "web-1", "db-2");
        }
    }

    @Test
    void conflictsReachAsFarAsOnePodLeadsToTheNext() {
        given(cluster()
                .node("n1", zone("a"), rack("r"))
                .node("n2", zone("a"), rack("s"))
                .node("n3", zone("b"), rack("s"))
                .pod("web-1", on("n1"), apartFrom(term(app("db"), ZONE)))
                .pod("db-1", on("n2"), labels("app", "db"))
                .pod("log-1", on("n3"), apartFrom(term(app("db"), RACK)))
                .pod("web-2", on("n3"), apartFrom(term(app("db"), ZONE))));

        Set<String> around = Set.of("web-1", "db-1", "log-1");
        assertThat(index.conflictQuery(List::copyOf).around("web-1")).isEqualTo(around);
        assertThat(index.conflictQuery(List::copyOf).around("log-1")).isEqualTo(around);
        assertThat(index.conflictQuery(List::copyOf).around("web-2")).containsExactly("web-2");
    }

    @Test
    void conflictsReachAllPodsOfADomainThatAPodThereObjectsToAndNoOther() {
        given(cluster()
                .node("n1", zone("a"), rack("r"))
                .node("n2", zone("a"), rack("s"))
                .node("n3", zone("b"), rack("s"))
                .node("n4", zone("c"), rack("t"))
                .pod("web-1", on("n1"), apartFrom(term(app("db"), ZONE)))
                .pod("db-1", on("n1"), labels("app", "db"))
                .pod("db-2", on("n2"), labels("app", "db"))
                .pod("db-3", on("n3"), labels("app", "db"))
                .pod("log-1", on("n4"), apartFrom(term(app("db"), RACK))));

        assertThat(index.conflictQuery(List::copyOf).around("web-1"))
                .containsExactlyInAnyOrder("web-1", "db-1", "db-2");
        assertThat(index.conflictQuery(List::copyOf).around("db-3")).containsExactly("db-3");
    }

    @Test
    void ownersAndDisruptionBudgetsAreNoMatter() {
        given(cluster().node("n1").pod("web-1", on("n1"), nodeSelector("disk", "ssd")));

        index.apply(replicaSetChanged("web", "rs-1", 3));
        index.apply(budgetChanged("web", app("web"), 0));
        index.apply(budgetGone("web"));
        index.apply(replicaSetGone("rs-1"));

        assertThat(told.lines()).isEmpty();
    }

    @Test
    void thePoliciesOfARuleAreListedByTheirIdsInWhicheverOrderTheyCame() {
        index.put(named(PolicyId.namespaced("shop", "a")));
        index.put(named(PolicyId.cluster("c")));
        index.apply(podChanged("web-1", on("n1"), nodeSelector("disk", "ssd")));
        index.put(named(PolicyId.cluster("b")));
        index.apply(podChanged("web-2", on("n1"), nodeSelector("disk", "ssd"), labels("app", "web")));

        for (String pod : List.of("web-1", "web-2")) {
            assertThat(index.rulesOf(pod).getFirst().requests())
                    .extracting(request -> request.policy().toString())
                    .as("of %s", pod)
                    .containsExactly("b", "c", "shop/a");
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1})
    void whatPodsHaveInCommonIsKeptOnceForAllOfThemAndStaysSo(int policies) {
        Stream.of(everything()).limit(policies).forEach(index::put);
        for (String pod : List.of("web-1", "web-2", "web-3")) {
            index.apply(podChanged(pod, web(1)));
        }
        index.apply(podChanged("web-1", web(1), resourceVersion(2)));
        index.apply(podChanged("web-2", web(1), on("n1")));

        Pod first = index.view().pod("web-1").orElseThrow();
        assertThat(first.resourceVersion()).isEqualTo(2);
        for (Pod pod : index.view().pods()) {
            assertThat(pod.scheduling()).isSameAs(first.scheduling());
            assertThat(pod.podRequirements()).isSameAs(first.podRequirements());
            assertThat(pod.victimProtection()).isSameAs(first.victimProtection());
            assertThat(pod.labels()).isSameAs(first.labels());
        }
    }

    @Test
    void whatAPodNeedsMayChangeWhileItRunsAndNoRuleAsks() {
        index.apply(nodeChanged("n1"));
        index.put(everything());
        index.apply(podChanged("web-1", web(1), on("n1")));
        told.clear();

        index.apply(podChanged("web-1", web(2), on("n1"), resourceVersion(2)));

        assertThat(index.view().pod("web-1").orElseThrow().podRequirements()).isEqualTo(cores(2));
        assertThat(told.lines()).isEmpty();
    }

    private static PodTrait web(long cores) {
        return pod -> List.of(nodeSelector("disk", "ssd"), labels("app", "web"), needing(cores(cores)))
                .forEach(trait -> trait.of(pod));
    }

    private static PodRequirements cores(long cores) {
        Resources requests = new Resources(1000 * cores, 0, 0, 0, Map.of("example.com/gpu", 1L));
        return new PodRequirements(requests, requests, List.of(new HostPort("0.0.0.0", 80, "TCP")), List.of());
    }

    static Stream<Arguments> remains() {
        return Stream.of(
                argumentSet("a pod without labels", podChanged("web-1"), podGone("web-1")),
                argumentSet("a node without labels", nodeChanged("n1"), nodeGone("n1")),
                argumentSet("a namespace without labels", namespaceChanged("shop", labels()), namespaceGone("shop")));
    }

    @ParameterizedTest
    @MethodSource("remains")
    void theIndexIsEmptyWhenNothingIsLeftAndNotBefore(ClusterEvent comes, ClusterEvent goes) {
        assertThat(index.isEmpty()).isTrue();
        index.apply(comes);
        assertThat(index.isEmpty()).isFalse();
        index.apply(goes);
        assertThat(index.isEmpty()).isTrue();
    }

    @Test
    void theIndexIsEmptyWhenNoPolicyIsLeftAndNotBefore() {
        index.put(everything());
        assertThat(index.isEmpty()).isFalse();
        index.remove(everything().id());
        assertThat(index.isEmpty()).isTrue();
    }

    @Test
    void theViewShowsEveryPodOnceAndEveryPlaceLeadsToOne() {
        ClusterBuilder facts = cluster().node("n1").node("n2");
        for (int i = 0; i < 100; i++) {
            facts = facts.pod("web-" + i, on("n" + (1 + i % 2)), in(i % 3 == 0 ? "shop" : "lab"));
        }
        given(facts);

        assertThat(index.view().pods()).extracting(Pod::uid).hasSize(100).doesNotHaveDuplicates();
        assertThat(index.view().podsIn("shop"))
                .hasSize(34)
                .allMatch(pod -> pod.namespace().equals("shop"));
        assertThat(index.view().podsOn("n1")).hasSize(50).allMatch(pod -> pod.isOn("n1"));
        assertThat(index.view().podsIn("none")).isEmpty();
        Set<String> seen = Stream.iterate(0, place -> place + 1)
                .limit(1_000)
                .map(place -> index.podAt(place).orElseThrow().uid())
                .collect(Collectors.toSet());
        assertThat(seen).hasSize(100);
        seen.forEach(pod -> index.apply(podGone(pod)));
        assertThat(index.podAt(0)).isEmpty();
    }

    @Test
    void podsWhoseTolerationsDifferInTheirEndAloneShareTheDomainsOfASpread() {
        given(cluster()
                .node("a1", zone("a"))
                .pod("web-1", on("a1"), labels("app", "web"), BY_ZONE_AND_TAINT, tolerating(gpu(OptionalLong.of(30))))
                .pod("web-2", on("a1"), labels("app", "web"), BY_ZONE_AND_TAINT, tolerating(gpu(OptionalLong.of(60))))
                .pod(
                        "web-3",
                        on("a1"),
                        labels("app", "web"),
                        BY_ZONE_AND_TAINT,
                        tolerating(gpu(OptionalLong.empty()))));

        assertThat(index.spreadDomains()).hasSize(1);
    }

    private static Toleration gpu(OptionalLong seconds) {
        return new Toleration("gpu", "Exists", "", "NoExecute", seconds);
    }
}
