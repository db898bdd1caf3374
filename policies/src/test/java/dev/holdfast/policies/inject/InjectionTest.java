package dev.holdfast.policies.inject;

import static dev.holdfast.policies.testing.Demands.app;
import static dev.holdfast.policies.testing.Demands.expression;
import static dev.holdfast.policies.testing.Demands.fieldTerm;
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
import static dev.holdfast.policies.testing.PodTraits.invalidRules;
import static dev.holdfast.policies.testing.PodTraits.near;
import static dev.holdfast.policies.testing.PodTraits.nodeAffinity;
import static dev.holdfast.policies.testing.PodTraits.nodeSelector;
import static dev.holdfast.policies.testing.PodTraits.replacingRules;
import static dev.holdfast.policies.testing.PodTraits.requiring;
import static dev.holdfast.policies.testing.PodTraits.spread;
import static dev.holdfast.policies.testing.Rules.affinityRule;
import static dev.holdfast.policies.testing.Rules.antiAffinityRule;
import static dev.holdfast.policies.testing.Rules.nodeRule;
import static dev.holdfast.policies.testing.Rules.spreadRule;
import static dev.holdfast.policies.testing.Spreads.maxSkew;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.params.provider.Arguments.argumentSet;

import dev.holdfast.policies.model.AnnotationRules;
import dev.holdfast.policies.model.AnnotationRules.NamedRule;
import dev.holdfast.policies.model.NodeSelectorTerm;
import dev.holdfast.policies.model.PodAffinityTerm;
import dev.holdfast.policies.model.Scheduling;
import dev.holdfast.policies.model.TopologySpreadConstraint;
import dev.holdfast.policies.model.injected.InjectedRules;
import dev.holdfast.policies.rule.Enforcement;
import dev.holdfast.policies.rule.Mode;
import dev.holdfast.policies.rule.PodRules;
import dev.holdfast.policies.rule.Policy;
import dev.holdfast.policies.rule.PolicyId;
import dev.holdfast.policies.rule.PolicyScheduling;
import dev.holdfast.policies.rule.Rule;
import dev.holdfast.policies.rule.RuleIdentity;
import dev.holdfast.policies.rule.WhenInfeasible;
import dev.holdfast.policies.testing.PodTrait;
import dev.holdfast.policies.testing.PolicyDraft;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** What policies with {@code scheduling: Inject} make of a pod's constraints, and that it can be undone. */
class InjectionTest {
    private static final NodeSelectorTerm SSD = nodeTerm(expression("disk", "In", "ssd"));
    private static final NodeSelectorTerm NVME = nodeTerm(expression("disk", "In", "nvme"));
    private static final NodeSelectorTerm ARM = nodeTerm(expression("arch", "In", "arm64"));
    private static final NodeSelectorTerm N1 = fieldTerm(expression("metadata.name", "In", "n1"));
    private static final NodeSelectorTerm EMPTY = nodeTerm();
    private static final PodAffinityTerm CACHE = term(app("cache"), ZONE);
    private static final PodAffinityTerm DATABASE = term(app("database"), ZONE);
    private static final PodAffinityTerm BATCH = term(app("batch"), HOSTNAME);
    private static final TopologySpreadConstraint EVEN = maxSkew(1, ZONE, app("web"));
    private static final TopologySpreadConstraint ROUGH = maxSkew(5, ZONE, app("web"));
    private static final TopologySpreadConstraint BY_RACK = maxSkew(1, RACK, app("web"));

    record Row(String name, Scheduling pod, List<Policy> policies, Scheduling expected, String record) {
        Arguments arguments() {
            return argumentSet(name, this);
        }
    }

