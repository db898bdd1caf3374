package dev.holdfast.policies.engine.state;

import dev.holdfast.policies.engine.breaker.MissingReplacement;
import dev.holdfast.policies.engine.live.LiveCluster;
import dev.holdfast.policies.engine.report.ViolationReport;
import dev.holdfast.policies.forgive.ViolationKey;
import dev.holdfast.policies.plan.move.ChangeCounter;
import dev.holdfast.policies.plan.move.Move;
import dev.holdfast.policies.plan.move.MoveHistory;
import dev.holdfast.policies.plan.move.Moves;
import dev.holdfast.policies.plan.move.Tenancy;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.Collection;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Predicate;

/** The moves in flight, with the violation that led to each, and the last evictions of each policy. */
public final class MovesInFlight implements ViolationMemory {
    /** The maximum number of awaited replacements, besides those that the outcome breaker counts. */
    private static final int MOST_AWAITED = 100;

    private static final Duration AWAITED_FOR = Duration.ofDays(1);

    private final LiveCluster cluster;
    private final Decisions decisions;
    private final PlanSchedule schedule;
    private final ChangeCounter changes;
    private final Moves moves;
    private final EvictionHistory evictionHistory = new EvictionHistory();

    /** The last moves that ended without a Ready replacement, and whose replacement may still become Ready. */
    private final Deque<MissingReplacement> awaited = new ArrayDeque<>();

    /**
     * The knowledge about each move when it began or, later, when its dry run or eviction was requested; by plan ID.
     */
    private final Map<String, RequestedState> requestedState = new HashMap<>();

    /**
     * What was known about a move when it began or, later, when its dry run or eviction was requested.
     *
     * @param violation the violation for which the pod is evicted
     * @param ownerKnown whether the victim's controller is of a watched kind, so that its deletion would be seen
     * @param begun when this was known
     */
    private record RequestedState(ViolationReport violation, boolean ownerKnown, Instant begun) {}

    /** @param changes counts the changes of everything that the ledger stores */
    public MovesInFlight(
            LiveCluster cluster, Decisions decisions, PlanSchedule schedule, ChangeCounter changes, Tenancy tenancy) {
        this.cluster = cluster;
        this.decisions = decisions;
        this.schedule = schedule;
        this.changes = changes;
        this.moves = new Moves(changes, tenancy);
    }

    /** {@return the moves in flight and the recent evictions, which the planner counts against limits} */
    public Moves moves() {
        return moves;
    }

    /**
     * {@return a copy of {@link #moves()} without this move, so that it does not count against itself when it is
     * checked again}
     */
    public Moves without(Move move) {
        Moves others = moves.copy();
        others.remove(move.id());
        return others;
    }

    /** {@return the outcomes of past moves} */
    public MoveHistory history() {
        return moves.history();
    }

    /** {@return the last evictions of each policy} */
    public EvictionHistory evictionHistory() {
        return evictionHistory;
    }

    public Collection<Move> all() {
        return moves.inFlight();
    }

    public Optional<Move> find(String planId) {
        return moves.find(planId);
    }

    /**
     * {@return the move in flight that may heal this violation: one that evicts the rule owner, even for another rule,
     * or one that evicts a partner for this violation; empty if there is none}
     */
    public Optional<Move> of(ViolationKey key) {
        return moves.inFlight().stream()
                .filter(move ->
                        move.victim().uid().equals(key.podUid()) || move.key().equals(key))
                .findFirst();
    }

    /** {@return whether the real eviction of the pod has been requested, not only a dry run} */
    public boolean isEvicting(String podUid) {
        for (Move move : moves.inFlight()) {
            if (move.victim().uid().equals(podUid) && move.requested()) {
                return true;
            }
        }
        return false;
    }

    /** Records a new move, or the new stage of a known one. */
    public void put(Move move) {
        moves.put(move);
    }

    /** Records the new stage of a move, and schedules a new plan. */
    public void advance(Move move) {
        moves.put(move);
        schedule.invalidate();
    }

    /** Counts the eviction of a move against the hourly limits. */
    public void spend(Move move, Instant now) {
        moves.spend(move, now);
    }

