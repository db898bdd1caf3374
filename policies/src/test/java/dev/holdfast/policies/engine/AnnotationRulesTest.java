package dev.holdfast.policies.engine;

import static dev.holdfast.policies.engine.TestPolicies.FORGIVENESS;
import static dev.holdfast.policies.testing.Changes.podChanged;
import static dev.holdfast.policies.testing.Demands.app;
import static dev.holdfast.policies.testing.Demands.expression;
import static dev.holdfast.policies.testing.Demands.matcher;
import static dev.holdfast.policies.testing.Demands.nodeTerm;
import static dev.holdfast.policies.testing.Facts.cluster;
import static dev.holdfast.policies.testing.Facts.labels;
import static dev.holdfast.policies.testing.PodTraits.annotatedRules;
import static dev.holdfast.policies.testing.PodTraits.invalidRules;
import static dev.holdfast.policies.testing.PodTraits.nodeSelector;
import static dev.holdfast.policies.testing.PodTraits.on;
import static dev.holdfast.policies.testing.PodTraits.replacingRules;
import static dev.holdfast.policies.testing.PodTraits.replicaOf;
import static dev.holdfast.policies.testing.PodTraits.requiring;
import static dev.holdfast.policies.testing.Rules.nodeRule;
import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.policies.engine.protocol.Effect;
import dev.holdfast.policies.engine.report.Notification;
import dev.holdfast.policies.forgive.Cause;
import dev.holdfast.policies.model.AnnotationRules.NamedRule;
import dev.holdfast.policies.model.NamespacedName;
import dev.holdfast.policies.rule.Enforcement;
import dev.holdfast.policies.rule.Mode;
import dev.holdfast.policies.rule.Policy;
import dev.holdfast.policies.rule.PolicyId;
import dev.holdfast.policies.rule.RuleKind;
import dev.holdfast.policies.rule.WhenInfeasible;
import dev.holdfast.policies.testing.ClusterBuilder;
import dev.holdfast.policies.testing.Facts;
import dev.holdfast.policies.testing.PodTrait;
import dev.holdfast.policies.testing.PolicyDraft;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Tests rules in the annotation of a running pod on n1, a node with an HDD. A rule forgives one minute. */
class AnnotationRulesTest {
    private static final NamedRule SSD = requiring("ssd", nodeTerm(expression("disk", "In", "ssd")));
    private static final NamedRule ZONE_B = requiring("b", nodeTerm(expression("zone", "In", "b")));
    private static final Duration HALF = FORGIVENESS.dividedBy(2);
    private static final Map<RuleKind, Enforcement> NO_POD_RULES = Map.of();

    private static ClusterBuilder web(PodTrait... traits) {
        return cluster()
                .node("n1", labels("disk", "hdd", "zone", "a"))
                .node("n2", labels("disk", "ssd", "zone", "a"))
                .node("n3", labels("disk", "ssd", "zone", "b"))
                .node("n4", labels("disk", "hdd", "zone", "b"))
                .replicaSet("web", 1)
                .pod("web-1", pod(traits));
    }

    private static PodTrait[] pod(PodTrait... traits) {
        return Stream.concat(Stream.of(on("n1"), replicaOf("web")), Stream.of(traits))
                .toArray(PodTrait[]::new);
    }

    private static Enforcement enforcement(Mode mode) {
        return new Enforcement(mode, FORGIVENESS, WhenInfeasible.WAIT);
    }

    private static Policy allowing(Mode mode, Map<RuleKind, Enforcement> podRules, Policy.NamedRule... rules) {
        return PolicyDraft.of(PolicyId.namespaced(Facts.NAMESPACE, "web"), mode)
                .pods(matcher(app("web")))
                .podRules(podRules)
                .rules(List.of(rules))
                .annotationRules(enforcement(mode))
                .policy();
    }

    @Test
    void theClockOfARuleStartsWhenTheAnnotationIsEdited() {
        EngineScenario engineScenario = EngineScenario.begin(web(), allowing(Mode.ENFORCE, NO_POD_RULES))
                .after(FORGIVENESS);

        engineScenario.happens(podChanged("web-1", pod(annotatedRules(SSD)))).after(FORGIVENESS.minusSeconds(1));

        assertThat(engineScenario.told).singleElement().isInstanceOfSatisfying(Notification.Started.class, started -> {
            assertThat(started.violation().cause()).isEqualTo(new Cause.AnnotationRulesChanged());
            assertThat(started.violation().rule()).isEqualTo("AnnotationRules");
        });
        assertThat(engineScenario.evicted()).isEmpty();
        assertThat(engineScenario.afterSeconds(1).evicted()).containsExactly("web-1");
    }

