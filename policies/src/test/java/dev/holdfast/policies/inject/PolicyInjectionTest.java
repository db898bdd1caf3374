package dev.holdfast.policies.inject;

import static dev.holdfast.policies.inject.InjectionOutcome.ABSENT;
import static dev.holdfast.policies.inject.InjectionOutcome.ANNOTATION_NOT_PLAIN;
import static dev.holdfast.policies.inject.InjectionOutcome.INJECTED;
import static dev.holdfast.policies.inject.InjectionOutcome.OTHER_POD_AFFINITY;
import static dev.holdfast.policies.inject.InjectionOutcome.OTHER_SPREAD;
import static dev.holdfast.policies.inject.InjectionOutcome.OWN;
import static dev.holdfast.policies.inject.InjectionOutcome.TOO_MANY_NODE_VALUES;
import static dev.holdfast.policies.inject.InjectionOutcome.TOO_MANY_POD_RULES;
import static dev.holdfast.policies.testing.Demands.app;
import static dev.holdfast.policies.testing.Demands.expression;
import static dev.holdfast.policies.testing.Demands.matcher;
import static dev.holdfast.policies.testing.Demands.nodeTerm;
import static dev.holdfast.policies.testing.Demands.selector;
import static dev.holdfast.policies.testing.Demands.term;
import static dev.holdfast.policies.testing.Facts.HOSTNAME;
import static dev.holdfast.policies.testing.Facts.RACK;
import static dev.holdfast.policies.testing.Facts.ZONE;
import static dev.holdfast.policies.testing.Facts.pod;
import static dev.holdfast.policies.testing.PodTraits.annotatedRules;
import static dev.holdfast.policies.testing.PodTraits.apartFrom;
import static dev.holdfast.policies.testing.PodTraits.injectedRules;
import static dev.holdfast.policies.testing.PodTraits.near;
import static dev.holdfast.policies.testing.PodTraits.nodeAffinity;
import static dev.holdfast.policies.testing.PodTraits.requiring;
import static dev.holdfast.policies.testing.PodTraits.spread;
import static dev.holdfast.policies.testing.PodTraits.tooComplex;
import static dev.holdfast.policies.testing.Rules.affinityRule;
import static dev.holdfast.policies.testing.Rules.antiAffinityRule;
import static dev.holdfast.policies.testing.Rules.nodeRule;
import static dev.holdfast.policies.testing.Rules.spreadRule;
import static dev.holdfast.policies.testing.Spreads.maxSkew;
import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.params.provider.Arguments.argumentSet;

import dev.holdfast.policies.model.AnnotationRules;
import dev.holdfast.policies.model.AnnotationRules.NamedRule;
import dev.holdfast.policies.model.NodeSelectorTerm;
import dev.holdfast.policies.model.PodAffinityTerm;
import dev.holdfast.policies.model.Requirement;
import dev.holdfast.policies.model.Scheduling;
import dev.holdfast.policies.model.TopologySpreadConstraint;
import dev.holdfast.policies.rule.Enforcement;
import dev.holdfast.policies.rule.Mode;
import dev.holdfast.policies.rule.PodRules;
import dev.holdfast.policies.rule.Policy;
import dev.holdfast.policies.rule.PolicyId;
import dev.holdfast.policies.rule.PolicyScheduling;
import dev.holdfast.policies.rule.Rule;
import dev.holdfast.policies.rule.WhenInfeasible;
import dev.holdfast.policies.testing.PodTrait;
import dev.holdfast.policies.testing.PolicyDraft;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** What became of the rules that policies inject, as the stored constraints of a pod tell it. */
class PolicyInjectionTest {
    private static final NodeSelectorTerm SSD = nodeTerm(expression("disk", "In", "ssd"));
    private static final PodAffinityTerm CACHE = term(app("cache"), ZONE);
    private static final PodAffinityTerm DATABASE = term(app("database"), ZONE);
    private static final PodAffinityTerm BATCH = term(app("batch"), HOSTNAME);
    private static final TopologySpreadConstraint EVEN = maxSkew(1, ZONE, app("web"));
    private static final TopologySpreadConstraint ROUGH = maxSkew(5, ZONE, app("web"));
    private static final Policy OTHERS = policy(PolicyId.cluster("all"), affinityRule(DATABASE));

