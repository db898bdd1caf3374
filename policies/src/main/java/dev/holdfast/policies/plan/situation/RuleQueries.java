package dev.holdfast.policies.plan.situation;

import dev.holdfast.policies.evaluate.ExistingAntiAffinityView;
import dev.holdfast.policies.evaluate.ImpactOnOthers;
import dev.holdfast.policies.model.ClusterView;

/**
 * The queries about affinity, anti-affinity and spread that a plan makes. Each can be answered from the index or by
 * evaluating rules ({@code evaluate}), with the same results.
 *
 * @param partners finds the pods that break a candidate's anti-affinity
 * @param spreads finds the domains that break a candidate's spread
 * @param existingAntiAffinityView the pods whose anti-affinity keeps other pods out of a domain
 * @param impactOnOthers counts how a move changes the verdicts of all other pods
 */
public record RuleQueries(
        PartnerFinder partners,
        SpreadFinder spreads,
        ExistingAntiAffinityView existingAntiAffinityView,
        ImpactOnOthers impactOnOthers) {
    /**
     * {@return queries that evaluate the rules on these views, except those about the impact on other pods}
     *
     * @param view the whole cluster
     * @param execution the cluster without the pods of namespaces that the operator exempts from anti-affinity
     */
    public static RuleQueries judged(ClusterView view, ClusterView execution, ImpactOnOthers impactOnOthers) {
        return new RuleQueries(
                new EvaluatedPartners(execution),
                new EvaluatedSpreads(view),
                ExistingAntiAffinityView.of(view),
                impactOnOthers);
    }

    /** {@return the same queries with another implementation for anti-affinity} */
    RuleQueries with(PartnerFinder otherPartners, ExistingAntiAffinityView otherRepulsion) {
        return new RuleQueries(otherPartners, spreads, otherRepulsion, impactOnOthers);
    }

    /** {@return the same queries with another implementation for spreads} */
    RuleQueries with(SpreadFinder otherSpreads) {
        return new RuleQueries(partners, otherSpreads, existingAntiAffinityView, impactOnOthers);
    }
}
