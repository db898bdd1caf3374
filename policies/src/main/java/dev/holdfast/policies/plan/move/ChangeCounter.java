package dev.holdfast.policies.plan.move;

/**
 * Counts the changes of everything that the next process of the operator must know. So the engine knows when to write
 * it, without comparing it after each event. Owned by one thread.
 */
public final class ChangeCounter {
    private long changes;

    /** Records a change of something that must be remembered. */
    public void changed() {
        changes++;
    }

    /** {@return the number of changes so far} */
    public long changes() {
        return changes;
    }
}
