package dev.holdfast.policies.inject;

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
import static dev.holdfast.policies.testing.PodTraits.apartFrom;
import static dev.holdfast.policies.testing.PodTraits.near;
import static dev.holdfast.policies.testing.PodTraits.nodeAffinity;
import static dev.holdfast.policies.testing.PodTraits.spread;
import static dev.holdfast.policies.testing.Rules.affinityRule;
import static dev.holdfast.policies.testing.Rules.antiAffinityRule;
import static dev.holdfast.policies.testing.Rules.nodeRule;
import static dev.holdfast.policies.testing.Rules.spreadRule;
import static dev.holdfast.policies.testing.Spreads.maxSkew;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.params.provider.Arguments.argumentSet;

import dev.holdfast.policies.model.NodeInclusionPolicy;
import dev.holdfast.policies.model.NodeSelectorTerm;
import dev.holdfast.policies.model.PodAffinityTerm;
import dev.holdfast.policies.model.Scheduling;
import dev.holdfast.policies.model.TopologySpreadConstraint;
import dev.holdfast.policies.model.injected.InjectedRules;
import dev.holdfast.policies.rule.Enforcement;
import dev.holdfast.policies.rule.Mode;
import dev.holdfast.policies.rule.Policy;
import dev.holdfast.policies.rule.PolicyId;
import dev.holdfast.policies.rule.PolicyScheduling;
import dev.holdfast.policies.rule.Rule;
import dev.holdfast.policies.rule.VictimChoice;
import dev.holdfast.policies.rule.WhenDomainAdded;
import dev.holdfast.policies.rule.WhenInfeasible;
import dev.holdfast.policies.rule.WhenRequired;
import dev.holdfast.policies.testing.PodTrait;
import dev.holdfast.policies.testing.PolicyDraft;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** What rules with {@code when: PossibleAtScheduling} make of a pod: preferences, and nothing that it requires. */
class PreferredInjectionTest {
    private static final NodeSelectorTerm SSD = nodeTerm(expression("disk", "In", "ssd"));
    private static final NodeSelectorTerm NVME = nodeTerm(expression("disk", "In", "nvme"));
    private static final NodeSelectorTerm ARM = nodeTerm(expression("arch", "In", "arm64"));
    private static final NodeSelectorTerm EMPTY = nodeTerm();
    private static final PodAffinityTerm CACHE = term(app("cache"), ZONE);
    private static final PodAffinityTerm DATABASE = term(app("database"), ZONE);
    private static final PodAffinityTerm BATCH = term(app("batch"), HOSTNAME);
    private static final TopologySpreadConstraint EVEN = maxSkew(1, ZONE, app("web"));
    private static final TopologySpreadConstraint ROUGH = maxSkew(5, ZONE, app("web"));
    private static final TopologySpreadConstraint BY_RACK = maxSkew(1, RACK, app("web"));

    record Row(
            String name,
            Scheduling pod,
            PreferredTerms prefers,
            List<Policy> policies,
            Scheduling requires,
            PreferredTerms expected,
            String record) {
        Arguments arguments() {
            return argumentSet(name, this);
        }
    }

