package dev.holdfast.policies.engine;

import dev.holdfast.policies.evaluate.Reason;
import dev.holdfast.policies.forgive.Violation;
import dev.holdfast.policies.model.Node;
import dev.holdfast.policies.model.Pod;
import dev.holdfast.policies.plan.Candidate;
import dev.holdfast.policies.plan.EvictionAnswer;
import dev.holdfast.policies.plan.EvictionRequest;
import dev.holdfast.policies.plan.Hold;
import dev.holdfast.policies.plan.Move;
import dev.holdfast.policies.plan.Moves;
import dev.holdfast.policies.plan.Plan;
import dev.holdfast.policies.plan.Planner;
import dev.holdfast.policies.rule.Mode;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/**
 * Takes a move from the reads over the rehearsal to the answer of its eviction. What follows after that is
 * {@link FollowUp}'s.
 */
final class Mover {
    /** How often a pod that keeps changing is read and asked for again. */
    private static final int MOST_ATTEMPTS = 3;

    private final State state;
    private final Judge judge;
    private final Planning planning;
    private final FollowUp followUp;

    Mover(State state, Judge judge, Planning planning, FollowUp followUp) {
        this.state = state;
        this.judge = judge;
        this.planning = planning;
        this.followUp = followUp;
    }

    /** Decides once more, on what was just read and on the newest facts, and only then has the eviction rehearsed. */
    void confirmed(Event.Confirmed read, Instant now, List<Effect> effects) {
        Optional<Move> found =
                state.moves.find(read.planId()).filter(move -> move.stage() instanceof Move.Stage.Confirming);
        if (found.isEmpty()) {
            return;
        }
        Move move = found.get();
        stillRight(move, now, effects)
                .ifPresent(right -> behind(read, move)
                        .ifPresentOrElse(
                                why -> behind(move, right.violation(), why, now, effects),
                                () -> rehearse(right, read.pod().orElseThrow(), now, effects)));
    }

    /** Gives a move up because its pod could not be read. */
    void confirmFailed(Event.ConfirmFailed failed, Instant now, List<Effect> effects) {
        state.moves.find(failed.planId()).ifPresent(move -> {
            Refusal refusal = Refusal.ofRead(failed.reason(), failed.message(), state.refusal(move.key()), now);
            state.clocks
                    .find(move.key())
                    .ifPresentOrElse(it -> refuse(move, it, refusal, now, effects), () -> state.drop(move));
        });
    }

    /** Decides once more after a rehearsal, which may have taken seconds, and only then asks for the eviction. */
    void rehearsed(Event.Rehearsed event, Instant now, List<Effect> effects) {
        Optional<Move> found = state.moves.find(event.planId());
        if (found.isEmpty() || !(found.get().stage() instanceof Move.Stage.Rehearsing(var _, long version))) {
            return;
        }
        Move move = found.get();
        if (!(event.answer() instanceof EvictionAnswer.Evicted)) {
            refused(move, event.answer(), now, effects);
            return;
        }
        stillRight(move, now, effects).ifPresent(right -> {
            Pod known = state.cluster.pod(move.victim().uid()).orElseThrow();
            if (known.resourceVersion() > version) {
                // The API server spends a disruption budget before it refuses a request for another version.
                refused(move, new EvictionAnswer.Conflict("the pod changed after it was read"), now, effects);
            } else {
                ask(right, version, now, effects);
            }
        });
    }

    /** Takes the answer to a request. */
    void answered(Event.Answered event, Instant now, List<Effect> effects) {
        Optional<Move> found = state.moves.find(event.planId()).filter(Mover::isAsked);
        if (found.isEmpty()) {
            return;
        }
        Move move = found.get();
        if (event.answer() instanceof EvictionAnswer.Evicted) {
            tellAnswer(move, event.answer(), effects);
            followUp.begin(move, now);
        } else if (event.answer() instanceof EvictionAnswer.Unknown) {
            tellAnswer(move, event.answer(), effects);
            followUp.unanswered(move, now);
        } else {
            refused(move, event.answer(), now, effects);
        }
    }

    private static boolean isAsked(Move move) {
        return move.stage() instanceof Move.Stage.Requested || move.stage() instanceof Move.Stage.Unknown;
    }

    /** A move with the violation that still calls for it. */
    private record Right(Move move, Violation violation) {}

    /** {@return the move, if its violation still calls for it; else it is dropped, and held where that is due} */
    private Optional<Right> stillRight(Move move, Instant now, List<Effect> effects) {
        Optional<Violation> violation = judge.again(move.key(), effects);
        Optional<Candidate> candidate = violation
                .map(it -> planning.candidate(it, now))
                .filter(it -> it.pod().uid().equals(move.victim().uid()))
                .flatMap(it -> it.askedBy(move.policy()));
        if (violation.isEmpty() || candidate.isEmpty() || !isEnforcedNow(violation.get(), now)) {
            // A change or an edit came between; the next plan sees it as it is now.
            state.drop(move);
            return Optional.empty();
        }
        planning.brake(now, effects);
        return switch (decision(move, candidate.get(), now)) {
            case Plan.Chosen(var _, Optional<String> target) ->
                Optional.of(new Right(move.toward(target), violation.get()));
            case Plan.Held(var _, Hold hold) -> {
                state.drop(move);
                planning.hold(violation.get(), hold, now, effects);
                yield Optional.empty();
            }
        };
    }

    private boolean isEnforcedNow(Violation violation, Instant now) {
        boolean due = !now.isBefore(state.deadlines.of(violation.key()));
        return due && state.asked(violation.key()).orElseThrow().mode(state.ceiling) == Mode.ENFORCE;
    }

