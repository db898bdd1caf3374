package dev.holdfast.policies.engine;

import static dev.holdfast.policies.engine.TestPolicies.everywhere;
import static dev.holdfast.policies.engine.TestPolicies.over;
import static dev.holdfast.policies.testing.Changes.namespaceChanged;
import static dev.holdfast.policies.testing.Changes.podChanged;
import static dev.holdfast.policies.testing.Changes.podGone;
import static dev.holdfast.policies.testing.Demands.app;
import static dev.holdfast.policies.testing.Demands.expression;
import static dev.holdfast.policies.testing.Demands.nodeTerm;
import static dev.holdfast.policies.testing.Demands.term;
import static dev.holdfast.policies.testing.Facts.ZONE;
import static dev.holdfast.policies.testing.Facts.cluster;
import static dev.holdfast.policies.testing.Facts.labels;
import static dev.holdfast.policies.testing.PodTraits.annotatedRules;
import static dev.holdfast.policies.testing.PodTraits.created;
import static dev.holdfast.policies.testing.PodTraits.in;
import static dev.holdfast.policies.testing.PodTraits.injectedRules;
import static dev.holdfast.policies.testing.PodTraits.near;
import static dev.holdfast.policies.testing.PodTraits.nodeAffinity;
import static dev.holdfast.policies.testing.PodTraits.on;
import static dev.holdfast.policies.testing.PodTraits.ownedBy;
import static dev.holdfast.policies.testing.PodTraits.requiring;
import static dev.holdfast.policies.testing.PodTraits.unbound;
import static dev.holdfast.policies.testing.Rules.affinityRule;
import static dev.holdfast.policies.testing.Rules.nodeRule;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;
import static org.junit.jupiter.params.provider.Arguments.argumentSet;

import dev.holdfast.policies.engine.protocol.Event;
import dev.holdfast.policies.engine.report.InjectionReport;
import dev.holdfast.policies.index.count.Injected;
import dev.holdfast.policies.inject.InjectionOutcome;
import dev.holdfast.policies.inject.PolicyInjection.OfRule;
import dev.holdfast.policies.model.ClusterEvent;
import dev.holdfast.policies.model.NamespacedName;
import dev.holdfast.policies.model.NodeSelectorTerm;
import dev.holdfast.policies.rule.Policy;
import dev.holdfast.policies.rule.PolicyScheduling;
import dev.holdfast.policies.rule.Rule;
import dev.holdfast.policies.rule.WhenInfeasible;
import dev.holdfast.policies.testing.PodTrait;
import dev.holdfast.policies.testing.PolicyDraft;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

/** What a policy's report says of the injection of its rules, and which pods prove that there is none. */
class InjectionReportTest {
    private static final NodeSelectorTerm SSD = nodeTerm(expression("disk", "In", "ssd"));
    private static final Policy POLICY = injecting(nodeRule(SSD));
    private static final PodTrait[] INJECTED = {nodeAffinity(SSD), injectedRules("PlacementPolicy/web/own node:-:1.0")};

    private static Policy injecting(Rule rule) {
        Policy policy = TestPolicies.asking("own", rule, WhenInfeasible.WAIT);
        return new Policy(
                policy.id(),
                policy.generation(),
                policy.mode(),
                policy.pods(),
                policy.nodes(),
                policy.namespaces(),
                policy.podRules(),
                policy.rules(),
                PolicyScheduling.INJECT);
    }

    private static EngineScenario begin() {
        return EngineScenario.begin(
                cluster().namespace("shop", labels("team", "web")).node("n1", labels("disk", "ssd")), POLICY);
    }

    private static InjectionReport report(EngineScenario scenario) {
        return scenario.report(POLICY).injection().orElseThrow();
    }

    /** {@return a new pod without the rule, which was created this many seconds after the start} */
    private static ClusterEvent bare(long second, PodTrait... more) {
        return podChanged(
                "web-1",
                Stream.concat(Stream.of(unbound(), created(EngineScenario.START.plusSeconds(second))), Stream.of(more))
                        .toArray(PodTrait[]::new));
    }

    private static InjectionReport proof(Injected injected) {
        return new InjectionReport(
                injected, 1, Optional.of(new InjectionReport.Example(new NamespacedName("shop", "web-1"), "own")));
    }

