package dev.holdfast.operator.offline.explain;

import dev.holdfast.operator.offline.print.RuleReference;
import dev.holdfast.operator.offline.print.Table;
import dev.holdfast.policies.inject.InjectionOutcome;
import dev.holdfast.policies.model.AnnotationRules;
import dev.holdfast.policies.rule.WhenRequired;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;

/**
 * A rule of the pod.
 *
 * @param requirement what the rule requires: {@code disk In [ssd]}
 * @param when Always, or PossibleAtScheduling if the rule must hold only where a node can satisfy it
 * @param ofSpec whether the pod's own spec has it
 * @param annotationRule the name of the rule in the pod's annotation; empty if the annotation lacks it, or if no
 *     policy allows that
 * @param policies the policies that request the rule
 * @param verdict Satisfied, Violated or Undetermined
 * @param because how the cluster violates the rule, why there is no verdict, or why a rule that holds can
 *     do nothing in the cluster; empty if the rule is satisfied and can do something
 * @param heals what would end the violation where the pod is; empty if there is none
 * @param injection the outcome of the rule in the pod's spec, if a policy injects it: Injected, Own, Absent, or why
 *     it was left out; empty if none injects it
 * @param domains the numbers behind the verdict; none for node affinity
 */
public record ExplainedRule(
        RuleReference rule,
        String requirement,
        String when,
        boolean ofSpec,
        String annotationRule,
        List<String> policies,
        String verdict,
        String because,
        String heals,
        String injection,
        CountedDomains domains) {
    static final String UNDETERMINED = "Undetermined";

    /** The verdict on a rule that is violated. */
    public static final String VIOLATED = "Violated";

    /** The verdict on a rule that holds. */
    public static final String SATISFIED = "Satisfied";

    private static final List<String> GRAVEST_FIRST = List.of(VIOLATED, UNDETERMINED, SATISFIED);

    public ExplainedRule {
        policies = List.copyOf(policies);
    }

    /** {@return what the rule requires, and whether only where possible} */
    String required() {
        return requirement + (when.equals(WhenRequired.POSSIBLE_AT_SCHEDULING.label()) ? ", only where possible" : "");
    }

    ExplainedRule withInjection(String outcome) {
        return new ExplainedRule(
                rule, requirement, when, ofSpec, annotationRule, policies, verdict, because, heals, outcome, domains);
    }

    Optional<InjectionOutcome> outcome() {
        return Arrays.stream(InjectionOutcome.values())
                .filter(outcome -> outcome.label().equals(injection))
                .findFirst();
    }

    boolean isMissing() {
        return outcome().filter(outcome -> !outcome.isInSpec()).isPresent();
    }

    String whyMissing() {
        return outcome().map(InjectionOutcome::describe).orElse("");
    }

    /** {@return where the rule comes from: the pod's spec, its annotation, policies or several of them} */
    public String from() {
        if (ofSpec && annotationRule.isEmpty() && policies.isEmpty()) {
            return "its spec alone";
        }
        List<String> from = new ArrayList<>();
        if (ofSpec) {
            from.add("its spec");
        }
        if (!annotationRule.isEmpty()) {
            from.add("annotation " + AnnotationRules.ANNOTATION + " (" + annotationRule + ")");
        }
        from.addAll(policies);
        return String.join(",", from);
    }

    /** {@return the rules of one pod as a table} */
    static Table table(List<ExplainedRule> rules) {
        Table table = new Table("RULE", "FROM", "VERDICT", "REQUIRES", "BECAUSE", "HEALS");
        gravestFirst(rules, rule -> rule)
                .forEach(it ->
                        table.row(it.rule().name(), it.from(), it.verdict(), it.required(), it.because(), it.heals()));
        return table;
    }

    /** {@return rows about rules: the violated rules, those without a verdict, the others; each in the same order} */
    static <T> List<T> gravestFirst(List<T> rows, Function<T, ExplainedRule> rule) {
        return rows.stream()
                .sorted(Comparator.comparingInt(
                        row -> GRAVEST_FIRST.indexOf(rule.apply(row).verdict())))
                .toList();
    }
}
