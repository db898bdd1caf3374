package dev.holdfast.policies.plan.input;

import dev.holdfast.policies.evaluate.ExistingAntiAffinityView;
import dev.holdfast.policies.model.ClusterView;
import dev.holdfast.policies.plan.capacity.ClusterFacts;
import dev.holdfast.policies.plan.capacity.ResourceFit;
import dev.holdfast.policies.plan.controls.PlanLimits;
import dev.holdfast.policies.plan.move.Move;
import dev.holdfast.policies.plan.move.Moves;
import java.time.Instant;
import java.util.List;

/**
 * The input of a plan, except for the candidates.
 *
 * @param cluster the view of the cluster, with free resources, volumes and pod counts
 * @param rules the queries about affinity, anti-affinity and spread
 * @param clusterSignals recent events that can delay evictions
 * @param planLimits limits that do not depend on the state of the cluster
 * @param moves the moves in flight, including those chosen earlier in the same plan, and the recent evictions
 * @param now the time of the plan
 */
public record Situation(
        ClusterFacts cluster,
        RuleQueries rules,
        ClusterSignals clusterSignals,
        PlanLimits planLimits,
        Moves moves,
        Instant now) {
    /**
     * {@return a copy in which the given objects answer the queries about anti-affinity; they must give the same
     * results}
     */
    public Situation finding(PartnerFinder partners, ExistingAntiAffinityView existingAntiAffinityView) {
        return new Situation(
                cluster, rules.with(partners, existingAntiAffinityView), clusterSignals, planLimits, moves, now);
    }

    /** {@return a copy in which the given object answers the query about spreads; it must give the same results} */
    public Situation finding(SpreadFinder spreads) {
        return new Situation(cluster, rules.with(spreads), clusterSignals, planLimits, moves, now);
    }

    /**
     * {@return a copy in which the given object answers the query about violations that remain after moves; it must
     * give the same results}
     */
    public Situation finding(ViolationsAfterMoves afterMoves) {
        return new Situation(cluster, rules.with(afterMoves), clusterSignals, planLimits, moves, now);
    }

    /** {@return the same situation with the node usage that an earlier plan computed} */
    public Situation remembering(ResourceFit known) {
        return new Situation(cluster.with(known), rules, clusterSignals, planLimits, moves, now);
    }

    /** {@return the same situation with other moves in flight and recent evictions} */
    public Situation with(Moves others) {
        return new Situation(cluster, rules, clusterSignals, planLimits, others, now);
    }

    /** {@return the same situation with these moves, which will be made anyway; its moves are a copy} */
    public Situation expecting(List<Move> expected) {
        Moves copy = moves.copy();
        copy.expect(expected);
        return with(copy);
    }

    /** {@return the cluster view of the plan} */
    public ClusterView view() {
        return cluster.view();
    }
}
