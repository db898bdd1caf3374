package dev.holdfast.policies.engine.eviction;

import dev.holdfast.policies.engine.planning.BreakerUpdate;
import dev.holdfast.policies.engine.planning.CandidateFactory;
import dev.holdfast.policies.engine.planning.ClusterPlanner;
import dev.holdfast.policies.engine.planning.EnforcedRulesReader;
import dev.holdfast.policies.engine.planning.HoldRecorder;
import dev.holdfast.policies.engine.planning.PrePlanHolds;
import dev.holdfast.policies.engine.protocol.Effect;
import dev.holdfast.policies.engine.state.MovesInFlight;
import dev.holdfast.policies.engine.state.ViolationBook;
import dev.holdfast.policies.engine.violations.CrossCheck;
import dev.holdfast.policies.forgive.Violation;
import dev.holdfast.policies.plan.Plan;
import dev.holdfast.policies.plan.input.Candidate;
import dev.holdfast.policies.plan.move.Hold;
import dev.holdfast.policies.plan.move.Move;
import dev.holdfast.policies.rule.Mode;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/** Checks again, right before the dry run and right before the eviction request, whether a move is still allowed. */
public final class Revalidation {
    private final ViolationBook book;
    private final MovesInFlight moves;
    private final CrossCheck crossCheck;
    private final CandidateFactory candidates;
    private final PrePlanHolds outside;
    private final BreakerUpdate breakers;
    private final ClusterPlanner planner;
    private final HoldRecorder holds;
    private final EnforcedRulesReader enforcedRules;

    public Revalidation(
            ViolationBook book,
            MovesInFlight moves,
            CrossCheck crossCheck,
            CandidateFactory candidates,
            PrePlanHolds outside,
            BreakerUpdate breakers,
            ClusterPlanner planner,
            HoldRecorder holds,
            EnforcedRulesReader enforcedRules) {
        this.book = book;
        this.moves = moves;
        this.crossCheck = crossCheck;
        this.candidates = candidates;
        this.outside = outside;
        this.breakers = breakers;
        this.planner = planner;
        this.holds = holds;
        this.enforcedRules = enforcedRules;
    }

    /** A move that is still allowed, with its violation. */
    record Valid(Move move, Violation violation) {}

    /**
     * Checks a move again, and drops it if it is no longer allowed. If a check now holds the violation, for example
     * because of a pause, records this hold.
     *
     * @return the move with its target node and the enforced rules updated; empty if the move was dropped
     */
    Optional<Valid> revalidate(Move move, Instant now, List<Effect> effects) {
        Optional<Candidate> candidate = crossCheck
                .confirm(move.key(), now, effects)
                .map(violation -> candidates.candidate(violation, now))
                .filter(it -> it.pod().uid().equals(move.victim().uid()))
                .flatMap(it -> it.requestedBy(move.policy()))
                .filter(it -> it.mode() == Mode.ENFORCE && book.isDue(move.key(), now));
        if (candidate.isEmpty()) {
            // The cluster or a policy has changed since; the next plan uses the present state.
            moves.drop(move);
            return Optional.empty();
        }
        breakers.run(now, effects);
        Violation violation = candidate.get().violation();
        return switch (decide(move, candidate.get(), now)) {
            case Plan.Chosen(var _, Optional<String> target) ->
                Optional.of(new Valid(
                        move.toward(target).enforcing(enforcedRules.ofVictim(candidate.get(), now)), violation));
            case Plan.Held(var _, Hold hold, var _) -> {
                moves.drop(move);
                holds.hold(violation, hold, now, effects);
                yield Optional.empty();
            }
        };
    }

    private Plan.Decision decide(Move move, Candidate candidate, Instant now) {
        Optional<Hold> hold =
                outside.against(candidate.violation(), now).or(() -> outside.againstSubstitute(candidate, now));
        return hold.isPresent() ? new Plan.Held(candidate, hold.get()) : planner.revalidate(candidate, move, now);
    }
}
