package dev.holdfast.operator.reconcile.status;

import dev.holdfast.operator.api.InjectionSupport;
import dev.holdfast.operator.translate.SpecProblem;
import dev.holdfast.operator.translate.Translation;
import dev.holdfast.policies.engine.report.InjectionReport;
import dev.holdfast.policies.engine.report.PolicyReport;
import dev.holdfast.policies.index.count.Injected;
import dev.holdfast.policies.inject.InjectionOutcome;
import dev.holdfast.policies.inject.PolicyInjection.OfRule;
import dev.holdfast.policies.rule.Mode;
import dev.holdfast.policies.rule.Policy;
import dev.holdfast.policies.rule.PolicyScheduling;
import dev.holdfast.policies.rule.WhenRequired;
import java.util.Comparator;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Builds the condition SchedulingEnforced of a policy that injects its rules: {@code scheduling: Inject} or {@code
 * InjectAlsoInAudit}.
 *
 * <p>The operator has no right to read admission policies. The condition follows from what the chart installed, what
 * the API server serves, and the rules in pods that were created since.
 */
final class SchedulingCondition {
    private static final ConditionType TYPE = ConditionType.SCHEDULING_ENFORCED;
    private static final String EXECUTION_ALONE = ": the rules hold at execution alone";

    private SchedulingCondition() {}

    /**
     * {@return the condition; empty if the policy does not inject its rules}
     *
     * @param notEvaluated the condition while the engine has not evaluated the policy
     */
    static Optional<ConditionContent> of(StatusInput statusInput, Supplier<ConditionContent> notEvaluated) {
        if (statusInput.entry().translation() instanceof Translation.Refused refused) {
            return refused.scheduling() == PolicyScheduling.INJECT
                    ? Optional.of(impossible(statusInput.support())
                            .orElseGet(() ->
                                    unreadable(refused, statusInput.entry().generation())))
                    : Optional.empty();
        }
        Optional<PolicyReport> report = statusInput.evaluated();
        Optional<InjectionReport> injection = report.flatMap(PolicyReport::injection);
        Optional<Policy> policy = statusInput
                .entry()
                .translation()
                .valid()
                .map(Translation.Valid::policy)
                .filter(it -> it.scheduling() == PolicyScheduling.INJECT);
        if (policy.isEmpty() && injection.isEmpty()) {
            return Optional.empty();
        }
        return Optional.of(policy.flatMap(SchedulingCondition::nothingToInject)
                .or(() -> impossible(statusInput.support()))
                .or(() -> policy.flatMap(SchedulingCondition::onlyPreferred))
                .orElseGet(() -> injection
                        .map(it -> observed(it, report.orElseThrow().pods().selected(), statusInput.support()))
                        .orElseGet(notEvaluated)));
    }

    private static Optional<ConditionContent> nothingToInject(Policy policy) {
        if (policy.mode() == Mode.DISABLED) {
            return Optional.of(not(ConditionReason.DISABLED, "mode is Disabled: nothing is injected"));
        }
        boolean hasRules =
                policy.rules().stream().anyMatch(rule -> rule.enforcement().mode() != Mode.DISABLED);
        return hasRules || policy.injectsAnnotationRules()
                ? Optional.empty()
                : Optional.of(not(
                        ConditionReason.NO_RULES,
                        "`rules` is empty, or each of them is Disabled: there is nothing to inject"));
    }

    /** {@return the condition while the API server injects a spec that the operator refuses} */
    private static ConditionContent unreadable(Translation.Refused refused, long generation) {
        return ConditionContent.of(
                TYPE,
                ConditionContent.UNKNOWN,
                ConditionReason.INVALID_SPEC,
                "the API server injects the rules of generation " + generation + ", which the operator cannot use: "
                        + SpecProblem.list(refused.problems())
                        + "; nothing is evicted for the policy until it is Ready");
    }

    private static Optional<ConditionContent> impossible(InjectionSupport support) {
        return switch (support) {
            case NOT_SERVED ->
                Optional.of(not(
                        ConditionReason.NOT_SERVED,
                        "the API server does not serve MutatingAdmissionPolicy in admissionregistration.k8s.io/v1, as"
                                + " Kubernetes does since 1.36" + EXECUTION_ALONE));
            case NOT_INSTALLED ->
                Optional.of(not(
                        ConditionReason.NOT_INSTALLED,
                        "the chart has not installed the admission policies that inject rules: upgrade the release with"
                                + " scheduling.enabled=true" + EXECUTION_ALONE));
            case INSTALLED, UNKNOWN -> Optional.empty();
        };
    }

    private static Optional<ConditionContent> onlyPreferred(Policy policy) {
        boolean requiresAny = policy.rules().stream()
                .map(Policy.NamedRule::enforcement)
                .anyMatch(it -> it.mode() != Mode.DISABLED && it.whenRequired() == WhenRequired.ALWAYS);
        return requiresAny || policy.injectsAnnotationRules()
                ? Optional.empty()
                : Optional.of(ConditionContent.of(
                        TYPE,
                        ConditionContent.UNKNOWN,
                        ConditionReason.NOT_OBSERVED,
                        "each rule is `when: PossibleAtScheduling`, and Holdfast does not read preferred terms"
                                + " of pods"));
    }

    private static ConditionContent observed(InjectionReport report, int selected, InjectionSupport support) {
        String pods = pods(report.injected(), selected);
        if (report.example().isPresent()) {
            InjectionReport.Example example = report.example().get();
            return not(
                    ConditionReason.NOT_INJECTED,
                    "created without a rule that the API server should have injected: "
                            + count(report.uninjected(), "pod") + ", such as " + example.pod()
                            + " without " + example.rule()
                            + "; see whether the MutatingAdmissionPolicies of the chart and their bindings are there,"
                            + " and what the API server logs about them; " + pods);
        }
        if (report.injected().injected() > 0) {
            return ConditionContent.of(TYPE, ConditionContent.TRUE, ConditionReason.INJECTED, pods);
        }
        return ConditionContent.of(
                TYPE,
                ConditionContent.UNKNOWN,
                ConditionReason.NOT_OBSERVED,
                "no pod has an injected rule yet: the next pod that is created and has room for one will show whether"
                        + " the API server injects them"
                        + (support == InjectionSupport.UNKNOWN
                                ? "; the API server has not answered yet whether it can"
                                : "")
                        + "; " + pods);
    }

    /** {@return how many pods have all rules, and why others do not have some} */
    private static String pods(Injected injected, int selected) {
        String complete = injected.complete() + " of " + count(selected, "pod")
                + (injected.complete() == 1 ? " has" : " have") + " all rules in the spec";
        return Stream.concat(
                        Stream.of(complete),
                        injected.missing().entrySet().stream()
                                .sorted(Map.Entry.comparingByKey(
                                        Comparator.comparing(OfRule::rule).thenComparing(OfRule::outcome)))
                                .map(it -> missing(it.getKey(), it.getValue())))
                .collect(Collectors.joining("; "));
    }

    private static String missing(OfRule rule, int pods) {
        String count = count(pods, "pod");
        return rule.outcome() == InjectionOutcome.ABSENT
                ? count + (pods == 1 ? " was" : " were") + " created without rule " + rule.rule()
                : "rule " + rule.rule() + " is left out of " + count + " ("
                        + rule.outcome().label() + ")";
    }

    private static ConditionContent not(ConditionReason reason, String message) {
        return ConditionContent.of(TYPE, ConditionContent.FALSE, reason, message);
    }

    private static String count(int number, String noun) {
        return number + " " + noun + (number == 1 ? "" : "s");
    }
}
