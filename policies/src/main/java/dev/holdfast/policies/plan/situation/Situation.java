package dev.holdfast.policies.plan.situation;

import dev.holdfast.policies.evaluate.ExistingAntiAffinityView;
import dev.holdfast.policies.model.ClusterView;
import dev.holdfast.policies.plan.capacity.ClusterFacts;
import dev.holdfast.policies.plan.capacity.ResourceFit;
import dev.holdfast.policies.plan.conduct.PlanLimits;
import dev.holdfast.policies.plan.move.Moves;
import java.time.Instant;

/**
 * What a plan is made from, beside its candidates.
 *
 * @param moves those in flight and those remembered, the ones chosen earlier in the same plan included
 */
public record Situation(
        ClusterFacts cluster, RuleQueries rules, Signals signals, PlanLimits planLimits, Moves moves, Instant now) {
    /** {@return the same situation, the queries about anti-affinity answered by others that say the same} */
    public Situation finding(PartnerFinder partners, ExistingAntiAffinityView existingAntiAffinityView) {
        return new Situation(cluster, rules.with(partners, existingAntiAffinityView), signals, planLimits, moves, now);
    }

    /** {@return the same situation, the queries about spreads answered by another that says the same} */
    public Situation finding(SpreadFinder spreads) {
        return new Situation(cluster, rules.with(spreads), signals, planLimits, moves, now);
    }

    /** {@return the same situation, with the use of nodes that was counted before} */
    public Situation remembering(ResourceFit known) {
        return new Situation(cluster.with(known), rules, signals, planLimits, moves, now);
    }

    /** {@return the same situation with these moves} */
    public Situation with(Moves others) {
        return new Situation(cluster, rules, signals, planLimits, others, now);
    }

    /** {@return the cluster as the plan sees it} */
    public ClusterView view() {
        return cluster.view();
    }
}
