package dev.holdfast.policies.engine;

import dev.holdfast.policies.engine.memory.MovesInFlight;
import dev.holdfast.policies.engine.memory.ViolationBook;
import dev.holdfast.policies.engine.planning.BreakerUpdate;
import dev.holdfast.policies.engine.planning.CandidateFactory;
import dev.holdfast.policies.engine.planning.ClusterPlanner;
import dev.holdfast.policies.engine.planning.HoldRecorder;
import dev.holdfast.policies.engine.planning.OutsideHolds;
import dev.holdfast.policies.engine.protocol.Effect;
import dev.holdfast.policies.forgive.Violation;
import dev.holdfast.policies.plan.Plan;
import dev.holdfast.policies.plan.move.Hold;
import dev.holdfast.policies.plan.move.Move;
import dev.holdfast.policies.plan.situation.Candidate;
import dev.holdfast.policies.rule.Mode;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/** Decides about a move once more, on the newest facts, before each request to the API server. */
final class Revalidation {
    private final ViolationBook book;
    private final MovesInFlight moves;
    private final VerdictCrossCheck verdictCrossCheck;
    private final CandidateFactory candidates;
    private final OutsideHolds outside;
    private final BreakerUpdate breakers;
    private final ClusterPlanner planner;
    private final HoldRecorder holds;

    Revalidation(
            ViolationBook book,
            MovesInFlight moves,
            VerdictCrossCheck verdictCrossCheck,
            CandidateFactory candidates,
            OutsideHolds outside,
            BreakerUpdate breakers,
            ClusterPlanner planner,
            HoldRecorder holds) {
        this.book = book;
        this.moves = moves;
        this.verdictCrossCheck = verdictCrossCheck;
        this.candidates = candidates;
        this.outside = outside;
        this.breakers = breakers;
        this.planner = planner;
        this.holds = holds;
    }

    /** A move with the violation that still calls for it. */
    record Valid(Move move, Violation violation) {}

    /** {@return the move, if its violation still calls for it; else the move is dropped, and a due violation is held} */
    Optional<Valid> revalidate(Move move, Instant now, List<Effect> effects) {
        Optional<Candidate> candidate = verdictCrossCheck
                .confirm(move.key(), effects)
                .map(violation -> candidates.candidate(violation, now))
                .filter(it -> it.pod().uid().equals(move.victim().uid()))
                .flatMap(it -> it.askedBy(move.policy()))
                .filter(it -> it.mode() == Mode.ENFORCE && book.isDue(move.key(), now));
        if (candidate.isEmpty()) {
            // A change or an edit came between; the next plan sees it as it is now.
            moves.drop(move);
            return Optional.empty();
        }
        breakers.run(now, effects);
        Violation violation = candidate.get().violation();
        return switch (decide(move, candidate.get(), now)) {
            case Plan.Chosen(var _, Optional<String> target) -> Optional.of(new Valid(move.toward(target), violation));
            case Plan.Held(var _, Hold hold) -> {
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
