package dev.holdfast.policies.inject;

import dev.holdfast.policies.model.Scheduling;
import dev.holdfast.policies.rule.Policy;
import dev.holdfast.policies.rule.Rule;
import dev.holdfast.policies.rule.WhenRequired;
import java.util.List;
import java.util.Optional;

/**
 * What became of each rule of a policy in the spec of pods with equal constraints.
 *
 * <p>Example: a policy injects {@code ssd} and {@code near-cache} into a pod that is near another pod by its own spec.
 * The outcomes are {@code ssd} INJECTED and {@code near-cache} OTHER_POD_AFFINITY.
 *
 * @param rules one for each rule that is not Disabled and that pods must satisfy always, by name; empty if the policy
 *     injects none
 */
public record PolicyInjection(List<OfRule> rules) {
    /** What a policy has that injects no rule into the pod. */
    public static final PolicyInjection NONE = new PolicyInjection(List.of());

    /**
     * With more policies, what the API server would inject into a new pod is not computed. A tenant may create
     * thousands of policies, and each computation takes as long as there are policies.
     */
    private static final int MOST_POLICIES = 100;

    public PolicyInjection {
        rules = List.copyOf(rules);
    }

    /** What became of one rule, by its name in the policy. */
    public record OfRule(String rule, InjectionOutcome outcome) {}

    /**
     * {@return what became of the rules of each policy, in the order of the policies}
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
     * {@return the constraints of a pod like this one if it is created now, all as its own; empty if more policies than the
     * API server reads inject rules}
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
        Injection injection = Injection.into(stored.own());
        for (Policy policy : injecting) {
            injection = injection.with(policy);
        }
        return Optional.of(injection);
    }

    /** The constraints that a pod has, those of its own, and those that it would get if it were created now. */
    private record InSpec(Injection stored, Injection own, Optional<Injection> expected) {
        InSpec(Scheduling stored, Injection own, Optional<Injection> expected) {
            this(Injection.into(stored), own, expected);
        }

        PolicyInjection of(Policy policy) {
            return policy.injects()
                    ? new PolicyInjection(Injection.rules(policy, WhenRequired.ALWAYS).stream()
                            .map(rule -> new OfRule(rule.name(), of(rule.rule())))
                            .toList())
                    : NONE;
        }

        /** A pod that is older than the policy has another term perhaps only because this rule was not there. */
        private InjectionOutcome of(Rule rule) {
            InjectionOutcome present = stored.outcome(rule);
            if (present == InjectionOutcome.INJECTED) {
                return own.outcome(rule) == InjectionOutcome.INJECTED ? InjectionOutcome.OWN : present;
            }
            InjectionOutcome wanted =
                    expected.map(injection -> injection.outcome(rule)).orElse(present);
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

    /** {@return what became of a rule; empty if the policy does not inject it} */
    public Optional<InjectionOutcome> of(String rule) {
        return rules.stream()
                .filter(it -> it.rule().equals(rule))
                .map(OfRule::outcome)
                .findFirst();
    }
}