    record Row(String name, Scheduling pod, List<Policy> policies, InjectionOutcome expected) {
        Arguments arguments() {
            return argumentSet(name, this);
        }
    }

    static Stream<Arguments> rows() {
        return Stream.of(
                        row(
                                "a node rule in the record was injected",
                                of(nodeAffinity(SSD), injectedRules("PlacementPolicy/web/own node:-:1.0")),
                                nodeRule(SSD),
                                INJECTED),
                        row("a node rule without a record is the pod's own", of(nodeAffinity(SSD)), nodeRule(SSD), OWN),
                        row("a pod without the node rule lacks it", of(), nodeRule(SSD), ABSENT),
                        row(
                                "150 requirements and values have no room for another one of two",
                                of(nodeAffinity(wide(149))),
                                nodeRule(SSD),
                                TOO_MANY_NODE_VALUES),
                        row(
                                "148 requirements and values have room for another one of two",
                                of(nodeAffinity(wide(147))),
                                nodeRule(SSD),
                                ABSENT),
                        row(
                                "AF-1: a pod with another affinity term of its own gets no affinity rule",
                                of(near(DATABASE)),
                                affinityRule(CACHE),
                                OTHER_POD_AFFINITY),
                        row("an affinity rule may be the pod's own", of(near(CACHE)), affinityRule(CACHE), OWN),
                        row(
                                "an injected affinity rule",
                                of(near(CACHE), injectedRules("PlacementPolicy/web/own affinity")),
                                affinityRule(CACHE),
                                INJECTED),
                        row(
                                "PA-7: the API server stores an affinity rule with its label keys merged",
                                of(near(merged()), injectedRules("PlacementPolicy/web/own affinity")),
                                affinityRule(keyed()),
                                INJECTED),
                        row(
                                "AF-1: the affinity rule of a policy that goes before keeps another one out",
                                of(near(DATABASE), injectedRules("ClusterPlacementPolicy/all/own affinity")),
                                List.of(OTHERS, policy(affinityRule(CACHE))),
                                OTHER_POD_AFFINITY),
                        row(
                                "a pod is older than the policy if it has a rule that would not win now",
                                of(near(CACHE), injectedRules("PlacementPolicy/zz/own affinity")),
                                List.of(
                                        policy(affinityRule(DATABASE)),
                                        policy(PolicyId.namespaced("shop", "zz"), affinityRule(CACHE))),
                                ABSENT),
                        row(
                                "with more than a hundred policies the stored term is all that counts",
                                of(near(CACHE), injectedRules("PlacementPolicy/zz/own affinity")),
                                Stream.concat(
                                                Stream.of(policy(affinityRule(DATABASE))),
                                                IntStream.range(0, 100)
                                                        .mapToObj(i -> policy(
                                                                PolicyId.namespaced("shop", "zz" + i), nodeRule(SSD))))
                                        .toList(),
                                OTHER_POD_AFFINITY),
                        row(
                                "an anti-affinity rule is never in the way of another",
                                of(apartFrom(CACHE)),
                                apart(),
                                ABSENT),
                        row(
                                "the thirteenth rule about other pods",
                                of(apartFrom(others(12))),
                                apart(),
                                TOO_MANY_POD_RULES),
                        row(
                                "the thirteenth, because the API server took another policy first",
                                of(
                                        apartFrom(Stream.concat(Stream.of(others(11)), Stream.of(CACHE))
                                                .toArray(PodAffinityTerm[]::new)),
                                        injectedRules("PlacementPolicy/zz/own antiAffinity:11")),
                                List.of(
                                        policy(apart()),
                                        policy(PolicyId.namespaced("shop", "zz"), antiAffinityRule(CACHE))),
                                TOO_MANY_POD_RULES),
                        row("the twelfth rule about other pods", of(apartFrom(others(11))), apart(), ABSENT),
                        row(
                                "an injected anti-affinity rule",
                                of(apartFrom(CACHE, BATCH), injectedRules("PlacementPolicy/web/own antiAffinity:1")),
                                apart(),
                                INJECTED),
                        row(
                                "another constraint with the topologyKey keeps a spread rule out",
                                of(spread(ROUGH)),
                                spreadRule(EVEN),
                                OTHER_SPREAD),
                        row(
                                "a constraint with another topologyKey does not",
                                of(spread(maxSkew(1, RACK, app("web")))),
                                spreadRule(EVEN),
                                ABSENT),
                        row(
                                "an injected spread rule",
                                of(spread(EVEN), injectedRules("PlacementPolicy/web/own spread:" + ZONE)),
                                spreadRule(EVEN),
                                INJECTED))
                .map(Row::arguments);
    }