    @Test
    void aPodWithTheAnnotationIsFreeIfNoPolicyAllowsIt() {
        EngineScenario engineScenario = EngineScenario.begin(web(annotatedRules(SSD)), TestPolicies.enforcing());

        assertThat(engineScenario.after(FORGIVENESS.multipliedBy(2)).told).isEmpty();
    }

    @Test
    void aRuleThatIsTakenOutEndsItsViolation() {
        EngineScenario engineScenario = EngineScenario.begin(
                        web(annotatedRules(SSD)), allowing(Mode.ENFORCE, NO_POD_RULES))
                .after(HALF);

        engineScenario.happens(podChanged("web-1", pod())).after(FORGIVENESS);

        assertThat(engineScenario.events()).containsExactly("Started web-1", "Ended web-1 NOT_REQUESTED");
    }

    @Test
    void aRuleThatThePolicyAuditsAndTheAnnotationBringsStartsAgainAtTheEdit() {
        Policy.NamedRule audited = new Policy.NamedRule(
                "ssd", nodeRule(nodeTerm(expression("disk", "In", "ssd"))), enforcement(Mode.AUDIT));
        EngineScenario engineScenario = EngineScenario.begin(web(), allowing(Mode.ENFORCE, NO_POD_RULES, audited))
                .after(FORGIVENESS.multipliedBy(3));

        engineScenario.happens(podChanged("web-1", pod(annotatedRules(SSD)))).after(FORGIVENESS.minusSeconds(1));

        assertThat(engineScenario.evicted()).isEmpty();
        assertThat(engineScenario.afterSeconds(1).evicted()).containsExactly("web-1");
    }

    @Test
    void theNextNodeSatisfiesTheAnnotationToo() {
        EngineScenario engineScenario =
                EngineScenario.begin(web(annotatedRules(SSD, ZONE_B)), allowing(Mode.ENFORCE, NO_POD_RULES));

        engineScenario.after(FORGIVENESS);

        assertThat(targets(engineScenario)).containsExactly("n3");
    }

    @Test
    void rulesThatReplaceThoseOfTheSpecStandInForThemButNotForTheScheduler() {
        EngineScenario engineScenario = EngineScenario.begin(
                web(nodeSelector("disk", "ssd"), replacingRules(ZONE_B)),
                allowing(Mode.ENFORCE, Map.of(RuleKind.NODE_AFFINITY, enforcement(Mode.ENFORCE))));

        engineScenario.after(FORGIVENESS);

        assertThat(engineScenario.events())
                .filteredOn(event -> event.startsWith("Started"))
                .containsExactly("Started web-1");
        assertThat(targets(engineScenario)).containsExactly("n3");
    }

    @Test
    void aPolicyThatDoesNotAllowThemHoldsThePodToItsSpecAlthoughAnAnnotationReplacesThat() {
        EngineScenario engineScenario =
                EngineScenario.begin(web(nodeSelector("disk", "ssd"), replacingRules()), TestPolicies.enforcing());

        assertThat(engineScenario.after(FORGIVENESS).evicted()).containsExactly("web-1");
    }

    @Test
    void anInvalidAnnotationIsNamedOncePerProblemAndLeavesTheSpecInForce() {
        EngineScenario engineScenario = EngineScenario.begin(
                web(nodeSelector("disk", "ssd"), invalidRules("it is no JSON")),
                allowing(Mode.ENFORCE, Map.of(RuleKind.NODE_AFFINITY, enforcement(Mode.ENFORCE))));

        engineScenario
                .happens(podChanged("web-1", pod(nodeSelector("disk", "ssd"), invalidRules("it is no JSON"))))
                .happens(podChanged("web-1", pod(nodeSelector("disk", "ssd"), invalidRules("it has no rules"))))
                .after(FORGIVENESS);

        assertThat(engineScenario.invalidRules).containsExactly(found("it is no JSON"), found("it has no rules"));
        assertThat(engineScenario.evicted()).containsExactly("web-1");
    }

    @Test
    void anInvalidAnnotationCausesNoEviction() {
        EngineScenario engineScenario =
                EngineScenario.begin(web(invalidRules("it is no JSON")), allowing(Mode.ENFORCE, NO_POD_RULES));

        engineScenario.after(FORGIVENESS.multipliedBy(2));

        assertThat(engineScenario.told).isEmpty();
        assertThat(engineScenario.evicted()).isEmpty();
    }

    private static Effect.FoundInvalidRules found(String problem) {
        return new Effect.FoundInvalidRules(
                new NamespacedName("shop", "web-1"),
                "web-1",
                "Holdfast ignores the whole annotation holdfast.dev/required-during-execution: " + problem);
    }

    private static List<String> targets(EngineScenario engineScenario) {
        return engineScenario.told.stream()
                .flatMap(it -> it instanceof Notification.Evicting evicting ? evicting.target().stream() : Stream.of())
                .toList();
    }
}
