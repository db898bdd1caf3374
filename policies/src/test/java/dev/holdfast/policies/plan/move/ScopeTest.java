package dev.holdfast.policies.plan.move;

import static dev.holdfast.policies.testing.Demands.app;
import static dev.holdfast.policies.testing.Demands.namespaceSelector;
import static dev.holdfast.policies.testing.Demands.namespaces;
import static dev.holdfast.policies.testing.Demands.selector;
import static dev.holdfast.policies.testing.Demands.term;
import static dev.holdfast.policies.testing.Facts.RACK;
import static dev.holdfast.policies.testing.Facts.ZONE;
import static dev.holdfast.policies.testing.Facts.labels;
import static dev.holdfast.policies.testing.Facts.pod;
import static dev.holdfast.policies.testing.PodTraits.in;
import static dev.holdfast.policies.testing.Spreads.maxSkew;
import static dev.holdfast.policies.testing.Spreads.perValueOf;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.params.provider.Arguments.argumentSet;

import dev.holdfast.policies.model.PodAffinityTerm;
import dev.holdfast.policies.rule.Rule;
import dev.holdfast.policies.testing.PodTrait;
import dev.holdfast.policies.testing.SpreadTrait;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Tests which scopes have pods in common, so that a move in one waits for a move in the other. */
class ScopeTest {
    private static Scope conflicting(String... uids) {
        return new Scope.Conflicting(Set.of(uids));
    }

    private static Scope near(PodTrait owner, PodAffinityTerm... terms) {
        Rule.PodAffinity rule = new Rule.PodAffinity(List.of(terms));
        return Scope.SameRule.of(rule, rule.identity(), pod("web", owner));
    }

    private static Scope even(PodTrait owner, SpreadTrait... traits) {
        Rule.TopologySpread rule = new Rule.TopologySpread(maxSkew(1, ZONE, app("web"), traits), List.of());
        return Scope.SameRule.of(rule, rule.identity(), pod("web", owner));
    }

    static Stream<Arguments> pairs() {
        PodAffinityTerm own = term(app("web"), ZONE);
        PodAffinityTerm listing = term(app("web"), ZONE, namespaces("a", "b"));
        PodAffinityTerm reachingAll = term(app("web"), ZONE, namespaceSelector(selector()));
        return Stream.of(
                argumentSet("two node rules", new Scope.Alone(), new Scope.Alone(), false),
                argumentSet("a node rule and a conflict", new Scope.Alone(), conflicting("x"), false),
                argumentSet("conflicts with a pod in common", conflicting("x", "y"), conflicting("y", "z"), true),
                argumentSet("conflicts without a pod in common", conflicting("w", "x"), conflicting("y", "z"), false),
                argumentSet("a conflict and an affinity", conflicting("web"), near(in("a"), own), false),
                argumentSet("one affinity in one namespace", near(in("a"), own), near(in("a"), own), true),
                argumentSet("one affinity in two namespaces", near(in("a"), own), near(in("b"), own), false),
                argumentSet(
                        "one affinity that lists its namespaces", near(in("a"), listing), near(in("b"), listing), true),
                argumentSet(
                        "one affinity to pods of all namespaces",
                        near(in("a"), reachingAll),
                        near(in("b"), reachingAll),
                        true),
                argumentSet(
                        "one affinity with one term for the owner's namespace",
                        near(in("a"), listing, own),
                        near(in("b"), listing, own),
                        false),
                argumentSet(
                        "affinities by two topology keys",
                        near(in("a"), own),
                        near(in("a"), term(app("web"), RACK)),
                        false),
                argumentSet("one constraint in one namespace", even(in("a")), even(in("a")), true),
                argumentSet("one constraint in two namespaces", even(in("a")), even(in("b")), false),
                argumentSet(
                        "one constraint and two revisions that count together",
                        even(labels("hash", "1")),
                        even(labels("hash", "2")),
                        true),
                argumentSet(
                        "one constraint and two revisions that are counted separately",
                        even(labels("hash", "1"), perValueOf("hash")),
                        even(labels("hash", "2"), perValueOf("hash")),
                        false),
                argumentSet(
                        "one constraint and one revision that is counted separately",
                        even(labels("hash", "1", "pod", "1"), perValueOf("hash")),
                        even(labels("hash", "1", "pod", "2"), perValueOf("hash")),
                        true));
    }

    @ParameterizedTest
    @MethodSource("pairs")
    void scopesMeetWhereAMoveInOneCanChangeAVerdictInTheOther(Scope one, Scope other, boolean meet) {
        assertThat(one.meets(other)).isEqualTo(meet);
        assertThat(other.meets(one)).isEqualTo(meet);
    }
}