    static Stream<Arguments> rows() {
        return Stream.of(
                        row(
                                "a policy without rules changes nothing",
                                of(nodeAffinity(ARM)),
                                List.of(policy("web")),
                                of(nodeAffinity(ARM)),
                                ""),
                        row(
                                "a node rule gives node affinity to a pod that has none",
                                of(nodeSelector("zone", "a")),
                                List.of(policy("web", rule("ssd", nodeRule(SSD)))),
                                of(nodeSelector("zone", "a"), nodeAffinity(SSD)),
                                "PlacementPolicy/web/ssd node:-:1.0"),
                        row(
                                "a node rule is added to every term that has requirements, and to no empty term",
                                of(nodeAffinity(ARM, EMPTY, N1)),
                                List.of(policy("web", rule("ssd", nodeRule(SSD)))),
                                of(nodeAffinity(both(ARM, SSD), EMPTY, both(N1, SSD))),
                                "PlacementPolicy/web/ssd node:1.0+0.0+0.1:1.0"),
                        row(
                                "each alternative of a node rule is added to a copy of each term",
                                of(nodeAffinity(ARM, N1)),
                                List.of(policy("web", rule("fast", nodeRule(SSD, NVME)))),
                                of(nodeAffinity(both(ARM, SSD), both(ARM, NVME), both(N1, SSD), both(N1, NVME))),
                                "PlacementPolicy/web/fast node:1.0+0.1:1.0+1.0"),
                        row(
                                "an alternative without requirements matches no node, and is no alternative",
                                of(nodeAffinity(ARM)),
                                List.of(policy("web", rule("ssd", nodeRule(EMPTY, SSD)))),
                                of(nodeAffinity(both(ARM, SSD))),
                                "PlacementPolicy/web/ssd node:1.0:1.0"),
                        row(
                                "a pod whose terms match no node keeps them",
                                of(nodeAffinity(EMPTY)),
                                List.of(policy("web", rule("ssd", nodeRule(SSD)))),
                                of(nodeAffinity(EMPTY)),
                                ""),
                        row(
                                "a template that has the same node rule by hand gets none",
                                of(nodeAffinity(both(ARM, SSD))),
                                List.of(policy("web", rule("ssd", nodeRule(SSD)))),
                                of(nodeAffinity(both(ARM, SSD))),
                                ""),
                        row(
                                "a rule that only some terms imply is added to all",
                                of(nodeAffinity(both(ARM, SSD), N1)),
                                List.of(policy("web", rule("ssd", nodeRule(SSD)))),
                                of(nodeAffinity(both(both(ARM, SSD), SSD), both(N1, SSD))),
                                "PlacementPolicy/web/ssd node:2.0+0.1:1.0"),
                        row(
                                "contradicting node rules of two policies are both added",
                                of(),
                                List.of(
                                        policy("one", rule("ssd", nodeRule(SSD))),
                                        policy("two", rule("nvme", nodeRule(NVME)))),
                                of(nodeAffinity(both(SSD, NVME))),
                                "PlacementPolicy/one/ssd node:-:1.0, PlacementPolicy/two/nvme node:1.0:1.0"),
                        row(
                                "the rules of one policy are added in the order of their names",
                                of(),
                                List.of(policy("web", rule("z", nodeRule(SSD)), rule("a", nodeRule(ARM)))),
                                of(nodeAffinity(both(ARM, SSD))),
                                "PlacementPolicy/web/a node:-:1.0, PlacementPolicy/web/z node:1.0:1.0"),
                        row(
                                "a rule that would make 160 requirements and values is left out, and one that makes 80"
                                        + " is not",
                                of(nodeAffinity(terms(20))),
                                List.of(policy("web", rule("a", nodeRule(SSD, NVME)), rule("b", nodeRule(ARM)))),
                                of(nodeAffinity(Stream.of(terms(20))
                                        .map(it -> both(it, ARM))
                                        .toArray(NodeSelectorTerm[]::new))),
                                "PlacementPolicy/web/b node:" + String.join("+", Collections.nCopies(20, "1.0"))
                                        + ":1.0"),
                        row(
                                "a rule that would make 151 requirements and values is left out, and one that makes"
                                        + " 150 is not",
                                of(nodeAffinity(wide(147))),
                                List.of(policy(
                                        "web",
                                        rule("a", nodeRule(nodeTerm(expression("disk", "In", "ssd", "nvme")))),
                                        rule("b", nodeRule(SSD)))),
                                of(nodeAffinity(both(wide(147), SSD))),
                                "PlacementPolicy/web/b node:1.0:1.0"),
                        row(
                                "the thirteenth rule about other pods is left out, of whatever kind",
                                of(near(CACHE), apartFrom(others(9)), spread(BY_RACK)),
                                List.of(policy(
                                        "web",
                                        rule("apart", antiAffinityRule(BATCH)),
                                        rule("apart-too", antiAffinityRule(DATABASE)),
                                        rule("even", spreadRule(EVEN)))),
                                of(near(CACHE), apartFrom(and(others(9), BATCH)), spread(BY_RACK)),
                                "PlacementPolicy/web/apart antiAffinity:9"),
                        row(
                                "a pod with twelve rules about other pods gets no affinity rule",
                                of(apartFrom(others(12))),
                                List.of(policy("web", rule("near", affinityRule(CACHE)))),
                                of(apartFrom(others(12))),
                                ""),
                        row(
                                "a rule whose mode is Disabled is not injected",
                                of(),
                                List.of(policy("web", new Policy.NamedRule("ssd", nodeRule(SSD), in(Mode.DISABLED)))),
                                of(),
                                ""),
                        row(
                                "an affinity rule is added to a pod without required affinity",
                                of(),
                                List.of(policy("web", rule("near", affinityRule(CACHE)))),
                                of(near(CACHE)),
                                "PlacementPolicy/web/near affinity"),
                        row(
                                "AF-1: an affinity rule is left out beside an affinity term of the pod",
                                of(near(DATABASE)),
                                List.of(policy("web", rule("near", affinityRule(CACHE)))),
                                of(near(DATABASE)),
                                ""),
                        row(
                                "AF-1: of two affinity rules the one whose name comes first is added",
                                of(),
                                List.of(
                                        policy("web", rule("near", affinityRule(CACHE))),
                                        clusterPolicy("all", rule("near", affinityRule(DATABASE)))),
                                of(near(DATABASE)),
                                "ClusterPlacementPolicy/all/near affinity"),
                        row(
                                "an anti-affinity rule is appended",
                                of(apartFrom(CACHE)),
                                List.of(policy("web", rule("apart", antiAffinityRule(BATCH)))),
                                of(apartFrom(CACHE, BATCH)),
                                "PlacementPolicy/web/apart antiAffinity:1"),
                        row(
                                "an anti-affinity rule that the pod has already is not appended",
                                of(apartFrom(BATCH, CACHE)),
                                List.of(policy("web", rule("apart", antiAffinityRule(BATCH)))),
                                of(apartFrom(BATCH, CACHE)),
                                ""),
                        row(
                                "two equal anti-affinity rules are one",
                                of(),
                                List.of(policy(
                                        "web", rule("a", antiAffinityRule(BATCH)), rule("b", antiAffinityRule(BATCH)))),
                                of(apartFrom(BATCH)),
                                "PlacementPolicy/web/a antiAffinity:0"),
                        row(
                                "a spread rule is appended to constraints with other keys",
                                of(spread(BY_RACK)),
                                List.of(policy("web", rule("even", spreadRule(EVEN)))),
                                of(spread(BY_RACK, EVEN)),
                                "PlacementPolicy/web/even spread:topology.kubernetes.io/zone"),
                        row(
                                "a spread rule is left out beside a constraint of the pod with its key",
                                of(spread(ROUGH)),
                                List.of(policy("web", rule("even", spreadRule(EVEN)))),
                                of(spread(ROUGH)),
                                ""),
                        row(
                                "of two spread rules with one key the one whose name comes first is added",
                                of(),
                                List.of(
                                        policy("web", rule("even", spreadRule(EVEN))),
                                        clusterPolicy("all", rule("rough", spreadRule(ROUGH)))),
                                of(spread(ROUGH)),
                                "ClusterPlacementPolicy/all/rough spread:topology.kubernetes.io/zone"))
                .map(Row::arguments);
    }