    @ParameterizedTest
    @MethodSource("rows")
    void tellsWhatBecameOfARule(Row row) {
        List<PolicyInjection> injections = PolicyInjection.of(row.pod(), row.policies());

        int web = row.policies().stream().map(Policy::id).toList().indexOf(PolicyId.namespaced("shop", "web"));
        assertThat(injections.get(web).rules()).containsExactly(new PolicyInjection.OfRule("own", row.expected()));
    }

    @Test
    void aPolicyThatInjectsNothingHasNoOutcomes() {
        Policy injecting = policy(nodeRule(SSD));
        Policy executing = PolicyDraft.of(PolicyId.namespaced("shop", "zz"), Mode.AUDIT)
                .pods(injecting.pods())
                .rules(injecting.rules())
                .policy();

        assertThat(PolicyInjection.of(of(), List.of(executing))).containsExactly(PolicyInjection.NONE);
        assertThat(PolicyInjection.of(of(), List.of(injecting, executing)))
                .containsExactly(
                        new PolicyInjection(List.of(new PolicyInjection.OfRule("own", ABSENT))), PolicyInjection.NONE);
    }

    @Test
    void nothingIsSaidOfAPodThatIsNotReadInFull() {
        assertThat(PolicyInjection.of(of(tooComplex("300 tolerations")), List.of(policy(nodeRule(SSD)))))
                .containsExactly(PolicyInjection.NONE);
    }

    record Annotated(String name, Scheduling pod, Map<String, InjectionOutcome> expected) {
        Arguments arguments() {
            return argumentSet(name, this);
        }
    }

    static Stream<Arguments> annotated() {
        return Stream.of(
                        new Annotated("a pod without the annotation has no rules there", of(), Map.of()),
                        new Annotated(
                                "rules of the annotation in the record were injected",
                                of(
                                        annotatedRules(requiring("ssd", SSD), apart("batch", BATCH)),
                                        nodeAffinity(SSD),
                                        apartFrom(BATCH),
                                        injectedRules("annotation/ssd node:-:1.0, annotation/batch antiAffinity:0")),
                                Map.of("ssd", INJECTED, "batch", INJECTED)),
                        new Annotated(
                                "a rule that the pod has of its own, and one that it lacks",
                                of(annotatedRules(requiring("ssd", SSD), apart("batch", BATCH)), nodeAffinity(SSD)),
                                Map.of("ssd", OWN, "batch", ABSENT)),
                        new Annotated(
                                "AF-1: a pod with another affinity term gets none of its annotation",
                                of(
                                        annotatedRules(new NamedRule("cache", new AnnotationRules.Near(CACHE))),
                                        near(DATABASE)),
                                Map.of("cache", OTHER_POD_AFFINITY)),
                        new Annotated(
                                "the API server does not read an annotation with an escape",
                                withEscapes(of(
                                        annotatedRules(requiring("ssd", SSD), apart("batch", BATCH)),
                                        apartFrom(BATCH))),
                                Map.of("ssd", ANNOTATION_NOT_PLAIN, "batch", OWN)))
                .map(Annotated::arguments);
    }

