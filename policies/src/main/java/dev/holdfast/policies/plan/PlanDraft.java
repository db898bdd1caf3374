package dev.holdfast.policies.plan;

import dev.holdfast.policies.model.Pod;
import dev.holdfast.policies.plan.capacity.Infeasibility;
import dev.holdfast.policies.plan.capacity.InfeasibleSince;
import dev.holdfast.policies.plan.capacity.PendingMoves;
import dev.holdfast.policies.plan.capacity.VolumeTopology;
import dev.holdfast.policies.plan.check.Checks;
import dev.holdfast.policies.plan.feasibility.Feasibility;
import dev.holdfast.policies.plan.feasibility.PlacementCache;
import dev.holdfast.policies.plan.input.Candidate;
import dev.holdfast.policies.plan.input.Situation;
import dev.holdfast.policies.plan.move.Hold;
import dev.holdfast.policies.plan.move.Moves;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * A plan under construction. Each chosen move counts as in flight when the next candidates are decided. Candidates that
 * no node would take are checked again at the end, because moves chosen meanwhile may have changed that.
 */
final class PlanDraft {
    private final Situation situation;
    private final Moves moves;
    private final PlacementCache placementCache;
    private final Checks checks;
    private final List<Plan.Chosen> chosen = new ArrayList<>();
    private final List<Plan.Held> held = new ArrayList<>();
    private final List<Candidate> later = new ArrayList<>();
    private final DeferredScopes deferredScopes = new DeferredScopes();

    private final List<WithoutPlace> withoutPlace = new ArrayList<>();

    /**
     * A candidate that no node would take.
     *
     * @param held the decision to hold the candidate, unless the check at the end of the plan finds a node
     * @param moves the number of moves in flight when no node was found; once there are more, another search is
     *     worthwhile
     */
    private record WithoutPlace(Plan.Held held, int moves) {
        Candidate candidate() {
            return held.candidate();
        }
    }

    /** @param before the input of the plan; not modified, because chosen moves are added to a copy of its moves */
    PlanDraft(Situation before, PlacementCache placementCache, Checks checks) {
        this.moves = before.moves().copy();
        this.situation = before.with(moves);
        this.placementCache = placementCache;
        this.checks = checks;
    }

    /** Adds the candidate to the plan as held, without looking for a node. */
    void hold(Candidate candidate, Hold hold) {
        placementCache.skip(candidate, situation.now());
        held.add(new Plan.Held(candidate, hold, checks.holdsByPolicy(candidate, situation)));
    }

    /**
     * Decides about a candidate, unless it may be chosen with a node. All moves chosen before count as in flight.
     *
     * @return the candidate as an option; empty if it is now held, left to a later plan or chosen without a node
     */
    Optional<PlanOption> option(Candidate candidate) {
        Optional<Hold> hold = checks.firstHold(candidate, situation);
        if (hold.isPresent()) {
            hold(candidate, hold.get());
            return Optional.empty();
        }
        Pod next = candidate.replacement(situation.view());
        VolumeTopology volumeTopology = situation.cluster().volumeTopology();
        boolean areRead = volumeTopology.areRead(next);
        if (!areRead) {
            volumeTopology.want(next);
        }
        Optional<PlacementCache.Result> result = deferredScopes.has(candidate.scope()) || !areRead
                ? Optional.empty()
                : placementCache.place(candidate, situation);
        boolean uncounted = result.flatMap(PlacementCache.Result::against)
                .filter(Infeasibility.UNCOUNTED::equals)
                .isPresent();
        if (result.isEmpty() || uncounted) {
            placementCache.skip(candidate, situation.now());
            deferredScopes.add(candidate.scope());
            later.add(candidate);
            return Optional.empty();
        }
        Optional<PlanOption> option = Optional.empty();
        switch (decision(candidate, result.get())) {
            case Plan.Held infeasible ->
                withoutPlace.add(new WithoutPlace(infeasible, moves.inFlight().size()));
            case Plan.Chosen victim -> {
                if (victim.target().isPresent()) {
                    option = Optional.of(new PlanOption(
                            candidate,
                            victim,
                            Feasibility.heals(victim.target().get(), candidate, situation),
                            moves.inFlight().size()));
                } else {
                    choose(victim);
                }
            }
        }
        return option;
    }