    private static Injected missing(InjectionOutcome outcome) {
        return new Injected(0, 0, Map.of(new OfRule("own", outcome), 1));
    }

    @Test
    void podsWithTheRuleAreCountedAndThoseThatLackItByReason() {
        Policy near = injecting(affinityRule(term(app("cache"), ZONE)));
        PodTrait other = near(term(app("database"), ZONE));
        EngineScenario scenario = EngineScenario.begin(
                        cluster()
                                .node("n1")
                                .pod(
                                        "web-1",
                                        on("n1"),
                                        near(term(app("cache"), ZONE)),
                                        injectedRules("PlacementPolicy/web/own affinity"))
                                .pod("web-2", on("n1"), near(term(app("cache"), ZONE)))
                                .pod("web-3", on("n1"), other)
                                .pod("web-4", on("n1"), other)
                                .pod("web-5", on("n1")),
                        near)
                .afterSeconds(1);

        assertThat(scenario.report(near).injection())
                .contains(new InjectionReport(
                        new Injected(
                                1,
                                2,
                                Map.of(
                                        new OfRule("own", InjectionOutcome.OTHER_POD_AFFINITY), 2,
                                        new OfRule("own", InjectionOutcome.ABSENT), 1)),
                        0,
                        Optional.empty()));

        scenario.happens(podGone("web-1")).happens(podGone("web-3")).afterSeconds(1);

        assertThat(report(scenario).injected())
                .isEqualTo(new Injected(
                        0,
                        1,
                        Map.of(
                                new OfRule("own", InjectionOutcome.OTHER_POD_AFFINITY), 1,
                                new OfRule("own", InjectionOutcome.ABSENT), 1)));
    }

    @Test
    void aViolationSaysWhyItsRuleIsLeftOut() {
        Policy near = injecting(affinityRule(term(app("cache"), ZONE)));
        EngineScenario scenario = EngineScenario.begin(
                        cluster()
                                .node("n1", labels(ZONE, "a"))
                                .pod("web-1", on("n1"), near(term(app("database"), ZONE)))
                                .pod("web-2", on("n1")),
                        near)
                .afterSeconds(1);

        assertThat(scenario.report(near).oldest())
                .extracting(violation -> violation.pod().name(), violation -> violation.leftOut())
                .containsExactly(
                        tuple("web-1", Optional.of(InjectionOutcome.OTHER_POD_AFFINITY)),
                        tuple("web-2", Optional.empty()));
    }

    @Test
    void aPodThatWasCreatedInForceWithoutTheRuleIsAProofAfterTenSeconds() {
        EngineScenario scenario = begin().afterSeconds(30).happens(bare(30)).afterSeconds(9);

        assertThat(report(scenario))
                .isEqualTo(new InjectionReport(missing(InjectionOutcome.ABSENT), 0, Optional.empty()));
        assertThat(report(scenario.afterSeconds(10))).isEqualTo(proof(missing(InjectionOutcome.ABSENT)));
        assertThat(report(scenario.happens(bare(30, on("n1"))).afterSeconds(1)))
                .isEqualTo(proof(missing(InjectionOutcome.ABSENT)));
        assertThat(report(scenario.happens(podGone("web-1")).afterSeconds(1))).isEqualTo(InjectionReport.NOTHING);
        assertThat(scenario.engine.remembered()).isZero();
    }

    /** Its owner may have changed the annotation since the API server read it. */
    @Test
    void aPodWithoutTheRuleOfItsAnnotationIsCountedAndIsNoProof() {
        Policy allowing = PolicyDraft.of(POLICY.id(), POLICY.mode())
                .pods(POLICY.pods())
                .scheduling(PolicyScheduling.INJECT)
                .annotationRules(POLICY.rules().getFirst().enforcement())
                .policy();
        EngineScenario scenario = EngineScenario.begin(
                        cluster().namespace("shop", labels("team", "web")).node("n1", labels("disk", "ssd")), allowing)
                .afterSeconds(30)
                .happens(bare(30, annotatedRules(requiring("ssd", SSD))))
                .afterSeconds(20);

        assertThat(scenario.report(allowing).injection())
                .contains(new InjectionReport(
                        new Injected(0, 0, Map.of(new OfRule("AnnotationRules", InjectionOutcome.ABSENT), 1)),
                        0,
                        Optional.empty()));
    }

