package dev.holdfast.policies.plan.input;

import dev.holdfast.policies.rule.Rule;

/**
 * Finds the pods that break a candidate's anti-affinity. Pods of namespaces that the operator exempts from
 * anti-affinity are left out.
 */
@FunctionalInterface
public interface PartnerFinder {
    /** {@return the pods that match the rule in the rule owner's domain, possibly including the rule owner itself} */
    Partners partners(Candidate candidate, Rule.PodAntiAffinity rule);
}