    private Plan.Decision decision(Move move, Candidate candidate, Instant now) {
        Optional<Hold> outside =
                planning.heldFromOutside(candidate.violation(), now).or(() -> planning.makingWay(candidate, now));
        if (outside.isPresent()) {
            return new Plan.Held(candidate, outside.get());
        }
        Moves others = state.moves.copy();
        others.remove(move.id());
        return Planner.revalidate(
                candidate, move.target(), planning.situation(others, now), state.places, state.settings.checks());
    }

    /**
     * {@return what was read otherwise than the feeds have told it: they are not there yet, or the API server is no more,
     * since a backup was restored}
     */
    private Optional<String> behind(Event.Confirmed read, Move move) {
        Optional<Pod> pod =
                read.pod().filter(it -> it.uid().equals(move.victim().uid()));
        if (pod.isEmpty()) {
            return Optional.of("the pod is gone and the change is not here yet");
        }
        return podBehind("the pod", pod.get())
                .or(() -> nodeBehind(read.node()))
                .or(() -> partnerBehind(read.partners(), move));
    }

    private Optional<String> nodeBehind(Optional<Node> read) {
        if (read.isEmpty()) {
            return Optional.of("its node is gone and the change is not here yet");
        }
        Node node = read.get();
        return behind(
                "its node",
                node.resourceVersion(),
                state.cluster.node(node.name()).map(Node::resourceVersion));
    }

    private Optional<String> partnerBehind(List<Pod> read, Move move) {
        for (Pod partner : planning.partners(move)) {
            // Where the name stands for another pod now, the partner is gone as well.
            Optional<Pod> found =
                    read.stream().filter(pod -> pod.uid().equals(partner.uid())).findFirst();
            if (found.isEmpty()) {
                return Optional.of("pod " + partner.name() + " was not there when it was read");
            }
            Optional<String> behind = podBehind("pod " + partner.name(), found.get());
            if (behind.isPresent()) {
                return behind;
            }
        }
        return Optional.empty();
    }

    private Optional<String> podBehind(String what, Pod read) {
        return behind(
                what, read.resourceVersion(), state.cluster.pod(read.uid()).map(Pod::resourceVersion));
    }

    private static Optional<String> behind(String what, long read, Optional<Long> told) {
        if (told.filter(version -> version == read).isPresent()) {
            return Optional.empty();
        }
        boolean older = told.filter(version -> version > read).isPresent();
        return Optional.of(what
                + (older
                        ? " was read in an older version than is known here"
                        : " has changed and the change is not here yet"));
    }

    private void behind(Move move, Violation violation, String why, Instant now, List<Effect> effects) {
        Refusal refusal = Refusal.ofRead(Reason.VIEW_BEHIND, why, state.refusal(move.key()), now);
        refuse(move, violation, refusal, now, effects);
    }

    private void rehearse(Right right, Pod read, Instant now, List<Effect> effects) {
        Move move = right.move();
        state.moves.put(move.at(new Move.Stage.Rehearsing(now, read.resourceVersion())));
        ViolationReport report = planning.describe(right.violation(), move, now);
        state.leadsTo(move, report);
        effects.add(new Effect.Rehearse(request(move, report, read.resourceVersion())));
    }

    private void ask(Right right, long version, Instant now, List<Effect> effects) {
        Move move = right.move();
        state.moves.put(followUp.requested(move, now));
        ViolationReport report = planning.report(right.violation(), move, now);
        state.leadsTo(move, report);
        effects.add(new Effect.Tell(new Occurrence.Evicting(report, move.id(), move.target())));
        effects.add(new Effect.Evict(request(move, report, version)));
    }

    private static EvictionRequest request(Move move, ViolationReport report, long version) {
        return new EvictionRequest(
                move.id(),
                move.victim().name(),
                move.victim().uid(),
                version,
                report.policy(),
                report.rule(),
                move.key().rule(),
                report.cause().describe() + insteadOf(move, report),
                report.since());
    }

    private static String insteadOf(Move move, ViolationReport report) {
        return move.isOfOwner() ? "" : "; it goes instead of " + report.pod() + ", whose priority is higher";
    }

    /** Reads anew where the pod changed, and else holds: nothing was evicted. */
    private void refused(Move move, EvictionAnswer answer, Instant now, List<Effect> effects) {
        tellAnswer(move, answer, effects);
        Optional<Violation> violation = state.clocks.find(move.key());
        if (violation.isEmpty()) {
            state.drop(move);
        } else if (answer instanceof EvictionAnswer.Conflict && move.attempts() < MOST_ATTEMPTS) {
            state.moves.put(move.again(now));
            effects.add(planning.confirm(move));
        } else {
            refuse(move, violation.get(), refusal(answer, move, now), now, effects);
        }
    }

    private Refusal refusal(EvictionAnswer answer, Move move, Instant now) {
        Optional<Refusal> before = state.refusal(move.key());
        return answer instanceof EvictionAnswer.OutOfBudget spent
                ? BudgetHolds.neverAllowing(move.victim(), state)
                        .map(budget -> Refusal.ofNever(budget, spent, before, now))
                        .orElseGet(() -> Refusal.of(answer, before, now))
                : Refusal.of(answer, before, now);
    }

    private void tellAnswer(Move move, EvictionAnswer answer, List<Effect> effects) {
        effects.add(new Effect.Tell(new Occurrence.Answered(state.leadingTo(move), move.id(), answer)));
    }

    /** Nothing was evicted. What is not due any more is not held either, and keeps only the time to wait. */
    private void refuse(Move move, Violation violation, Refusal refusal, Instant now, List<Effect> effects) {
        state.drop(move);
        state.refuse(violation, move.victim().uid(), refusal);
        if (!now.isBefore(state.deadlines.of(violation.key()))) {
            planning.hold(violation, refusal.hold(), now, effects);
        }
    }
}