    /** Records the violation for which a move begins, or for which its dry run or eviction is requested now. */
    public void recordCause(Move move, ViolationReport report, Instant now) {
        boolean ownerKnown = move.victim()
                .victimProtection()
                .controller()
                .flatMap(controller -> cluster.owner(move.victim().namespace(), controller.uid()))
                .isPresent();
        requestedState.put(move.id(), new RequestedState(report, ownerKnown, now));
    }

    /** {@return the violation for which the eviction of the move was requested} */
    public ViolationReport leadingTo(Move move) {
        return behind(move).violation();
    }

    /**
     * {@return whether the operator knew the victim's controller when the eviction was requested} If a known controller
     * is missing now, it was deleted. A controller of a kind that the operator does not watch is never known.
     */
    public boolean knewOwner(Move move) {
        return behind(move).ownerKnown();
    }

    /** {@return an instant shortly before the eviction of the move was requested, or when the move began} */
    public Instant begun(Move move) {
        return behind(move).begun();
    }

    private RequestedState behind(Move move) {
        return Objects.requireNonNull(requestedState.get(move.id()), "the move did not begin");
    }

    /** {@return the moves that ended without a Ready replacement, and whose replacement may still become Ready} */
    public List<MissingReplacement> awaited() {
        return List.copyOf(awaited);
    }

    /**
     * Records a move that ended without a Ready replacement. Only the last ones are kept, and those that still matter:
     * a breaker that cannot see a late replacement could not close by itself.
     *
     * @param counts whether a missing replacement still matters however many follow; a breaker keeps few of them
     */
    public void await(MissingReplacement missing, Predicate<MissingReplacement> counts) {
        awaited.addLast(missing);
        changes.changed();
        if (awaited.size() > MOST_AWAITED) {
            awaited.stream().filter(counts.negate()).findFirst().ifPresent(awaited::remove);
        }
    }

    /** Forgets a move whose replacement became Ready or is not wanted any more, and schedules a new plan. */
    public void awaitNoMore(MissingReplacement missing) {
        awaited.remove(missing);
        changes.changed();
        schedule.invalidate();
    }

    /**
     * Forgets entries that are too old to matter: missing replacements, rounds of moves and slowing failures.
     *
     * @param counts whether a missing replacement still matters at any age
     * @param held whether a breaker for failed moves holds a namespace
     */
    public void forgetOld(Predicate<MissingReplacement> counts, Predicate<String> held, Instant now) {
        awaited.removeIf(missing -> missing.at().isBefore(now.minus(AWAITED_FOR)) && !counts.test(missing));
        moves.history().forgetRounds(this::mayMove, now);
        moves.slowStart().forgetOld(held, now);
    }

    /** {@return whether a pod may be moved again, or is the victim of a move whose replacement may still come} */
    private boolean mayMove(String podUid) {
        return cluster.pod(podUid).isPresent()
                || moves.isVictim(podUid)
                || awaited.stream().anyMatch(missing -> missing.move().concerns(podUid));
    }

    /**
     * A move in flight that an earlier process began.
     *
     * @param leadingTo the violation for which the pod is evicted
     * @param ownerKnown whether the victim's controller was known when the move began
     * @param begun an instant shortly before the eviction was requested
     */
    public record Recalled(Move move, ViolationReport leadingTo, boolean ownerKnown, Instant begun) {}

    /**
     * Replaces all known moves by those that an earlier process stored. A move that is not stored was not made.
     *
     * @param missing the moves that ended without a Ready replacement, oldest first
     */
    public void recall(Moves.Remembered limits, List<Recalled> inFlight, List<MissingReplacement> missing) {
        List.copyOf(moves.inFlight()).forEach(this::drop);
        moves.recall(limits);
        for (Recalled one : inFlight) {
            moves.put(one.move());
            requestedState.put(one.move().id(), new RequestedState(one.leadingTo(), one.ownerKnown(), one.begun()));
        }
        awaited.clear();
        awaited.addAll(missing);
        schedule.invalidate();
    }

    /** Schedules a new plan, because holds of futile moves may have ended. */
    public void reconsider() {
        schedule.invalidate();
    }

    /** Removes a move that has ended or was given up, and schedules a new plan. */
    public void drop(Move move) {
        moves.remove(move.id());
        requestedState.remove(move.id());
        decisions.takeBack(move);
        schedule.invalidate();
    }

    @Override
    public int size() {
        return moves.inFlight().size()
                + requestedState.size()
                + moves.history().size()
                + moves.slowStart().size()
                + awaited.size();
    }
}