    @ParameterizedTest
    @MethodSource("rows")
    void policiesInjectTheirRules(Row row) {
        Injection injection = injection(row.pod(), row.policies());

        assertThat(injection.scheduling()).isEqualTo(row.expected());
        assertThat(injection.record().text()).isEqualTo(row.record());
    }

    @ParameterizedTest
    @MethodSource("rows")
    void theOrderOfPoliciesHasNoEffectOnTheRules(Row row) {
        Scheduling forward = injection(row.pod(), row.policies()).scheduling();
        Scheduling backward = injection(row.pod(), row.policies().reversed()).scheduling();

        assertThat(identities(backward)).isEqualTo(identities(forward));
    }

    @ParameterizedTest
    @MethodSource("rows")
    void injectingOnceMoreChangesNothing(Row row) {
        Injection once = injection(row.pod(), row.policies());
        Injection twice = once;
        for (Policy policy : row.policies()) {
            twice = twice.with(policy);
        }

        assertThat(twice).isEqualTo(once);
    }

    @ParameterizedTest
    @MethodSource("rows")
    void theRecordTellsWhatThePodRequiresOfItsOwn(Row row) {
        InjectedRules record = InjectedRules.parse(row.record());

        assertThat(record.text()).isEqualTo(row.record());
        assertThat(record.removedFrom(row.expected())).isEqualTo(row.pod());
        assertThat(contents(PodRules.of(record.in(row.expected())))).isEqualTo(contents(PodRules.of(row.pod())));
    }

