package dev.holdfast.policies.plan.move;

/**
 * Counts the changes of everything that the next process of the operator must know. So the engine knows when to write
 * the ledger, without a comparison after each event. Owned by one thread.
 */
public final class ChangeCounter {
    private long changes;
    private long ofNodes;

    /** Records a change of something that the ledger stores. */
    public void changed() {
        changes++;
    }

    /** Records a change of a node, which may wait for longer until it is written. */
    public void nodeChanged() {
        ofNodes++;
    }

    /** {@return the number of changes of nodes so far} */
    public long ofNodes() {
        return ofNodes;
    }

    /** {@return the number of changes so far, without those of nodes} */
    public long changes() {
        return changes;
    }
}
