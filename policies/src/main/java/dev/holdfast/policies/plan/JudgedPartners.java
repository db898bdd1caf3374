package dev.holdfast.policies.plan;

import dev.holdfast.policies.evaluate.Breach;
import dev.holdfast.policies.evaluate.Evaluator;
import dev.holdfast.policies.evaluate.Verdict;
import dev.holdfast.policies.forgive.ViolationKey;
import dev.holdfast.policies.model.ClusterView;
import dev.holdfast.policies.rule.Rule;
import java.util.HashMap;
import java.util.Map;

/**
 * Asks {@code evaluate} who breaks the rule, among the pods near enough to do so; of each candidate once. What another
 * finder says must be the same.
 */
final class JudgedPartners implements PartnerFinder {
    private final ClusterView execution;
    private final Domains domains;
    private final Map<ViolationKey, Partners> known = new HashMap<>();

    /** @param execution the view without the pods that are no partners while pods run */
    JudgedPartners(ClusterView execution) {
        this.execution = execution;
        this.domains = new Domains(execution);
    }

    @Override
    public Partners partners(Candidate candidate, Rule.PodAntiAffinity rule) {
        return known.computeIfAbsent(candidate.violation().key(), _ -> judged(candidate, rule));
    }

    private Partners judged(Candidate candidate, Rule.PodAntiAffinity rule) {
        return Evaluator.judge(rule, candidate.pod(), around(candidate, rule))
                        instanceof Verdict.Violated(Breach breach)
                ? Partners.of(breach.partners())
                : Partners.NONE;
    }

    /** {@return the view without the pods that are too far away to break the rule} */
    private ClusterView around(Candidate candidate, Rule.PodAntiAffinity rule) {
        String key = rule.term().topologyKey();
        return execution
                .node(candidate.node())
                .flatMap(node -> node.labels().get(key))
                .<ClusterView>map(value -> new DomainView(execution, domains, key, value))
                .orElse(execution);
    }
}
