package dev.holdfast.policies.plan.move;

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

    private int allowed = AT_FIRST;

    /** Records a move whose replacement is Ready and satisfies the rule. */
    public void succeeded() {
        allowed++;
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
    public int allowed() {
        return allowed;
    }
}
