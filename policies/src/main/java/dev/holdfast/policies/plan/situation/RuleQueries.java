package dev.holdfast.policies.plan.situation;

import dev.holdfast.policies.evaluate.ExistingAntiAffinityView;
import dev.holdfast.policies.evaluate.ImpactOnOthers;
import dev.holdfast.policies.model.ClusterView;

/**
 * What a plan asks about the rules of pods. The index and {@code evaluate} give the same answers.
 *
 * @param partners the pods that break the anti-affinity of a candidate
 * @param spreads the domains that break the spread of a candidate
 * @param existingAntiAffinityView the pods that the anti-affinity of others keeps out of a domain
 * @param impactOnOthers how a move changes the rules of all other pods
 */
public record RuleQueries(
        PartnerFinder partners,
        SpreadFinder spreads,
        ExistingAntiAffinityView existingAntiAffinityView,
        ImpactOnOthers impactOnOthers) {
    /**
     * {@return queries that {@code evaluate} answers, but for those about bystanders}
     *
     * @param execution the view without the pods that are no partners of anti-affinity while pods run
     */
    public static RuleQueries judged(ClusterView view, ClusterView execution, ImpactOnOthers impactOnOthers) {
        return new RuleQueries(
                new EvaluatedPartners(execution),
                new EvaluatedSpreads(view),
                ExistingAntiAffinityView.of(view),
                impactOnOthers);
    }

    /** {@return the same queries, those about anti-affinity answered by others} */
    RuleQueries with(PartnerFinder otherPartners, ExistingAntiAffinityView otherRepulsion) {
        return new RuleQueries(otherPartners, spreads, otherRepulsion, impactOnOthers);
    }

    /** {@return the same queries, those about spreads answered by another} */
    RuleQueries with(SpreadFinder otherSpreads) {
        return new RuleQueries(partners, otherSpreads, existingAntiAffinityView, impactOnOthers);
    }
}