    static Stream<Arguments> rows() {
        return Stream.of(
                        row(
                                "a node rule is preferred, and the pod requires what it required before",
                                of(nodeAffinity(ARM)),
                                PreferredTerms.none(),
                                List.of(policy("web", wanted("ssd", nodeRule(SSD)))),
                                nodes(SSD),
                                "PlacementPolicy/web/ssd preferred"),
                        row(
                                "each alternative of a node rule is a preferred term; an empty one is none",
                                of(),
                                PreferredTerms.none(),
                                List.of(policy("web", wanted("fast", nodeRule(EMPTY, SSD, NVME)))),
                                nodes(SSD, NVME),
                                "PlacementPolicy/web/fast preferred"),
                        row(
                                "a term that the pod prefers already is not added",
                                of(),
                                nodes(NVME),
                                List.of(policy(
                                        "web", wanted("fast", nodeRule(SSD, NVME)), wanted("nvme", nodeRule(NVME)))),
                                nodes(NVME, SSD),
                                "PlacementPolicy/web/fast preferred"),
                        row(
                                "a term that two policies want is added once",
                                of(),
                                PreferredTerms.none(),
                                List.of(
                                        policy("one", wanted("ssd", nodeRule(SSD))),
                                        policy("two", wanted("ssd", nodeRule(SSD)))),
                                nodes(SSD),
                                "PlacementPolicy/one/ssd preferred"),
                        row(
                                "rules that are always required come first, and do not count as preferred",
                                of(),
                                PreferredTerms.none(),
                                List.of(policy("web", wanted("a", nodeRule(SSD)), required("z", nodeRule(ARM)))),
                                of(nodeAffinity(ARM)),
                                nodes(SSD),
                                "PlacementPolicy/web/z node:-:1.0, PlacementPolicy/web/a preferred"),
                        row(
                                "of 21 preferred terms, 20 are added",
                                of(),
                                nodes(racks(19)),
                                List.of(policy("web", wanted("fast", nodeRule(SSD, NVME)))),
                                nodes(Stream.concat(Stream.of(racks(19)), Stream.of(SSD))
                                        .toArray(NodeSelectorTerm[]::new)),
                                "PlacementPolicy/web/fast preferred"),
                        row(
                                "of the alternatives in one policy, the first 20 are read",
                                of(),
                                nodes(racks(19)),
                                List.of(policy(
                                        "web",
                                        wanted("a", nodeRule(racks(19))),
                                        wanted("b", nodeRule(racks(1)[0], SSD)))),
                                nodes(racks(19)),
                                ""),
                        row(
                                "a pod that prefers 151 requirements and values gets no more of them",
                                of(),
                                nodes(wide(150)),
                                List.of(policy("web", wanted("ssd", nodeRule(SSD)))),
                                nodes(wide(150)),
                                ""),
                        row(
                                "a pod that prefers 150 requirements and values gets one more term",
                                of(),
                                nodes(wide(149)),
                                List.of(policy("web", wanted("ssd", nodeRule(SSD)))),
                                nodes(wide(149), SSD),
                                "PlacementPolicy/web/ssd preferred"),
                        row(
                                "affinity rules are preferred beside each other and beside the pod's required term",
                                of(near(DATABASE)),
                                PreferredTerms.none(),
                                List.of(
                                        policy("web", wanted("near", affinityRule(CACHE))),
                                        clusterPolicy("all", wanted("near", affinityRule(DATABASE)))),
                                prefersNear(CACHE, DATABASE),
                                "PlacementPolicy/web/near preferred, ClusterPlacementPolicy/all/near preferred"),
                        row(
                                "an anti-affinity rule is preferred, also if the pod requires the same term",
                                of(apartFrom(BATCH)),
                                PreferredTerms.none(),
                                List.of(policy("web", wanted("apart", antiAffinityRule(BATCH)))),
                                apart(BATCH),
                                "PlacementPolicy/web/apart preferred"),
                        row(
                                "the twelve rules about other pods that are read do not count preferred ones",
                                of(apartFrom(others(12))),
                                PreferredTerms.none(),
                                List.of(policy("web", wanted("apart", antiAffinityRule(BATCH)))),
                                apart(BATCH),
                                "PlacementPolicy/web/apart preferred"),
                        row(
                                "a spread rule becomes a soft constraint beside a hard one with its key",
                                of(spread(ROUGH)),
                                PreferredTerms.none(),
                                List.of(policy("web", wanted("even", spreadRule(EVEN)))),
                                soft(EVEN),
                                "PlacementPolicy/web/even preferredSpread:topology.kubernetes.io/zone"),
                        row(
                                "a soft constraint has no minDomains",
                                of(),
                                PreferredTerms.none(),
                                List.of(policy("web", wanted("even", spreadRule(overThree(EVEN))))),
                                soft(EVEN),
                                "PlacementPolicy/web/even preferredSpread:topology.kubernetes.io/zone"),
                        row(
                                "a spread rule is left out beside a soft constraint of the pod with its key",
                                of(),
                                soft(ROUGH, BY_RACK),
                                List.of(policy("web", wanted("even", spreadRule(EVEN)))),
                                soft(ROUGH, BY_RACK),
                                ""),
                        row(
                                "of two spread rules with one key the one whose name comes first is preferred",
                                of(),
                                PreferredTerms.none(),
                                List.of(
                                        policy("web", wanted("even", spreadRule(EVEN))),
                                        clusterPolicy("all", wanted("rough", spreadRule(ROUGH)))),
                                soft(ROUGH),
                                "ClusterPlacementPolicy/all/rough preferredSpread:topology.kubernetes.io/zone"),
                        row(
                                "a rule whose mode is Disabled is not preferred",
                                of(),
                                PreferredTerms.none(),
                                List.of(policy("web", wanted("ssd", nodeRule(SSD), Mode.DISABLED))),
                                PreferredTerms.none(),
                                ""))
                .map(Row::arguments);
    }

