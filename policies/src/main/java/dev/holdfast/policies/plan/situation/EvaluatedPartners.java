package dev.holdfast.policies.plan.situation;

import dev.holdfast.policies.evaluate.Evaluator;
import dev.holdfast.policies.evaluate.Verdict;
import dev.holdfast.policies.evaluate.ViolationDetail;
import dev.holdfast.policies.forgive.ViolationKey;
import dev.holdfast.policies.model.ClusterView;
import dev.holdfast.policies.rule.Rule;
import java.util.HashMap;
import java.util.Map;

/** Finds partners by evaluating the rule, once for each candidate. Other implementations must give the same result. */
final class EvaluatedPartners implements PartnerFinder {
    private final ClusterView execution;
    private final Map<ViolationKey, Partners> known = new HashMap<>();

    /** @param execution the view without pods that do not count for anti-affinity while pods run */
    EvaluatedPartners(ClusterView execution) {
        this.execution = execution;
    }

    @Override
    public Partners partners(Candidate candidate, Rule.PodAntiAffinity rule) {
        return known.computeIfAbsent(candidate.violation().key(), _ -> judged(candidate, rule));
    }

    private Partners judged(Candidate candidate, Rule.PodAntiAffinity rule) {
        return Evaluator.judge(rule, candidate.owner(), execution)
                        instanceof Verdict.Violated(ViolationDetail violationDetail)
                ? Partners.of(violationDetail.partners())
                : Partners.NONE;
    }
}
