package dev.holdfast.operator.offline.stranded;

import static dev.holdfast.policies.testing.Demands.app;
import static dev.holdfast.policies.testing.Demands.expression;
import static dev.holdfast.policies.testing.Demands.matcher;
import static dev.holdfast.policies.testing.Demands.nodeTerm;
import static dev.holdfast.policies.testing.Demands.selector;
import static dev.holdfast.policies.testing.Demands.term;
import static dev.holdfast.policies.testing.Facts.NAMESPACE;
import static dev.holdfast.policies.testing.Facts.ZONE;
import static dev.holdfast.policies.testing.Facts.cluster;
import static dev.holdfast.policies.testing.Facts.labels;
import static dev.holdfast.policies.testing.PodTraits.apartFrom;
import static dev.holdfast.policies.testing.PodTraits.in;
import static dev.holdfast.policies.testing.PodTraits.nodeSelector;
import static dev.holdfast.policies.testing.PodTraits.on;
import static dev.holdfast.policies.testing.PodTraits.ownedBy;
import static dev.holdfast.policies.testing.PodTraits.replicaOf;
import static dev.holdfast.policies.testing.PodTraits.terminating;
import static dev.holdfast.policies.testing.Rules.antiAffinityRule;
import static dev.holdfast.policies.testing.Rules.nodeRule;
import static dev.holdfast.policies.testing.Rules.spreadRule;
import static dev.holdfast.policies.testing.Spreads.maxSkew;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.params.provider.Arguments.argumentSet;

import dev.holdfast.policies.inject.InjectingPolicies;
import dev.holdfast.policies.model.ClaimedVolume;
import dev.holdfast.policies.model.ClusterEvent;
import dev.holdfast.policies.model.Controller;
import dev.holdfast.policies.model.NamespacedName;
import dev.holdfast.policies.model.Owner;
import dev.holdfast.policies.rule.Enforcement;
import dev.holdfast.policies.rule.Mode;
import dev.holdfast.policies.rule.PolicyId;
import dev.holdfast.policies.rule.PolicyScheduling;
import dev.holdfast.policies.rule.Rule;
import dev.holdfast.policies.rule.WhenInfeasible;
import dev.holdfast.policies.testing.ClusterBuilder;
import dev.holdfast.policies.testing.PodTrait;
import dev.holdfast.policies.testing.PolicyDraft;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Three nodes: {@code a1} and {@code a2} in zone a with hard disks, {@code b1} in zone b with an SSD. */
class StrandedByRollOutTest {
    private static final Rule SSD = nodeRule(nodeTerm(expression("disk", "In", "ssd")));
    private static final Rule NVME = nodeRule(nodeTerm(expression("disk", "In", "nvme")));
    private static final Rule APART_BY_ZONE = antiAffinityRule(term(app("web"), ZONE));

    private static ClusterBuilder nodes() {
        return cluster()
                .namespace(NAMESPACE, labels())
                .node("a1", labels(ZONE, "a", "disk", "hdd"))
                .node("a2", labels(ZONE, "a", "disk", "hdd"))
                .node("b1", labels(ZONE, "b", "disk", "ssd"))
                .replicaSet("web", 3);
    }

    private static ClusterBuilder web(ClusterBuilder builder, PodTrait... traits) {
        return builder.pod("web-1", traits(on("a1"), traits))
                .pod("web-2", traits(on("a2"), traits))
                .pod("web-3", traits(on("b1"), traits));
    }

    private static PodTrait[] traits(PodTrait node, PodTrait... others) {
        List<PodTrait> traits = new ArrayList<>(List.of(labels("app", "web"), node, replicaOf("web")));
        traits.addAll(List.of(others));
        return traits.toArray(PodTrait[]::new);
    }