    private static Row row(String name, Scheduling pod, List<Policy> policies, Scheduling expected, String record) {
        return new Row(name, pod, policies, expected, record);
    }

    record Annotated(String name, List<PodTrait> pod, List<Policy> policies, List<PodTrait> expected, String record) {
        Arguments arguments() {
            return argumentSet(name, this);
        }
    }

    static Stream<Arguments> annotated() {
        return Stream.of(
                        new Annotated(
                                "rules of the annotation are added by kind and then by name",
                                List.of(annotatedRules(
                                        new NamedRule("b", new AnnotationRules.ApartFrom(BATCH)),
                                        new NamedRule("z", new AnnotationRules.Near(CACHE)),
                                        new NamedRule("even", new AnnotationRules.Spread(EVEN)),
                                        requiring("ssd", SSD))),
                                List.of(),
                                List.of(nodeAffinity(SSD), near(CACHE), apartFrom(BATCH), spread(EVEN)),
                                "annotation/ssd node:-:1.0, annotation/z affinity, annotation/b antiAffinity:0,"
                                        + " annotation/even spread:" + ZONE),
                        new Annotated(
                                "a rule of a policy goes before one of the annotation",
                                List.of(annotatedRules(
                                        new NamedRule("a", new AnnotationRules.Spread(ROUGH)),
                                        new NamedRule("b", new AnnotationRules.Near(CACHE)))),
                                List.of(policy(
                                        "web", rule("even", spreadRule(EVEN)), rule("near", affinityRule(DATABASE)))),
                                List.of(near(DATABASE), spread(EVEN)),
                                "PlacementPolicy/web/near affinity, PlacementPolicy/web/even spread:" + ZONE),
                        new Annotated(
                                "a rule that a policy has too is added once",
                                List.of(annotatedRules(requiring("fast", SSD))),
                                List.of(policy("web", rule("ssd", nodeRule(SSD)))),
                                List.of(nodeAffinity(SSD)),
                                "PlacementPolicy/web/ssd node:-:1.0"),
                        new Annotated(
                                "rules that stand in for those of the spec are added to it",
                                List.of(replacingRules(requiring("ssd", SSD)), nodeAffinity(ARM)),
                                List.of(),
                                List.of(nodeAffinity(both(ARM, SSD))),
                                "annotation/ssd node:1.0:1.0"),
                        new Annotated(
                                "an invalid annotation adds nothing",
                                List.of(invalidRules("it must be JSON"), nodeAffinity(ARM)),
                                List.of(),
                                List.of(nodeAffinity(ARM)),
                                ""))
                .map(Annotated::arguments);
    }

    @ParameterizedTest
    @MethodSource("annotated")
    void rulesOfAnnotationsAreInjected(Annotated row) {
        Scheduling pod = of(row.pod().toArray(PodTrait[]::new));
        Scheduling expected = of(row.expected().toArray(PodTrait[]::new)).withAnnotationRules(pod.annotationRules());

        Injection injection = injection(pod, row.policies()).withAnnotationRules();

        assertThat(injection.scheduling()).isEqualTo(expected);
        assertThat(injection.record().text()).isEqualTo(row.record());
        assertThat(InjectedRules.parse(row.record())).isEqualTo(injection.record());
        assertThat(injection.withAnnotationRules()).isEqualTo(injection);
        assertThat(injection.record().in(injection.scheduling()).own()).isEqualTo(pod);
    }

