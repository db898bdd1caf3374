package dev.holdfast.policies.engine;

import dev.holdfast.policies.evaluate.Breach;
import dev.holdfast.policies.evaluate.Reason;
import dev.holdfast.policies.evaluate.Verdict;
import dev.holdfast.policies.model.Controller;
import dev.holdfast.policies.model.Owner;
import dev.holdfast.policies.model.Pod;
import dev.holdfast.policies.plan.Futility;
import dev.holdfast.policies.plan.Move;
import dev.holdfast.policies.plan.Outcome;
import dev.holdfast.policies.plan.Workload;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Predicate;
import java.util.stream.Stream;

/** Follows a move after its eviction: where the replacement lands, whether it becomes ready, and whether it helped. */
final class FollowUp {
    /**
     * How long a pod must be seen as it was until a request without an answer did not evict it. The API server may act on it
     * for a minute, and a watch that was cut off looks alive for up to 140 s: 90 of silence, 45 to see what it means, and 5
     * until somebody looks.
     */
    private static final Duration UNSEEN_AT_MOST = Duration.ofMinutes(4);

    /** How long the shell may owe an answer: far longer than any request may take. */
    private static final Duration ANSWER_OWED = Duration.ofMinutes(1);

    private final State state;

    FollowUp(State state) {
        this.state = state;
    }

    /** {@return the move as it is when its request is handed over} */
    Move requested(Move move, Instant now) {
        Set<String> siblings = new TreeSet<>();
        siblings.add(move.victim().uid());
        ofWorkload(move).map(Pod::uid).forEach(siblings::add);
        return move.at(new Move.Stage.Requested(now, siblings));
    }

    /** {@return the move, noted as one to whose request no answer came} */
    Move unanswered(Move move, Instant now) {
        Move unknown = move.at(new Move.Stage.Unknown(now, siblings(move.stage())));
        state.moves.put(unknown);
        return unknown;
    }

    /** Notes that the victim is going. */
    void begin(Move move, Instant now) {
        state.moves.spend(move, now);
        state.moves.put(move.at(new Move.Stage.Evicted(now, siblings(move.stage()))));
        ViolationReport report = state.leadingTo(move);
        if (state.cluster.index().policy(report.policy()).isPresent()) {
            state.history.add(report.policy(), move.id(), evicted(move, report, now));
        }
        state.planStale = true;
    }

    private static PolicyReport.EvictionRecord evicted(Move move, ViolationReport report, Instant now) {
        return new PolicyReport.EvictionRecord(
                now,
                move.victim().name(),
                move.fromNode(),
                Optional.empty(),
                report.rule(),
                report.cause().describe(),
                Optional.empty());
    }

    /** Looks at the moves in flight that an event concerns, and at those whose present stage has lasted too long. */
    void run(Predicate<Move> concerned, Instant now, List<Effect> effects) {
        for (Move move : List.copyOf(state.moves.inFlight())) {
            if (!concerned.test(move) && !isOver(move, now)) {
                continue;
            }
            switch (move.stage()) {
                case Move.Stage.Confirming _ -> owed(move, "the reads", now);
                case Move.Stage.Rehearsing _ -> owed(move, "the dry run", now);
                case Move.Stage.Requested _ -> overdue(move, now);
                case Move.Stage.Unknown _ -> unknown(move, now);
                case Move.Stage.Evicted evicted -> evicted(move, evicted, now, effects);
                case Move.Stage.Landed landed -> landed(move, landed, now, effects);
            }
        }
    }

    /** {@return whether what becomes of a move may depend on the pod: the victim, or one of the same workload} */
    boolean follows(Move move, Pod pod) {
        return pod.uid().equals(move.victim().uid())
                || (pod.namespace().equals(move.victim().namespace())
                        && (pod.protection()
                                        .controller()
                                        .equals(move.victim().protection().controller())
                                || Workload.of(pod, state.cluster).equals(move.workload())));
    }

    /** {@return when a move in flight must be looked at even if nothing happens} */
    Optional<Instant> nextLook() {
        if (state.moves.inFlight().isEmpty()) {
            return Optional.empty();
        }
        return state.moves.inFlight().stream()
                .map(this::patience)
                .flatMap(Optional::stream)
                .min(Instant::compareTo);
    }