    /**
     * {@return the option in the present state; decided again if further moves were chosen since and its node would no
     * longer take the pod} Otherwise the option keeps its node: another search would cost as much as the first.
     */
    Optional<PlanOption> refreshed(PlanOption option) {
        if (option.moves() == moves.inFlight().size()) {
            return Optional.of(option);
        }
        Candidate candidate = option.candidate();
        return option.victim()
                .target()
                .filter(_ -> checks.firstHold(candidate, situation).isEmpty())
                .filter(node -> Feasibility.takes(node, candidate, situation))
                .map(node -> new PlanOption(
                        candidate,
                        new Plan.Chosen(checks.permitted(candidate, situation), Optional.of(node)),
                        Feasibility.heals(node, candidate, situation),
                        moves.inFlight().size()))
                .or(() -> option(candidate));
    }

    /**
     * {@return whether the move of an option would heal the violation of another candidate too, or is in the scope of
     * its move, so that only one of them may be made now}
     */
    boolean healsToo(PlanOption option, Candidate other) {
        Candidate moved = option.candidate();
        if (moved.scope().meets(other.scope())
                || moved.pod().uid().equals(other.owner().uid())) {
            return true;
        }
        Moves after = moves.copy();
        after.put(moved.plannedMove(option.victim().target(), situation.now()));
        return !situation.rules().afterMoves().remains(other, PendingMoves.of(after, situation.view()));
    }

    private Plan.Decision decision(Candidate candidate, PlacementCache.Result result) {
        Candidate asked = result.target().isPresent()
                ? checks.permitted(candidate, situation)
                : checks.mostPermissive(candidate, situation, nowhere(candidate).since());
        return switch (decided(asked, result.target(), result.against())) {
            case Plan.Held infeasible ->
                new Plan.Held(candidate, infeasible.hold(), checks.holdsByPolicy(candidate, situation));
            case Plan.Chosen victim -> victim;
        };
    }

    /**
     * {@return the decision about a candidate that passed all checks: chosen if a node would take its pod, or if a
     * policy evicts the pod nevertheless; else held}
     *
     * @param target a node that would take the pod; absent if none would
     * @param against why no node would take the pod; absent if one would
     */
    Plan.Decision decided(Candidate candidate, Optional<String> target, Optional<Infeasibility> against) {
        Instant now = situation.now();
        InfeasibleSince.Period nowhere = nowhere(candidate);
        return against.flatMap(infeasibility -> checks.ofPlace().against(candidate, infeasibility, nowhere, now))
                .map(candidate::namingVictim)
                .<Plan.Decision>map(hold -> new Plan.Held(candidate, hold))
                .orElseGet(() -> new Plan.Chosen(candidate, target));
    }

    /** {@return since when no node would take the candidate; from now on if the cache has no such time} */
    private InfeasibleSince.Period nowhere(Candidate candidate) {
        Instant now = situation.now();
        return placementCache.infeasible(candidate).orElseGet(() -> new InfeasibleSince.Period(now, now));
    }

    /** Adds the victim to the plan. From now on, its move counts as in flight. */
    void choose(Plan.Chosen victim) {
        chosen.add(victim);
        moves.put(victim.candidate().plannedMove(victim.target(), situation.now()));
    }

    /**
     * Looks for a node again for each candidate that no node would take, if more moves were chosen since. Adds each of
     * these candidates to the plan, as chosen or as held. A candidate stays held if this plan may make no more
     * searches.
     */
    void lookAgain() {
        for (WithoutPlace failed : withoutPlace) {
            Candidate candidate = failed.candidate();
            boolean changed = moves.inFlight().size() > failed.moves()
                    && checks.firstHold(candidate, situation).isEmpty();
            Plan.Decision decision = Optional.of(candidate)
                    .filter(_ -> changed)
                    .flatMap(it -> placementCache.lookAgain(it, situation))
                    .map(result -> decision(candidate, result))
                    .orElse(failed.held());
            switch (decision) {
                case Plan.Held infeasible -> held.add(infeasible);
                case Plan.Chosen victim -> choose(victim);
            }
        }
    }

    Plan plan() {
        return new Plan(
                chosen,
                held,
                later,
                placementCache.nextLook(withoutPlace.stream().map(WithoutPlace::candidate)));
    }
}