    static Stream<Arguments> noProofs() {
        Instant start = EngineScenario.START;
        return Stream.of(
                argumentSet(
                        "a pod that is bound when it is first seen may have had its node at once", bare(30, on("n1"))),
                argumentSet("a pod that was created before the revision took effect", bare(29)),
                argumentSet("a pod of a DaemonSet", bare(30, ownedBy("DaemonSet", "ds", "ds"))),
                argumentSet("a pod with the rule by hand", bare(30, nodeAffinity(SSD))),
                argumentSet("a pod with the injected rule", bare(30, INJECTED)),
                argumentSet(
                        "a pod in a namespace that the policy does not select",
                        podChanged("web-1", in("other"), unbound(), created(start.plusSeconds(30)))));
    }

    @ParameterizedTest
    @MethodSource("noProofs")
    void noProof(ClusterEvent pod) {
        EngineScenario scenario = begin().afterSeconds(30).happens(pod).afterSeconds(20);

        assertThat(report(scenario).uninjected()).isZero();
    }

    @ParameterizedTest
    @CsvSource({"shop, 1", "kube-system, 0"})
    void aPodInANamespaceThatInjectionLeavesAloneIsNoProof(String namespace, int proofs) {
        Policy everywhere = everywhere(POLICY);
        EngineScenario scenario = EngineScenario.begin(cluster().node("n1"), everywhere)
                .afterSeconds(30)
                .happens(bare(30, in(namespace)))
                .afterSeconds(20);

        assertThat(scenario.report(everywhere).injection())
                .hasValueSatisfying(it -> assertThat(it.uninjected()).isEqualTo(proofs));
    }

    /** The API server injects rules only when it creates a pod, so a label that comes later does not add them. */
    @Test
    void aPodThatIsSelectedOnlyAfterItWasSeenIsNoProof() {
        Policy ofWeb = over(app("web"), POLICY);
        EngineScenario scenario = EngineScenario.begin(cluster().node("n1"), ofWeb)
                .afterSeconds(30)
                .happens(bare(30))
                .happens(bare(30, labels("app", "web")))
                .afterSeconds(20);

        assertThat(scenario.report(ofWeb).injection())
                .contains(new InjectionReport(missing(InjectionOutcome.ABSENT), 0, Optional.empty()));
    }

    @Test
    void aPodThatIsSeenBeforeTheRevisionTookEffectIsNoProofWhateverItsClockSays() {
        EngineScenario scenario = begin().afterSeconds(29).happens(bare(40)).afterSeconds(20);

        assertThat(report(scenario).uninjected()).isZero();
    }

    @Test
    void anEditForgetsTheProofsAndTheSameRevisionAgainDoesNot() {
        EngineScenario scenario = begin().afterSeconds(30).happens(bare(30)).afterSeconds(20);
        assertThat(report(scenario).uninjected()).isOne();

        scenario.event(new Event.PolicyChanged(POLICY)).afterSeconds(1);
        assertThat(report(scenario).uninjected()).isOne();

        scenario.event(new Event.PolicyChanged(injecting(nodeRule(nodeTerm(expression("disk", "In", "nvme"))))))
                .afterSeconds(1);
        assertThat(report(scenario).uninjected()).isZero();
    }

    @Test
    void aPodThatIsCreatedSoonAfterItsNamespaceGotOtherLabelsIsNoProof() {
        EngineScenario scenario = begin().afterSeconds(30)
                .happens(namespaceChanged("shop", labels("team", "other")))
                .happens(bare(30))
                .afterSeconds(20);

        assertThat(report(scenario).uninjected()).isZero();
    }

    @Test
    void oneHundredPodsAreProofEnough() {
        EngineScenario scenario = begin().afterSeconds(30);
        for (int i = 0; i < 120; i++) {
            scenario.happens(podChanged("p" + i, unbound(), created(EngineScenario.START.plusSeconds(30))));
        }

        assertThat(report(scenario.afterSeconds(20)).uninjected()).isEqualTo(100);
    }
}
