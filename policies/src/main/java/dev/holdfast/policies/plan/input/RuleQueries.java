package dev.holdfast.policies.plan.input;

import dev.holdfast.policies.evaluate.ExistingAntiAffinityView;
import dev.holdfast.policies.index.query.ImpactOnOthers;
import dev.holdfast.policies.model.ClusterView;
import dev.holdfast.policies.model.Pod;
import dev.holdfast.policies.model.Scheduling;
import java.util.Optional;

/**
 * The queries about affinity, anti-affinity and spread that a plan makes. The package {@code index} can answer each
 * from its counts, and the package {@code evaluate} by evaluating rules. Both packages give the same results.
 *
 * @param partners finds the pods that break a candidate's anti-affinity
 * @param spreads finds the domains that break a candidate's spread
 * @param existingAntiAffinityView the pods whose anti-affinity keeps other pods out of a domain
 * @param impactOnOthers counts how a move changes the verdicts of all other pods
 * @param afterMoves tells which violations remain once moves in flight have ended
 * @param createdAgain tells what the scheduler requires of replacements, of which policies inject rules
 */
public record RuleQueries(
        PartnerFinder partners,
        SpreadFinder spreads,
        ExistingAntiAffinityView existingAntiAffinityView,
        ImpactOnOthers impactOnOthers,
        ViolationsAfterMoves afterMoves,
        CreatedAgain createdAgain) {
    /**
     * {@return queries that evaluate the rules on these views}
     *
     * @param view the whole cluster
     * @param execution a view of the cluster that hides the pods of namespaces exempt from anti-affinity
     * @param impactOnOthers counts how a move changes the verdicts of all other pods; used as it is
     */
    public static RuleQueries judged(ClusterView view, ClusterView execution, ImpactOnOthers impactOnOthers) {
        return new RuleQueries(
                new EvaluatedPartners(execution),
                new EvaluatedSpreads(view),
                ExistingAntiAffinityView.of(view),
                impactOnOthers,
                new EvaluatedAfterMoves(view, execution),
                CreatedAgain.NEVER_INJECTED);
    }

    /** {@return a copy in which the given objects answer the queries about anti-affinity} */
    RuleQueries with(PartnerFinder otherPartners, ExistingAntiAffinityView otherRepulsion) {
        return new RuleQueries(otherPartners, spreads, otherRepulsion, impactOnOthers, afterMoves, createdAgain);
    }

    /** {@return a copy in which the given object answers the query about spreads} */
    RuleQueries with(SpreadFinder otherSpreads) {
        return new RuleQueries(
                partners, otherSpreads, existingAntiAffinityView, impactOnOthers, afterMoves, createdAgain);
    }

    /** {@return a copy in which the given object answers the query about violations that remain after moves} */
    RuleQueries with(ViolationsAfterMoves otherAfterMoves) {
        return new RuleQueries(
                partners, spreads, existingAntiAffinityView, impactOnOthers, otherAfterMoves, createdAgain);
    }

    /** {@return a copy in which the given object tells what the scheduler requires of replacements} */
    public RuleQueries with(CreatedAgain other) {
        return new RuleQueries(partners, spreads, existingAntiAffinityView, impactOnOthers, afterMoves, other);
    }

    /**
     * What the scheduler requires of the replacement of a pod. Policies inject rules into the replacement, perhaps
     * others than into the pod itself. A spread constraint then counts only nodes that have the keys of all constraints
     * (TS-4).
     */
    @FunctionalInterface
    public interface CreatedAgain {
        /** The value if no policy injects a rule. */
        CreatedAgain NEVER_INJECTED = _ -> Optional.empty();

        /**
         * {@return the constraints that a pod like this one would get now at its creation, all as its own; empty if no
         * policy injects a rule into it}
         */
        Optional<Scheduling> of(Pod pod);
    }
}
