package dev.holdfast.policies.plan;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.policies.model.ClusterView;
import dev.holdfast.policies.plan.capacity.ClusterFacts;
import dev.holdfast.policies.plan.check.Check;
import dev.holdfast.policies.plan.check.Checks;
import dev.holdfast.policies.plan.feasibility.PlacementCache;
import dev.holdfast.policies.plan.input.Candidate;
import dev.holdfast.policies.plan.input.RuleQueries;
import dev.holdfast.policies.plan.input.Situation;
import dev.holdfast.policies.plan.move.Hold;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.LongStream;

/**
 * A planner that checks a contract: whatever the order of candidates and pods, it makes the same plan.
 *
 * <p>{@code -Dholdfast.plan.seed=S} changes the orders.
 */
public final class ShuffledPlanner {
    private static final long SEED = Long.getLong("holdfast.plan.seed", 20_261_122L);
    private static final int ORDERS = 3;

    private final Checks checks;

    /** The cache of the plans with the input in its original order. */
    private final PlacementCache placementCache;

    /** One cache for each shuffled order, because a plan depends on the results of earlier plans. */
    private final List<PlacementCache> ofOrders = new ArrayList<>();

    public ShuffledPlanner(int lookedForInAPlan, int nodesInAPlan) {
        this(lookedForInAPlan, nodesInAPlan, Checks.all());
    }

    public ShuffledPlanner(int lookedForInAPlan, int nodesInAPlan, Checks checks) {
        this.checks = checks;
        this.placementCache = new PlacementCache(lookedForInAPlan, nodesInAPlan);
        for (int order = 0; order < ORDERS; order++) {
            ofOrders.add(new PlacementCache(lookedForInAPlan, nodesInAPlan));
        }
    }

    /** {@return one seed for each shuffled order} */
    static LongStream seeds() {
        return LongStream.range(SEED, SEED + ORDERS);
    }

    /** {@return the cache of the plans with the input in its original order} */
    public PlacementCache placementCache() {
        return placementCache;
    }

    /** Notes in each cache that nodes changed in a way that may help a pod without a node. */
    public void nodesChanged() {
        placementCache.nodesChanged();
        ofOrders.forEach(PlacementCache::nodesChanged);
    }

    /** Makes the plan for the original order and each shuffled order, asserts that all are equal, and returns it. */
    public Plan plan(List<Candidate> candidates, Situation situation) {
        Plan plan = Planner.plan(candidates, situation, placementCache, checks);
        for (int order = 0; order < ORDERS; order++) {
            long seed = SEED + order;
            assertThat(Planner.plan(
                            ShuffledView.shuffled(candidates, seed),
                            shuffled(situation, seed),
                            ofOrders.get(order),
                            checks))
                    .as("the plan of the same input in the order of seed %d", seed)
                    .isEqualTo(plan);
        }
        return plan;
    }

    /**
     * Decides again about a candidate that was chosen before, asserts that each order of pods gives the same
     * decision, and returns it.
     */
    public Plan.Decision revalidate(Candidate candidate, Optional<String> target, Situation situation) {
        Plan.Decision decision = Planner.revalidate(candidate, target, situation, placementCache, checks);
        for (int order = 0; order < ORDERS; order++) {
            long seed = SEED + order;
            assertThat(Planner.revalidate(candidate, target, shuffled(situation, seed), ofOrders.get(order), checks))
                    .as("the decision with pods in the order of seed %d", seed)
                    .isEqualTo(decision);
        }
        return decision;
    }

    /**
     * Runs the check, asserts that each order of pods gives the same hold, and returns it; empty if the
     * candidate passes.
     */
    public static Optional<Hold> hold(Check check, Candidate candidate, Situation situation) {
        Optional<Hold> hold = check.against(candidate, situation);
        seeds().forEach(seed -> assertThat(check.against(candidate, shuffled(situation, seed)))
                .as("the hold with pods in the order of seed %d", seed)
                .isEqualTo(hold));
        return hold;
    }

    /** {@return the same situation with pods in another order; signals such as node health stay as they are} */
    private static Situation shuffled(Situation situation, long seed) {
        ClusterView view = ShuffledView.of(situation.view(), seed);
        return new Situation(
                ClusterFacts.of(
                        view,
                        situation.cluster().volumeTopology(),
                        situation.cluster().formerNodes()),
                RuleQueries.judged(
                        view, Due.withoutDaemons(view), situation.rules().impactOnOthers()),
                situation.clusterSignals(),
                situation.planLimits(),
                situation.moves().copy(),
                situation.now());
    }
}
