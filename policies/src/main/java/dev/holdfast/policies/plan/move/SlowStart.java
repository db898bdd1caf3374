package dev.holdfast.policies.plan.move;

import java.time.Duration;
import java.time.Instant;

/**
 * The slow start of moves: how many may be in flight in the whole cluster, by the outcomes of the last moves. It begins
 * with 2. Each move whose replacement is Ready and satisfies the rule allows one more. A move without a Ready
 * replacement lowers the number to 1. So if replacements cannot start anywhere, for example because a registry is
 * down, only few pods are lost. Owned by one thread.
 *
 * <p>What a plan does not use is not kept, for whatever reason: after each plan, at most one move more than are in flight is allowed, or 2.
 * Otherwise successes of a busy day would let many moves begin at once on a quiet one.
 *
 * <p>Example: 2 moves are in flight, and both succeed: 4 are allowed. One of those 4 fails: 1 is allowed, so no further
 * move starts while the other 3 are in flight. If these 3 succeed, 4 are allowed again. If then only one pod is due,
 * 2 are allowed after the plan that moves it.
 */
public final class SlowStart {
    static final int AT_FIRST = 2;
    private static final int AFTER_A_FAILURE = 1;

    /**
     * How long the successes count after the last one: then more than {@link #AT_FIRST} are not allowed any more. Twice
     * the default time that a replacement may take.
     */
    static final Duration REST = Duration.ofMinutes(20);

    private int allowed = AT_FIRST;
    private Instant lastSuccess = Instant.EPOCH;

    /** Records a move whose replacement is Ready and satisfies the rule. */
    public void succeeded(Instant now) {
        allowed = allowed(now) + 1;
        lastSuccess = now;
    }

    /** Records a replacement that is Ready too late: two moves may be in flight again, however many are late together. */
    public void rescued() {
        allowed = Math.max(allowed, AT_FIRST);
    }

    /** Records a move without a Ready replacement, although one was expected. */
    public void failed() {
        allowed = AFTER_A_FAILURE;
    }

    /**
     * Forgets what a plan had no use for. Must be called after each plan, and a plan must follow each outcome.
     *
     * @param inFlight the number of moves in flight in the cluster, with those of the plan
     */
    public void endPlan(int inFlight) {
        allowed = Math.min(allowed, Math.max(AT_FIRST, inFlight + 1));
    }

    /** {@return the maximum number of moves in flight in the cluster, at least 1; operator limits may allow fewer} */
    public int allowed(Instant now) {
        boolean rested = !now.isBefore(lastSuccess.plus(REST));
        return rested ? Math.min(allowed, AT_FIRST) : allowed;
    }
}
