package dev.holdfast.policies.engine.eviction;

import dev.holdfast.policies.engine.live.LiveCluster;
import dev.holdfast.policies.engine.protocol.View;
import dev.holdfast.policies.engine.state.ReadyReplacements;
import dev.holdfast.policies.engine.state.SyncedViews;
import dev.holdfast.policies.plan.move.Move;
import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/**
 * The timeouts of a move: how long it may stay in each {@link Move.Stage}. A move ends earlier if the API server
 * refuses its replacement. A controller tries again within seconds, so a short refusal ends no move. Owned by one
 * thread.
 *
 * <p>Example: a webhook refuses the replacement at 0 s and accepts it at 3 s. The move goes on. If the webhook still
 * refuses the replacement at 10 s, the move has timed out.
 */
public final class StageTimeouts {
    /**
     * How long Holdfast waits to see a pod deleted after an eviction request that got no answer. If the pod still
     * exists then, it was not evicted. The time covers two delays. The API server may carry out the request up to a
     * minute late. A broken watch may look alive for 140 s: 90 s without events, 45 s to find the reason, and 5 s until
     * the next check.
     */
    private static final Duration UNSEEN_AT_MOST = Duration.ofMinutes(4);

    /**
     * How long the engine waits for the answer to a write of the ledger, a read, a dry run or an eviction request: far
     * longer than any of them may take.
     */
    static final Duration ANSWER_OWED = Duration.ofMinutes(1);

    /**
     * How long after a gap in observation a replacement may still be reported that became Ready during the gap. The
     * lists of all views have been delivered by then, but not the events that follow.
     */
    private static final Duration AFTER_A_GAP = Duration.ofSeconds(10);

    /**
     * How long the API server may refuse a replacement before the move fails. A ReplicaSet controller has tried about
     * ten times by then.
     */
    private static final Duration REFUSED_AT_MOST = Duration.ofSeconds(10);

    /**
     * How long a ResourceQuota may refuse a replacement before the move fails. The victim frees its share only once it
     * is gone, and the controller waits longer after each refusal.
     */
    private static final Duration REFUSED_BY_QUOTA_AT_MOST = Duration.ofMinutes(1);

    /** The refusals by id of the move, kept only while its replacement is refused. */
    private final Map<String, Refusal> refusals = new HashMap<>();

    /**
     * A refusal of a replacement.
     *
     * @param synced since when the views had been watched: if the instant has changed, the replacement may exist unseen
     */
    private record Refusal(Instant end, Instant synced) {}

    private final LiveCluster cluster;
    private final SyncedViews views;
    private final ReadyReplacements readyReplacements;
    private final Duration replacementTimeout;

    public StageTimeouts(
            LiveCluster cluster, SyncedViews views, ReadyReplacements readyReplacements, Duration replacementTimeout) {
        this.cluster = cluster;
        this.views = views;
        this.readyReplacements = readyReplacements;
        this.replacementTimeout = replacementTimeout;
    }

    /** {@return whether a controller says that a ResourceQuota refuses its new pods} */
    static boolean isByQuota(String replicaFailure) {
        return replicaFailure.contains("exceeded quota");
    }

    /** Notes that the API server refuses the replacement of a move, and what the controller says about it. */
    void refused(Move move, String replicaFailure, Instant now) {
        Duration most = isByQuota(replicaFailure) ? REFUSED_BY_QUOTA_AT_MOST : REFUSED_AT_MOST;
        views.since(View.PODS)
                .ifPresent(synced -> refusals.merge(
                        move.id(),
                        new Refusal(now.plus(most), synced),
                        (before, fresh) -> before.synced().equals(synced) ? before : fresh));
    }

    /** Notes that no replacement of a move is refused, or that the move has ended. */
    void notRefused(Move move) {
        if (!refusals.isEmpty()) {
            refusals.remove(move.id());
        }
    }

    /** {@return whether the present stage of a move has timed out} */
    boolean isOver(Move move, Instant now) {
        return end(move).filter(end -> !now.isBefore(end)).isPresent();
    }

    /** {@return when the first of these moves times out in its present stage; empty if none can time out now} */
    Optional<Instant> firstEnd(Collection<Move> moves) {
        if (moves.isEmpty()) {
            return Optional.empty();
        }
        return moves.stream().map(this::end).flatMap(Optional::stream).min(Instant::compareTo);
    }

    /**
     * {@return when a move times out in its present stage} Empty after the eviction request while any view is not
     * synced: the deletion of the pod, or its replacement, may be missed then. A replacement that is Ready at the end
     * of its time does not time out before it has been Ready long enough.
     */
    private Optional<Instant> end(Move move) {
        return switch (move.stage()) {
            case Move.Stage.Recording(Instant since, var _) -> Optional.of(since.plus(ANSWER_OWED));
            case Move.Stage.Confirming(Instant since) -> Optional.of(since.plus(ANSWER_OWED));
            case Move.Stage.DryRunning(Instant since, var _) -> Optional.of(since.plus(ANSWER_OWED));
            case Move.Stage.Requested(Instant since, var _) -> Optional.of(since.plus(ANSWER_OWED));
            case Move.Stage.Unknown(Instant since, var _) -> untilSeen(since);
            case Move.Stage.Evicted(Instant at, var _) ->
                whileWatching(later(at, gone(move)).plus(replacementTimeout))
                        .map(end -> refusedUntil(move).filter(end::isAfter).orElse(end));
            case Move.Stage.Landed landed ->
                whileWatching(landed.evictedAt().plus(replacementTimeout))
                        .map(end -> later(end, readyReplacements.steadyAt(landed.replacementUid())));
        };
    }

    /**
     * {@return when Holdfast concludes that an unanswered eviction request did not evict the pod, if the pod still
     * exists then; empty while any view is not synced}
     *
     * @param since when the outcome of the eviction request became unknown
     */
    private Optional<Instant> untilSeen(Instant since) {
        return views.since(View.PODS)
                .map(synced -> synced.isAfter(since) ? synced : since)
                .map(from -> from.plus(UNSEEN_AT_MOST));
    }

    /**
     * {@return until when a StatefulSet makes no replacement, because the victim may still be terminating: its deletion
     * time, which includes the grace period; the distant past if another kind of controller replaces the victim}
     */
    private Instant gone(Move move) {
        return cluster.pod(move.victim().uid())
                .filter(pod -> pod.victimProtection()
                        .controller()
                        .filter(controller -> controller.kind().equals("StatefulSet"))
                        .isPresent())
                .flatMap(pod -> pod.life().deletionTime())
                .orElse(Instant.MIN);
    }

    private Optional<Instant> refusedUntil(Move move) {
        return Optional.ofNullable(refusals.get(move.id()))
                .filter(refusal ->
                        views.since(View.PODS).filter(refusal.synced()::equals).isPresent())
                .map(Refusal::end);
    }

    /**
     * {@return the later of an instant and a short time after all views have synced; empty while any view is not
     * synced}
     */
    private Optional<Instant> whileWatching(Instant end) {
        return views.since(View.PODS).map(synced -> later(end, synced.plus(AFTER_A_GAP)));
    }

    private static Instant later(Instant one, Instant other) {
        return one.isAfter(other) ? one : other;
    }
}
