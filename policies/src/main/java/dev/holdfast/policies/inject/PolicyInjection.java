package dev.holdfast.policies.inject;

import dev.holdfast.policies.model.Scheduling;
import dev.holdfast.policies.rule.AppliedRule;
import dev.holdfast.policies.rule.PodRules;
import dev.holdfast.policies.rule.Policy;
import dev.holdfast.policies.rule.Rule;
import dev.holdfast.policies.rule.RuleIdentity;
import dev.holdfast.policies.rule.WhenRequired;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.BiFunction;
import java.util.stream.Stream;

/**
 * The outcome of injecting each rule of a policy, and each rule in annotations that it allows, into the spec of pods
 * with equal constraints.
 *
 * <p>Example: a policy injects {@code ssd} and {@code near-cache} into a pod that is near another pod by its own spec.
 * The outcomes are {@code ssd} INJECTED and {@code near-cache} OTHER_POD_AFFINITY.
 *
 * @param rules one for each rule that is not Disabled and that pods must satisfy always, by name; empty if the policy
 *     injects none; those of the annotation have one name, {@link Policy#ANNOTATION_RULES}, with each outcome once
 * @param ofAnnotation the outcome of each rule in the annotation; empty if the policy does not inject these
 */
public record PolicyInjection(List<OfRule> rules, Map<RuleIdentity, InjectionOutcome> ofAnnotation) {
    /** The value for a policy that injects no rule into the pod. */
    public static final PolicyInjection NONE = new PolicyInjection(List.of());

    /**
     * The maximum number of policies for which the injection into a new pod is computed. A tenant may create thousands
     * of policies, and each computation takes as long as there are policies.
     */
    private static final int MOST_POLICIES = 100;

    public PolicyInjection {
        rules = List.copyOf(rules);
        ofAnnotation = Map.copyOf(ofAnnotation);
    }

    /** Creates the outcomes of a policy for pods without rules in an annotation. */
    public PolicyInjection(List<OfRule> rules) {
        this(rules, Map.of());
    }

    /** The outcome of injecting one rule, by its name in the policy. */
    public record OfRule(String rule, InjectionOutcome outcome) {}

    /**
     * {@return the outcomes of the rules of each policy, in the order of the policies}
     *
     * @param stored the constraints of a pod as the API server stored them
     * @param policies all policies that select the pod
     */
    public static List<PolicyInjection> of(Scheduling stored, List<Policy> policies) {
        if (stored.tooComplex().isPresent() || policies.stream().noneMatch(Policy::injects)) {
            return policies.stream().map(_ -> NONE).toList();
        }
        InSpec inSpec = new InSpec(stored, Injection.into(stored.own()), expected(stored, policies));
        return policies.stream().map(inSpec::of).toList();
    }

    /**
     * {@return the constraints of a pod like this one if it is created now, all as its own; empty if more than a
     * hundred policies inject rules}
     *
     * @param stored the constraints of the pod as the API server stored them
     * @param policies all policies that select the pod
     */
    public static Optional<Scheduling> createdAgain(Scheduling stored, List<Policy> policies) {
        return stored.tooComplex().isPresent()
                ? Optional.empty()
                : expected(stored, policies).map(Injection::scheduling);
    }

    /** {@return what the API server would make of the pod's own constraints now} */
    private static Optional<Injection> expected(Scheduling stored, List<Policy> policies) {
        List<Policy> injecting = policies.stream().filter(Policy::injects).toList();
        if (injecting.size() > MOST_POLICIES) {
            return Optional.empty();
        }
        return Optional.of(Injection.into(stored.own()).with(injecting));
    }

    /** The constraints that a pod has, those of its own, and those that it would get if it were created now. */
    private record InSpec(Injection stored, Injection own, Optional<Injection> expected) {
        InSpec(Scheduling stored, Injection own, Optional<Injection> expected) {
            this(Injection.into(stored), own, expected);
        }

        PolicyInjection of(Policy policy) {
            if (!policy.injects()) {
                return NONE;
            }
            Map<RuleIdentity, InjectionOutcome> annotated = new TreeMap<>();
            if (policy.injectsAnnotationRules()) {
                PodRules.inAnnotation(stored.scheduling())
                        .values()
                        .forEach(rule -> annotated.put(rule.identity(), of(rule, Injection::annotationOutcome)));
            }
            return new PolicyInjection(
                    Stream.concat(
                                    Injection.rules(policy, WhenRequired.ALWAYS).stream()
                                            .map(rule -> new OfRule(rule.name(), of(rule.rule(), Injection::outcome))),
                                    annotated.values().stream()
                                            .distinct()
                                            .map(outcome -> new OfRule(Policy.ANNOTATION_RULES, outcome)))
                            .toList(),
                    annotated);
        }

        /** {@return the outcome of a rule} An old pod may have another term only because the policy did not exist. */
        private InjectionOutcome of(Rule rule, BiFunction<Injection, Rule, InjectionOutcome> outcome) {
            InjectionOutcome present = outcome.apply(stored, rule);
            if (present == InjectionOutcome.INJECTED) {
                return outcome.apply(own, rule) == InjectionOutcome.INJECTED ? InjectionOutcome.OWN : present;
            }
            InjectionOutcome wanted =
                    expected.map(injection -> outcome.apply(injection, rule)).orElse(present);
            if (wanted != InjectionOutcome.INJECTED) {
                return wanted;
            }
            // At a limit, the API server may have taken the policies in another order, and another rule took the room.
            return present == InjectionOutcome.TOO_MANY_NODE_VALUES || present == InjectionOutcome.TOO_MANY_POD_RULES
                    ? present
                    : InjectionOutcome.ABSENT;
        }
    }

    /** {@return whether the scheduler knows each rule for the pods} */
    public boolean isComplete() {
        return rules.stream().allMatch(rule -> rule.outcome().isInSpec());
    }

    /** {@return whether the API server added any rule of the policy to the pods} */
    public boolean isInjected() {
        return rules.stream().anyMatch(rule -> rule.outcome() == InjectionOutcome.INJECTED);
    }

    /**
     * {@return the outcome of a rule; empty if the policy does not inject the rule}
     *
     * @param request of the policy, for the rule
     */
    public Optional<InjectionOutcome> of(AppliedRule.Request request, RuleIdentity rule) {
        return switch (request.source()) {
            case POD_SPEC -> Optional.empty();
            case POD_ANNOTATION -> Optional.ofNullable(ofAnnotation.get(rule));
            case POLICY ->
                rules.stream()
                        .filter(it -> it.rule().equals(request.name()))
                        .map(OfRule::outcome)
                        .findFirst();
        };
    }
}
