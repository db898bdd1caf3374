package dev.holdfast.policies.plan.input;

import dev.holdfast.policies.evaluate.Evaluator;
import dev.holdfast.policies.evaluate.Verdict;
import dev.holdfast.policies.evaluate.ViolationDetail;
import dev.holdfast.policies.forgive.ViolationKey;
import dev.holdfast.policies.model.ClusterView;
import dev.holdfast.policies.rule.Rule;
import java.util.HashMap;
import java.util.Map;

/**
 * Finds the pods that break an anti-affinity rule by evaluating the rule, once for each violation. The package {@code
 * index} answers the same query from its counts, and must give the same result.
 */
final class EvaluatedPartners implements PartnerFinder {
    private final ClusterView withoutExempt;
    private final Map<ViolationKey, Partners> known = new HashMap<>();

    /** @param execution a view of the cluster that hides the pods of namespaces exempt from anti-affinity */
    EvaluatedPartners(ClusterView execution) {
        this.withoutExempt = execution;
    }

    @Override
    public Partners partners(Candidate candidate, Rule.PodAntiAffinity rule) {
        return known.computeIfAbsent(candidate.violation().key(), _ -> judged(candidate, rule));
    }

    private Partners judged(Candidate candidate, Rule.PodAntiAffinity rule) {
        return Evaluator.judge(rule, candidate.owner(), withoutExempt)
                        instanceof Verdict.Violated(ViolationDetail violationDetail)
                ? Partners.of(violationDetail.partners())
                : Partners.NONE;
    }
}
