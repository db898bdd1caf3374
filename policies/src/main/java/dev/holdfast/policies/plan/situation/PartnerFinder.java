package dev.holdfast.policies.plan.situation;

import dev.holdfast.policies.rule.Rule;

/** Finds the pods that break a candidate's anti-affinity. Pods of exempt namespaces never do. */
@FunctionalInterface
public interface PartnerFinder {
    /** {@return the pods that the rule matches in the candidate's domain, possibly including the candidate itself} */
    Partners partners(Candidate candidate, Rule.PodAntiAffinity rule);
}
