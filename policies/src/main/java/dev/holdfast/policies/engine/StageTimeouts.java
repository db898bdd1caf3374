package dev.holdfast.policies.engine;

import dev.holdfast.policies.engine.memory.SyncedViews;
import dev.holdfast.policies.engine.protocol.View;
import dev.holdfast.policies.plan.move.Move;
import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.Optional;

/** How long each stage of a move may last. */
final class StageTimeouts {
    /**
     * How long a pod must be seen unchanged until a request without an answer did not evict it. The API server may act on it
     * for a minute, and a watch that was cut off looks alive for up to 140 s: 90 of silence, 45 to find out what the silence
     * means, and 5 until the next check.
     */
    private static final Duration UNSEEN_AT_MOST = Duration.ofMinutes(4);

    /** How long the shell may owe an answer: far longer than any request may take. */
    static final Duration ANSWER_OWED = Duration.ofMinutes(1);

    private final SyncedViews views;
    private final Duration replacementTimeout;

    StageTimeouts(SyncedViews views, Duration replacementTimeout) {
        this.views = views;
        this.replacementTimeout = replacementTimeout;
    }

    /** {@return whether the present stage of a move has lasted too long} */
    boolean isOver(Move move, Instant now) {
        return end(move).filter(end -> !now.isBefore(end)).isPresent();
    }

    /** {@return when the first stage of some moves has lasted too long} */
    Optional<Instant> firstEnd(Collection<Move> moves) {
        if (moves.isEmpty()) {
            return Optional.empty();
        }
        return moves.stream().map(this::end).flatMap(Optional::stream).min(Instant::compareTo);
    }

    /** {@return when the present stage of a move has lasted too long; empty while time alone says nothing} */
    private Optional<Instant> end(Move move) {
        return switch (move.stage()) {
            case Move.Stage.Confirming(Instant since) -> Optional.of(since.plus(ANSWER_OWED));
            case Move.Stage.Rehearsing(Instant since, var _) -> Optional.of(since.plus(ANSWER_OWED));
            case Move.Stage.Requested(Instant since, var _) -> Optional.of(since.plus(ANSWER_OWED));
            case Move.Stage.Unknown(Instant since, var _) -> untilSeen(since);
            case Move.Stage.Evicted(Instant at, var _) -> Optional.of(at.plus(replacementTimeout));
            case Move.Stage.Landed landed -> Optional.of(landed.evictedAt().plus(replacementTimeout));
        };
    }

    /** {@return from when on a pod that is still listed was not evicted; empty while a view is lost} */
    private Optional<Instant> untilSeen(Instant since) {
        return views.since(View.PODS)
                .map(synced -> synced.isAfter(since) ? synced : since)
                .map(from -> from.plus(UNSEEN_AT_MOST));
    }
}