    @ParameterizedTest
    @MethodSource("annotated")
    void tellsWhatBecameOfTheRulesInTheAnnotation(Annotated row) {
        Policy allowing = allowing(PolicyScheduling.INJECT);

        PolicyInjection injection =
                PolicyInjection.of(row.pod(), List.of(allowing)).getFirst();

        Map<String, InjectionOutcome> outcomes = new TreeMap<>();
        PodRules.inAnnotation(row.pod())
                .forEach((name, rule) -> outcomes.put(
                        name, requireNonNull(injection.ofAnnotation().get(rule.identity()))));
        assertThat(outcomes).isEqualTo(new TreeMap<>(row.expected()));
        assertThat(injection.rules())
                .containsExactlyInAnyOrderElementsOf(row.expected().values().stream()
                        .distinct()
                        .map(outcome -> new PolicyInjection.OfRule("AnnotationRules", outcome))
                        .toList());
    }

    @Test
    void aPolicyThatAllowsAnnotationsWithoutInjectionInjectsNone() {
        assertThat(PolicyInjection.of(
                        of(annotatedRules(requiring("ssd", SSD))), List.of(allowing(PolicyScheduling.NONE))))
                .containsExactly(PolicyInjection.NONE);
    }

    private static NamedRule apart(String name, PodAffinityTerm term) {
        return new NamedRule(name, new AnnotationRules.ApartFrom(term));
    }

    private static Scheduling withEscapes(Scheduling pod) {
        AnnotationRules.Given given = (AnnotationRules.Given) pod.annotationRules();
        return pod.withAnnotationRules(
                new AnnotationRules.Given(given.standing(), AnnotationRules.Text.WITH_ESCAPES, given.rules()));
    }

    private static Policy allowing(PolicyScheduling scheduling) {
        return PolicyDraft.of(PolicyId.namespaced("shop", "web"), Mode.AUDIT)
                .pods(matcher(selector()))
                .scheduling(scheduling)
                .annotationRules(new Enforcement(Mode.AUDIT, Duration.ofMinutes(5), WhenInfeasible.WAIT))
                .policy();
    }

    private static Row row(String name, Scheduling pod, Rule rule, InjectionOutcome expected) {
        return row(name, pod, List.of(policy(rule)), expected);
    }

    private static Row row(String name, Scheduling pod, List<Policy> policies, InjectionOutcome expected) {
        return new Row(name, pod, policies, expected);
    }

    private static Rule apart() {
        return antiAffinityRule(BATCH);
    }

    private static PodAffinityTerm keyed() {
        return new PodAffinityTerm(
                CACHE.labelSelector(), List.of(), Optional.empty(), ZONE, List.of("revision"), List.of());
    }

    private static PodAffinityTerm merged() {
        return new PodAffinityTerm(
                CACHE.labelSelector().map(it -> it.and(new Requirement("revision", "In", List.of("7f")))),
                List.of(),
                Optional.empty(),
                ZONE,
                List.of("revision"),
                List.of());
    }

    private static Scheduling of(PodTrait... traits) {
        return pod("p", traits).scheduling();
    }

    private static PodAffinityTerm[] others(int count) {
        return IntStream.range(0, count)
                .mapToObj(i -> term(app("other-" + i), HOSTNAME))
                .toArray(PodAffinityTerm[]::new);
    }

    /** {@return a term with one requirement of this many values} */
    private static NodeSelectorTerm wide(int values) {
        return nodeTerm(expression(
                "rack", "In", IntStream.range(0, values).mapToObj(i -> "r" + i).toArray(String[]::new)));
    }

    private static Policy policy(Rule rule) {
        return policy(PolicyId.namespaced("shop", "web"), rule);
    }

    private static Policy policy(PolicyId id, Rule rule) {
        Enforcement enforcement = new Enforcement(Mode.AUDIT, Duration.ofMinutes(5), WhenInfeasible.WAIT);
        return PolicyDraft.of(id, Mode.AUDIT)
                .pods(matcher(selector()))
                .rule("own", rule, enforcement)
                .scheduling(PolicyScheduling.INJECT)
                .policy();
    }
}