    @ParameterizedTest
    @MethodSource("rows")
    void policiesInjectTheirRules(Row row) {
        Injection injection = injection(row, row.policies());

        assertThat(injection.scheduling()).isEqualTo(row.requires());
        assertThat(injection.preferred()).isEqualTo(row.expected());
        assertThat(injection.record().text()).isEqualTo(row.record());
    }

    @ParameterizedTest
    @MethodSource("rows")
    void theOrderOfPoliciesHasNoEffectOnTheTerms(Row row) {
        PreferredTerms forward = injection(row, row.policies()).preferred();
        PreferredTerms backward = injection(row, row.policies().reversed()).preferred();

        assertThat(unordered(backward)).isEqualTo(unordered(forward));
    }

    @ParameterizedTest
    @MethodSource("rows")
    void injectingOnceMoreChangesNothing(Row row) {
        Injection once = injection(row, row.policies());
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
        assertThat(record.removedFrom(row.requires())).isEqualTo(row.pod());
    }

    private static Row row(
            String name,
            Scheduling pod,
            PreferredTerms prefers,
            List<Policy> policies,
            PreferredTerms expected,
            String record) {
        return row(name, pod, prefers, policies, pod, expected, record);
    }

    private static Row row(
            String name,
            Scheduling pod,
            PreferredTerms prefers,
            List<Policy> policies,
            Scheduling requires,
            PreferredTerms expected,
            String record) {
        return new Row(name, pod, prefers, policies, requires, expected, record);
    }

    private static Injection injection(Row row, List<Policy> policies) {
        Injection injection = Injection.into(row.pod(), row.prefers());
        for (Policy policy : policies) {
            injection = injection.with(policy);
        }
        return injection;
    }

    private static List<Set<?>> unordered(PreferredTerms terms) {
        return List.of(
                Set.copyOf(terms.nodeAffinity()),
                Set.copyOf(terms.podAffinity()),
                Set.copyOf(terms.podAntiAffinity()),
                Set.copyOf(terms.topologySpread()));
    }

    private static Scheduling of(PodTrait... traits) {
        return pod("p", traits).scheduling();
    }

    private static PreferredTerms nodes(NodeSelectorTerm... terms) {
        return PreferredTerms.none().withNodeAffinity(List.of(terms));
    }

    private static PreferredTerms prefersNear(PodAffinityTerm one, PodAffinityTerm other) {
        return PreferredTerms.none().withPodAffinity(List.of(one, other));
    }

    private static PreferredTerms apart(PodAffinityTerm term) {
        return PreferredTerms.none().withPodAntiAffinity(List.of(term));
    }

    private static PreferredTerms soft(TopologySpreadConstraint... constraints) {
        return PreferredTerms.none().withTopologySpread(List.of(constraints));
    }

    private static TopologySpreadConstraint overThree(TopologySpreadConstraint constraint) {
        return new TopologySpreadConstraint(
                constraint.maxSkew(),
                constraint.topologyKey(),
                constraint.labelSelector(),
                3,
                NodeInclusionPolicy.HONOR,
                NodeInclusionPolicy.IGNORE,
                List.of());
    }

    private static NodeSelectorTerm[] racks(int count) {
        return IntStream.range(0, count)
                .mapToObj(i -> nodeTerm(expression("rack", "In", "r" + i)))
                .toArray(NodeSelectorTerm[]::new);
    }

    /** {@return a term with one requirement of this many values} */
    private static NodeSelectorTerm wide(int values) {
        return nodeTerm(expression(
                "rack", "In", IntStream.range(0, values).mapToObj(i -> "r" + i).toArray(String[]::new)));
    }

    private static PodAffinityTerm[] others(int count) {
        return IntStream.range(0, count)
                .mapToObj(i -> term(app("other-" + i), HOSTNAME))
                .toArray(PodAffinityTerm[]::new);
    }

    private static Policy.NamedRule wanted(String name, Rule rule) {
        return wanted(name, rule, Mode.AUDIT);
    }

    private static Policy.NamedRule wanted(String name, Rule rule, Mode mode) {
        return new Policy.NamedRule(
                name,
                rule,
                new Enforcement(
                        mode,
                        Duration.ofMinutes(5),
                        WhenInfeasible.WAIT,
                        WhenDomainAdded.HOLD,
                        VictimChoice.RULE_OWNER,
                        WhenRequired.POSSIBLE_AT_SCHEDULING));
    }

    private static Policy.NamedRule required(String name, Rule rule) {
        return new Policy.NamedRule(
                name, rule, new Enforcement(Mode.AUDIT, Duration.ofMinutes(5), WhenInfeasible.WAIT));
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
                .rules(List.of(rules))
                .scheduling(PolicyScheduling.INJECT)
                .policy();
    }
}
