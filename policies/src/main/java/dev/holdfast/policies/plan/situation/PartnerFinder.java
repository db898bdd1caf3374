package dev.holdfast.policies.plan.situation;

import dev.holdfast.policies.rule.Rule;

/** Finds those who break a candidate's anti-affinity by being there: pods of exempt namespaces never do. */
@FunctionalInterface
public interface PartnerFinder {
    /** {@return the pods that the rule matches in the candidate's domain, the candidate itself maybe among them} */
    Partners partners(Candidate candidate, Rule.PodAntiAffinity rule);
}
