package dev.holdfast.policies.index;

import static dev.holdfast.policies.testing.Demands.matcher;
import static dev.holdfast.policies.testing.Demands.term;
import static dev.holdfast.policies.testing.Facts.ZONE;
import static dev.holdfast.policies.testing.Rules.antiAffinityRule;

import dev.holdfast.policies.model.LabelSelector;
import dev.holdfast.policies.rule.Enforcement;
import dev.holdfast.policies.rule.Mode;
import dev.holdfast.policies.rule.Policy;
import dev.holdfast.policies.rule.PolicyId;
import dev.holdfast.policies.rule.WhenInfeasible;
import dev.holdfast.policies.testing.PolicyDraft;
import java.time.Duration;

/**
 * A cluster policy in mode Audit with one rule: anti-affinity by zone between the pods that it selects and other pods.
 */
final class ApartPolicy {
    private ApartPolicy() {}

    static Policy edition(int generation, String name, LabelSelector pods, LabelSelector others) {
        return PolicyDraft.of(PolicyId.cluster(name), Mode.AUDIT)
                .generation(generation)
                .pods(matcher(pods))
                .rule(
                        "apart",
                        antiAffinityRule(term(others, ZONE)),
                        new Enforcement(Mode.AUDIT, Duration.ofMinutes(1), WhenInfeasible.WAIT))
                .policy();
    }
}
