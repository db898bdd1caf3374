package dev.holdfast.policies.plan.move;

import java.time.Duration;
import java.time.Instant;

/**
 * The slow start of moves: how many may be in flight in the whole cluster, by the outcomes of the last moves. It begins
 * with 2. Each move whose replacement is Ready and satisfies the rule allows one more. A move without a Ready
 * replacement lowers the number to 1. So if replacements cannot start anywhere, for example because a registry is
 * down, only few pods are lost. Owned by one thread.
 *
 * <p>Example: 2 moves are in flight, and both succeed: 4 are allowed. One of those 4 fails: 1 is allowed, so no further
 * move starts while the other 3 are in flight. If these 3 succeed, 4 are allowed again.
 */
public final class SlowStart {
    static final int AT_FIRST = 2;
    private static final int AFTER_A_FAILURE = 1;

    /**
     * How long the successes count after the last outcome of any move: then more than {@link #AT_FIRST} are not allowed
     * any more. Twice the default time that a replacement may take.
     */
    static final Duration REST = Duration.ofMinutes(20);

    private int allowed = AT_FIRST;
    private Instant lastOutcome = Instant.MIN;

    /** Records a move whose replacement is Ready and satisfies the rule. */
    public void succeeded(Instant now) {
        set(allowed(now) + 1, now);
    }

    /** Records a move without a Ready replacement, although one was expected. */
    public void failed(Instant now) {
        set(AFTER_A_FAILURE, now);
    }

    private void set(int next, Instant now) {
        allowed = next;
        lastOutcome = now;
    }

    /** {@return the maximum number of moves in flight in the cluster, at least 1; operator limits may allow fewer} */
    public int allowed(Instant now) {
        boolean rested = !now.isBefore(lastOutcome.plus(REST));
        return rested ? Math.min(allowed, AT_FIRST) : allowed;
    }
}