    @ParameterizedTest
    @MethodSource("annotated")
    void theOrderOfPoliciesAndAnnotationHasNoEffectOnTheRules(Annotated row) {
        Scheduling pod = of(row.pod().toArray(PodTrait[]::new));
        Injection backward = Injection.into(pod).withAnnotationRules();
        for (Policy policy : row.policies().reversed()) {
            backward = backward.with(policy);
        }

        assertThat(identities(backward.scheduling()))
                .isEqualTo(identities(
                        injection(pod, row.policies()).withAnnotationRules().scheduling()));
    }

    @Test
    void anAnnotationThatTheApiServerCannotReadAddsNothing() {
        Scheduling pod = of().withAnnotationRules(new AnnotationRules.Given(
                AnnotationRules.Standing.ADDED, AnnotationRules.Text.WITH_ESCAPES, List.of(requiring("ssd", SSD))));

        assertThat(Injection.into(pod).withAnnotationRules()).isEqualTo(Injection.into(pod));
    }

    private static Injection injection(Scheduling pod, List<Policy> policies) {
        Injection injection = Injection.into(pod);
        for (Policy policy : policies) {
            injection = injection.with(policy);
        }
        return injection;
    }

    /** {@return rules without the other keys of a spread, which are those of the whole spec (TS-4)} */
    private static List<Rule> contents(List<Rule> rules) {
        return rules.stream()
                .map(rule -> rule instanceof Rule.TopologySpread spread ? spreadRule(spread.constraint()) : rule)
                .toList();
    }

    @Test
    void aSpreadOfThePodsOwnCountsNodesWithTheKeysOfInjectedOnes() {
        Scheduling injected =
                InjectedRules.parse("PlacementPolicy/web/even spread:" + ZONE).in(of(spread(BY_RACK, EVEN)));

        assertThat(PodRules.of(injected)).containsExactly(spreadRule(BY_RACK, ZONE));
    }

    private static List<RuleIdentity> identities(Scheduling scheduling) {
        return PodRules.inSpec(scheduling).stream().map(Rule::identity).toList();
    }

    private static Scheduling of(PodTrait... traits) {
        return pod("p", traits).scheduling();
    }

    private static NodeSelectorTerm both(NodeSelectorTerm one, NodeSelectorTerm other) {
        return new NodeSelectorTerm(
                Stream.concat(one.matchExpressions().stream(), other.matchExpressions().stream())
                        .toList(),
                Stream.concat(one.matchFields().stream(), other.matchFields().stream())
                        .toList());
    }

    private static NodeSelectorTerm[] terms(int count) {
        return IntStream.range(0, count)
                .mapToObj(i -> nodeTerm(expression("rack", "In", "r" + i)))
                .toArray(NodeSelectorTerm[]::new);
    }

    private static PodAffinityTerm[] others(int count) {
        return IntStream.range(0, count)
                .mapToObj(i -> term(app("other-" + i), HOSTNAME))
                .toArray(PodAffinityTerm[]::new);
    }

    private static PodAffinityTerm[] and(PodAffinityTerm[] terms, PodAffinityTerm more) {
        return Stream.concat(Stream.of(terms), Stream.of(more)).toArray(PodAffinityTerm[]::new);
    }

    /** {@return a term with one requirement of this many values} */
    private static NodeSelectorTerm wide(int values) {
        return nodeTerm(expression(
                "rack", "In", IntStream.range(0, values).mapToObj(i -> "r" + i).toArray(String[]::new)));
    }

    private static Policy.NamedRule rule(String name, Rule rule) {
        return new Policy.NamedRule(name, rule, in(Mode.AUDIT));
    }

    private static Enforcement in(Mode mode) {
        return new Enforcement(mode, Duration.ofMinutes(5), WhenInfeasible.WAIT);
    }

    private static Policy policy(String name, Policy.NamedRule... rules) {
        return policy(PolicyId.namespaced("shop", name), rules);
    }

    private static Policy clusterPolicy(String name, Policy.NamedRule... rules) {
        return policy(PolicyId.cluster(name), rules);
    }

    private static Policy policy(PolicyId id, Policy.NamedRule... rules) {
        return PolicyDraft.of(id, Mode.AUDIT)
                .pods(matcher(selector()))
                .rules(new ArrayList<>(List.of(rules)))
                .scheduling(PolicyScheduling.INJECT)
                .policy();
    }
}