    /** How long the present stage of a move may last; as long as it takes where time alone says nothing. */
    private Optional<Instant> patience(Move move) {
        return switch (move.stage()) {
            case Move.Stage.Confirming(Instant since) -> Optional.of(since.plus(ANSWER_OWED));
            case Move.Stage.Rehearsing(Instant since, var _) -> Optional.of(since.plus(ANSWER_OWED));
            case Move.Stage.Requested(Instant since, var _) -> Optional.of(since.plus(ANSWER_OWED));
            case Move.Stage.Unknown(Instant since, var _) -> untilSeen(since);
            case Move.Stage.Evicted(Instant at, var _) -> Optional.of(at.plus(state.settings.replacementTimeout()));
            case Move.Stage.Landed landed -> Optional.of(landed.evictedAt().plus(state.settings.replacementTimeout()));
        };
    }

    /** From when on a pod that still shows is still there; empty while a view is lost. */
    private Optional<Instant> untilSeen(Instant since) {
        return state.syncedSince(View.PODS)
                .map(synced -> synced.isAfter(since) ? synced : since)
                .map(from -> from.plus(UNSEEN_AT_MOST));
    }

    private boolean isOver(Move move, Instant now) {
        return patience(move).filter(end -> !now.isBefore(end)).isPresent();
    }

    private void unknown(Move move, Instant now) {
        Optional<Pod> victim = state.cluster.pod(move.victim().uid());
        if (victim.filter(pod -> !pod.terminating()).isEmpty()) {
            begin(move, now);
            return;
        }
        if (isOver(move, now)) {
            giveUp(move, Reason.OUTCOME_UNKNOWN, "the eviction did not happen", now);
        }
    }

    private void owed(Move move, String what, Instant now) {
        if (isOver(move, now)) {
            giveUp(move, Reason.API_ERROR, "no answer to " + what + " within " + ANSWER_OWED.toSeconds() + " s", now);
        }
    }

    private void overdue(Move move, Instant now) {
        if (isOver(move, now)) {
            unknown(unanswered(move, now), now);
        }
    }

    /** Takes a move out of flight that came to nothing; the next plan holds the violation for this, if it still runs. */
    private void giveUp(Move move, Reason reason, String message, Instant now) {
        Refusal refusal = Refusal.ofRead(reason, message, state.refusal(move.key()), now);
        state.clocks
                .find(move.key())
                .ifPresent(violation -> state.refuse(violation, move.victim().uid(), refusal));
        state.drop(move);
    }

    private void evicted(Move move, Move.Stage.Evicted evicted, Instant now, List<Effect> effects) {
        Optional<Pod> bound = replacements(move, evicted.siblings())
                .filter(pod -> pod.nodeName().isPresent())
                .min(Comparator.comparing(Pod::uid));
        if (bound.isPresent()) {
            Pod replacement = bound.get();
            String node = replacement.nodeName().orElseThrow();
            Move.Stage.Landed landed = new Move.Stage.Landed(evicted.at(), evicted.siblings(), replacement.uid(), node);
            state.moves.put(move.at(landed));
            move.workload().ifPresent(workload -> state.disturbances.takeBack(workload.uid(), replacement.uid()));
            state.history.complete(move.id(), Optional.of(node), Optional.empty());
            state.planStale = true;
            landed(move.at(landed), landed, now, effects);
        } else if (nobodyComes(move, evicted.siblings())) {
            finish(move, Outcome.GONE, Optional.empty(), evicted.at(), now, effects);
        } else {
            untilTimeout(move, evicted.at(), Optional.empty(), now, effects);
        }
    }

    private void landed(Move move, Move.Stage.Landed landed, Instant now, List<Effect> effects) {
        Optional<Pod> replacement =
                state.cluster.pod(landed.replacementUid()).filter(pod -> pod.counts() && !pod.terminating());
        if (replacement.isEmpty()) {
            // It went before it was ready: the one after it is awaited, within the same time.
            Set<String> siblings = new TreeSet<>(landed.siblings());
            siblings.add(landed.replacementUid());
            state.moves.put(move.at(new Move.Stage.Evicted(landed.evictedAt(), siblings)));
            state.planStale = true;
            untilTimeout(move, landed.evictedAt(), Optional.empty(), now, effects);
        } else if (replacement.get().life().ready()) {
            Outcome outcome = isBrokenBy(replacement.get(), move) ? Outcome.BROKEN_AGAIN : Outcome.MOVED;
            finish(move, outcome, Optional.of(landed.node()), landed.evictedAt(), now, effects);
        } else {
            untilTimeout(move, landed.evictedAt(), Optional.of(landed.node()), now, effects);
        }
    }

