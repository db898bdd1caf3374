package dev.holdfast.policies.plan.situation;

import dev.holdfast.policies.evaluate.ExistingAntiAffinityView;
import dev.holdfast.policies.model.ClusterView;
import dev.holdfast.policies.plan.capacity.ClusterFacts;
import dev.holdfast.policies.plan.capacity.ResourceFit;
import dev.holdfast.policies.plan.conduct.PlanLimits;
import dev.holdfast.policies.plan.move.Moves;
import java.time.Instant;

/**
 * The input of a plan other than its candidates.
 *
 * @param moves the moves in flight and the recent ones, including those chosen earlier in the same plan
 */
public record Situation(
        ClusterFacts cluster,
        RuleQueries rules,
        ClusterSignals clusterSignals,
        PlanLimits planLimits,
        Moves moves,
        Instant now) {
    /** {@return the same situation with another implementation for anti-affinity, which gives the same results} */
    public Situation finding(PartnerFinder partners, ExistingAntiAffinityView existingAntiAffinityView) {
        return new Situation(
                cluster, rules.with(partners, existingAntiAffinityView), clusterSignals, planLimits, moves, now);
    }

    /** {@return the same situation with another implementation for spreads, which gives the same results} */
    public Situation finding(SpreadFinder spreads) {
        return new Situation(cluster, rules.with(spreads), clusterSignals, planLimits, moves, now);
    }

    /** {@return the same situation with node usage that was computed before} */
    public Situation remembering(ResourceFit known) {
        return new Situation(cluster.with(known), rules, clusterSignals, planLimits, moves, now);
    }

    /** {@return the same situation with these moves} */
    public Situation with(Moves others) {
        return new Situation(cluster, rules, clusterSignals, planLimits, others, now);
    }

    /** {@return the cluster view of the plan} */
    public ClusterView view() {
        return cluster.view();
    }
}
