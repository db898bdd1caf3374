package dev.holdfast.operator.reconcile;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.params.provider.Arguments.argumentSet;

import dev.holdfast.operator.api.InjectionSupport;
import dev.holdfast.operator.reconcile.status.ConditionType;
import dev.holdfast.operator.reconcile.status.PolicyConditions;
import dev.holdfast.operator.reconcile.status.StatusInput;
import dev.holdfast.policies.effect.NoEffect;
import dev.holdfast.policies.engine.report.PolicyEffect;
import dev.holdfast.policies.engine.report.PolicyReport;
import dev.holdfast.policies.rule.Mode;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Tests the condition Effective of a policy. */
class EffectiveConditionTest {
    private static final PolicyReport EVALUATED = StatusInputs.report(3, Mode.ENFORCE, 0, Map.of());
    private static final NoEffect NOWHERE =
            new NoEffect(NoEffect.Kind.KEY_NOWHERE, "no node has the label rack, so it keeps no pods apart");
    private static final NoEffect NO_CACHE = new NoEffect(
            NoEffect.Kind.NO_POD,
            "no pod in the namespaces that it reads matches its selector, so no node satisfies it");

    static Stream<Arguments> policies() {
        return Stream.of(
                row(
                        "before the first report nothing is known",
                        input(Optional.empty(), Optional.empty()),
                        "Unknown NotEvaluated: not evaluated yet: the operator is still reading the cluster"),
                row(
                        "a report of an earlier generation does not count",
                        input(Optional.of(StatusInputs.report(2, Mode.ENFORCE, 0, Map.of())), Optional.empty()),
                        "Unknown NotEvaluated: not evaluated yet: the operator is still reading the cluster"),
                row(
                        "a policy that is Disabled is not evaluated",
                        input(Optional.of(StatusInputs.report(3, Mode.DISABLED, 0, Map.of())), Optional.empty()),
                        "Unknown Disabled: mode is Disabled: nothing is evaluated"),
                row(
                        "nothing is said while a view is not synced",
                        input(Optional.of(StatusInputs.selectingNone(EVALUATED)), Optional.of("view nodes: gone")),
                        "Unknown ViewNotSynced: the view of the cluster is incomplete or outdated: view nodes: gone"),
                row(
                        "each rule can do something",
                        EVALUATED,
                        "True HasEffect: its rules can do something, as far as the operator can tell"),
                row(
                        "a policy that selects no pod",
                        StatusInputs.selectingNone(EVALUATED),
                        "False SelectsNoPod: the policy selects no pod; compare its selectors with the labels of pods,"
                                + " nodes and namespaces"),
                row(
                        "the selected pods have no rule of the kinds that the policy requests",
                        effective(0, Map.of()),
                        "False NoRules: the policy holds the 120 pods that it selects to no rule"),
                row(
                        "the only rule can do nothing",
                        effective(1, Map.of("apart", NOWHERE)),
                        "False NoTopologyKey: rule apart has a topologyKey that no node has: no node has the label"
                                + " rack, so it keeps no pods apart"),
                row(
                        "of two rules that can do nothing, the kinds of causes decide which comes first",
                        effective(2, Map.of("PodAffinity", NO_CACHE, "apart", NOWHERE)),
                        "False NoTopologyKey: rule apart has a topologyKey that no node has: no node has the label"
                                + " rack, so it keeps no pods apart; rule PodAffinity counts no pod: no pod in the"
                                + " namespaces that it reads matches its selector, so no node satisfies it"),
                row(
                        "one of two rules can do nothing",
                        effective(2, Map.of("apart", NOWHERE)),
                        "True HasEffectInPart: some rules can do something, and others cannot: rule apart has a"
                                + " topologyKey that no node has: no node has the label rack, so it keeps no pods"
                                + " apart"),
                row(
                        "no rule was examined for all pods",
                        effective(2, Map.of(), "apart", "even"),
                        "Unknown NotExamined: rules apart, even were not examined for all pods, because a search of"
                                + " all policies has a limit; run holdfast check"),
                row(
                        "one rule can do nothing, and the other was not examined",
                        effective(2, Map.of("apart", NOWHERE), "even"),
                        "Unknown NotExamined: rule apart has a topologyKey that no node has: no node has the label"
                                + " rack, so it keeps no pods apart; rule even was not examined for all pods, because"
                                + " a search of all policies has a limit; run holdfast check"),
                row(
                        "one rule can do something, and the other was not examined",
                        effective(2, Map.of(), "even"),
                        "True HasEffect: some rules can do something, as far as the operator can tell; rule even was"
                                + " not examined for all pods, because a search of all policies has a limit; run"
                                + " holdfast check"),
                row(
                        "of three rules one can do something, one can do nothing, and one was not examined",
                        effective(3, Map.of("apart", NOWHERE), "even"),
                        "True HasEffectInPart: some rules can do something, and others cannot: rule apart has a"
                                + " topologyKey that no node has: no node has the label rack, so it keeps no pods"
                                + " apart; rule even was not examined for all pods, because a search of all policies"
                                + " has a limit; run holdfast check"));
    }

    private static PolicyReport effective(int rules, Map<String, NoEffect> without, String... notExamined) {
        return StatusInputs.effective(EVALUATED, new PolicyEffect(rules, without, Set.of(notExamined)));
    }

    private static StatusInput input(Optional<PolicyReport> report, Optional<String> whyBlind) {
        return new StatusInput(
                StatusInputs.inMode(Mode.ENFORCE), report, Optional.empty(), whyBlind, InjectionSupport.INSTALLED);
    }

    private static Arguments row(String name, PolicyReport report, String expected) {
        return row(name, input(Optional.of(report), Optional.empty()), expected);
    }

    private static Arguments row(String name, StatusInput statusInput, String expected) {
        return argumentSet(name, statusInput, expected);
    }

    @ParameterizedTest
    @MethodSource("policies")
    void saysWhetherAnyRuleCanDoSomething(StatusInput statusInput, String expected) {
        assertThat(PolicyConditions.of(statusInput, StatusInputs.READ_AT))
                .filteredOn(content -> content.type() == ConditionType.EFFECTIVE)
                .extracting(content -> content.status() + " " + content.reason() + ": " + content.message())
                .containsExactly(expected);
    }
}
