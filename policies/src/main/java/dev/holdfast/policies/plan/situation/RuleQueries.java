package dev.holdfast.policies.plan.situation;

import dev.holdfast.policies.evaluate.Bystanders;
import dev.holdfast.policies.evaluate.Repulsion;
import dev.holdfast.policies.model.ClusterView;

/**
 * What a plan asks about the rules of pods. The index and {@code evaluate} give the same answers.
 *
 * @param partners the pods that break the anti-affinity of a candidate
 * @param spreads the domains that break the spread of a candidate
 * @param repulsion the pods that the anti-affinity of others keeps out of a domain
 * @param bystanders how a move changes the rules of all other pods
 */
public record RuleQueries(PartnerFinder partners, SpreadFinder spreads, Repulsion repulsion, Bystanders bystanders) {
    /**
     * {@return queries that {@code evaluate} answers, but for those about bystanders}
     *
     * @param execution the view without the pods that are no partners of anti-affinity while pods run
     */
    public static RuleQueries judged(ClusterView view, ClusterView execution, Bystanders bystanders) {
        return new RuleQueries(new JudgedPartners(execution), new JudgedSpreads(view), Repulsion.of(view), bystanders);
    }

    /** {@return the same queries, those about anti-affinity answered by others} */
    RuleQueries with(PartnerFinder otherPartners, Repulsion otherRepulsion) {
        return new RuleQueries(otherPartners, spreads, otherRepulsion, bystanders);
    }

    /** {@return the same queries, those about spreads answered by another} */
    RuleQueries with(SpreadFinder otherSpreads) {
        return new RuleQueries(partners, otherSpreads, repulsion, bystanders);
    }
}