    /** Whether the rule is broken again: by the replacement itself, or by its being in the way of the rule owner. */
    private boolean isBrokenBy(Pod replacement, Move move) {
        if (move.isOfOwner()) {
            return state.verdict(move.rule(), replacement) instanceof Verdict.Violated;
        }
        return state.cluster
                .pod(move.key().podUid())
                .filter(owner -> state.verdict(move.rule(), owner) instanceof Verdict.Violated(Breach breach)
                        && breach.partners().stream()
                                .anyMatch(partner -> partner.uid().equals(replacement.uid())))
                .isPresent();
    }

    private void untilTimeout(Move move, Instant evictedAt, Optional<String> node, Instant now, List<Effect> effects) {
        if (isOver(move, now)) {
            finish(move, Outcome.NOT_READY, node, evictedAt, now, effects);
        }
    }

    private void finish(
            Move move, Outcome outcome, Optional<String> node, Instant evictedAt, Instant now, List<Effect> effects) {
        remember(move, outcome, node, now);
        state.history.complete(move.id(), node, Optional.of(outcome));
        effects.add(new Effect.Tell(new Occurrence.Moved(state.leadingTo(move), move.id(), outcome, node, evictedAt)));
        state.drop(move);
    }

    private void remember(Move move, Outcome outcome, Optional<String> node, Instant now) {
        move.workload().ifPresent(workload -> {
            switch (outcome) {
                case MOVED -> state.moves.futility().helped(workload, move.key().rule());
                case BROKEN_AGAIN ->
                    failed(move, workload, "landed on " + node.orElseThrow() + " and broke the rule again", now);
                case NOT_READY -> {
                    String where = node.map(name -> " on " + name).orElse(" on any node");
                    long seconds = state.settings.replacementTimeout().toSeconds();
                    failed(move, workload, "was not Ready within " + seconds + " s" + where, now);
                }
                case GONE -> {
                    // Whether it would have helped nobody knows.
                }
            }
        });
    }

    private void failed(Move move, Workload workload, String why, Instant now) {
        Futility.Try failed = new Futility.Try(now, move.policy(), why);
        Futility.Subject.of(move.victim(), move.key().rule())
                .ifPresent(subject -> state.moves.futility().failed(subject, workload, failed));
    }

    private static Set<String> siblings(Move.Stage stage) {
        if (stage instanceof Move.Stage.Sent sent) {
            return sent.siblings();
        }
        throw new IllegalStateException("no eviction was requested yet");
    }

    private Stream<Pod> replacements(Move move, Set<String> siblings) {
        return ofWorkload(move)
                .filter(pod -> !siblings.contains(pod.uid()))
                .filter(pod -> !pod.terminating() && !pod.finished());
    }

    private Stream<Pod> ofWorkload(Move move) {
        return state.cluster.podsIn(move.victim().namespace()).stream()
                .filter(pod -> move.workload().isPresent()
                        && Workload.of(pod, state.cluster).equals(move.workload()));
    }

    /** Whether the victim's controller is gone, or has as many pods as it wants without a new one. */
    private boolean nobodyComes(Move move, Set<String> siblings) {
        Optional<Controller> controller = move.victim().protection().controller();
        Optional<Owner> known = controller.flatMap(it -> state.cluster.owner(it.uid()));
        if (known.isEmpty()) {
            // Of a kind that is not watched nobody can say that it is gone: its next pod is awaited.
            return controller.isEmpty() || state.knewOwner(move);
        }
        Owner owner = known.get();
        List<Pod> living = new ArrayList<>();
        for (Pod pod : state.cluster.podsIn(move.victim().namespace())) {
            boolean sameController = pod.protection().controller().equals(controller);
            boolean isVictim = pod.uid().equals(move.victim().uid());
            if (sameController && !isVictim && !pod.terminating() && !pod.finished()) {
                living.add(pod);
            }
        }
        boolean enough = owner.replicas().isPresent()
                && living.size() >= owner.replicas().getAsInt();
        return enough && living.stream().allMatch(pod -> siblings.contains(pod.uid()));
    }
}