    static Stream<Arguments> rows() {
        return Stream.of(
                argumentSet("a rule that one node satisfies strands none", web(nodes()), SSD, List.of()),
                argumentSet(
                        "a rule that no node satisfies strands all",
                        web(nodes()),
                        NVME,
                        List.of("Deployment/web: 3 of 3, 3 nodes: 3 against its rules")),
                argumentSet(
                        "two zones take two of three pods that keep apart by zone",
                        web(nodes()),
                        APART_BY_ZONE,
                        List.of("Deployment/web: 1 of 3, 3 nodes: 3 excluded by other pods' anti-affinity")),
                argumentSet(
                        "a skew of one strands none, whatever the skew of now is",
                        web(nodes()),
                        spreadRule(maxSkew(1, ZONE, app("web"))),
                        List.of()),
                argumentSet(
                        "pods that no node takes without the rule either are not the rule's",
                        web(nodes(), nodeSelector("disk", "none")),
                        NVME,
                        List.of()),
                argumentSet(
                        "of pods that their own rules strand in part, more are stranded with the rule",
                        web(nodes(), apartFrom(term(app("web"), ZONE))),
                        NVME,
                        List.of("Deployment/web: 3 of 3, 3 nodes: 3 against its rules")),
                argumentSet(
                        "a pod of another workload stays where it is",
                        web(nodes())
                                .replicaSet("other", 1)
                                .pod("other-1", on("b1"), replicaOf("other"), labels("app", "web")),
                        APART_BY_ZONE,
                        List.of(
                                "Deployment/other: 1 of 1, 3 nodes: 3 against its rules",
                                "Deployment/web: 2 of 3, 3 nodes: 2 excluded by other pods' anti-affinity; 1 against"
                                        + " its rules")),
                argumentSet(
                        "a pod without a controller is not created again",
                        nodes().pod("web-1", labels("app", "web"), on("a1")),
                        NVME,
                        List.of()),
                argumentSet(
                        "a pod of a DaemonSet gets no rule",
                        nodes().pod("web-1", labels("app", "web"), on("a1"), ownedBy("DaemonSet", "web", "web")),
                        NVME,
                        List.of()),
                argumentSet(
                        "a terminating pod has its replacement already",
                        nodes().pod("web-1", traits(on("a1"), terminating())),
                        NVME,
                        List.of()),
                argumentSet(
                        "a pod of an untouched namespace gets no rule",
                        nodes().pod("web-1", traits(on("a1"), in("kube-system"))),
                        NVME,
                        List.of()),
                argumentSet(
                        "the topmost controller is named",
                        web(nodes().with(new ClusterEvent.OwnerChanged(new Owner(
                                "web",
                                "ReplicaSet",
                                new NamespacedName(NAMESPACE, "web"),
                                Optional.of(new Controller("Deployment", "site", "site")),
                                OptionalInt.of(3))))),
                        NVME,
                        List.of("Deployment/site: 3 of 3, 3 nodes: 3 against its rules")));
    }

    @ParameterizedTest
    @MethodSource("rows")
    void aRollOutStrandsPods(ClusterBuilder builder, Rule rule, List<String> expected) {
        assertThat(texts(rollOut(builder).strandedBy(injecting(rule), _ -> true)))
                .isEqualTo(expected);
    }

    @Test
    void theClusterIsAsBeforeAfterwards() {
        StrandedByRollOut rollOut = rollOut(web(nodes()));

        List<StrandedWorkload> first = rollOut.strandedBy(injecting(APART_BY_ZONE), _ -> true);

        assertThat(rollOut.strandedBy(injecting(APART_BY_ZONE), _ -> true)).isEqualTo(first);
    }

    @Test
    void onlyListedPodsAreCreatedAgain() {
        assertThat(texts(rollOut(web(nodes()))
                        .strandedBy(injecting(NVME), pod -> pod.name().name().equals("web-2"))))
                .containsExactly("Deployment/web: 1 of 1, 3 nodes: 3 against its rules");
    }

    @Test
    void aWorkloadIsMoreOnlyIfMoreOfItsPodsAreStranded() {
        StrandedWorkload two = new StrandedWorkload("shop", "Deployment", "web", 3, 2, "", List.of("keep"));
        StrandedWorkload three = new StrandedWorkload("shop", "Deployment", "web", 3, 3, "", List.of("keep"));
        StrandedWorkload other = new StrandedWorkload("shop", "Deployment", "api", 1, 1, "", List.of("keep"));

        assertThat(StrandedWorkload.more(List.of(two, other), List.of(two))).containsExactly(other);
        assertThat(StrandedWorkload.more(List.of(three), List.of(two))).containsExactly(three);
        assertThat(StrandedWorkload.more(List.of(two), List.of(three))).isEmpty();
    }

    private static StrandedByRollOut rollOut(ClusterBuilder builder) {
        return StrandedByRollOut.in(builder.facts(), _ -> new ClaimedVolume.Unreadable("there is no such claim"));
    }

    private static List<String> texts(List<StrandedWorkload> workloads) {
        return workloads.stream()
                .map(it ->
                        it.kind() + "/" + it.name() + ": " + it.strandedPods() + " of " + it.pods() + ", " + it.why())
                .toList();
    }

    private static InjectingPolicies injecting(Rule rule) {
        return InjectingPolicies.of(
                List.of(PolicyDraft.of(PolicyId.cluster("keep"), Mode.AUDIT)
                        .pods(matcher(selector()))
                        .rule("rule", rule, new Enforcement(Mode.AUDIT, Duration.ofMinutes(5), WhenInfeasible.WAIT))
                        .scheduling(PolicyScheduling.INJECT)
                        .policy()),
                Set.of("kube-system"));
    }
}
