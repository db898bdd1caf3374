package dev.holdfast.policies.index.count;

import dev.holdfast.policies.index.change.FactChange;
import dev.holdfast.policies.index.change.VerdictListener;
import java.util.ArrayList;
import java.util.List;

/**
 * The verdict groups (pods that share their verdict on a rule) and spread constraints that an event made dirty: the
 * counts that they depend on changed. Each is evaluated once, after the whole event has been counted, so that listeners
 * get no intermediate verdicts.
 */
public final class DirtyGroups {
    private final List<VerdictGroup> verdictGroups = new ArrayList<>();
    private final List<LiveSpread> spreads = new ArrayList<>();

    /** Marks a verdict group as dirty, so that {@link #settle} evaluates its verdict again. */
    void markDirty(VerdictGroup verdictGroup) {
        if (!verdictGroup.dirty) {
            verdictGroup.dirty = true;
            verdictGroups.add(verdictGroup);
        }
    }

    /** Marks a spread constraint as dirty, so that {@link #settle} computes its global minimum again. */
    void markDirty(LiveSpread spread) {
        if (!spread.dirty) {
            spread.dirty = true;
            spreads.add(spread);
        }
    }

    public boolean isEmpty() {
        return verdictGroups.isEmpty() && spreads.isEmpty();
    }

    /** {@return the number of dirty verdict groups; dirty spread constraints are not included} */
    int size() {
        return verdictGroups.size();
    }

    /**
     * Evaluates all dirty spread constraints, then all dirty verdict groups, and reports the groups whose verdict
     * changed. Afterwards nothing is dirty.
     *
     * @param factChange the change that made the groups dirty, passed on to the listener
     */
    public void settle(VerdictListener listener, FactChange factChange) {
        for (LiveSpread spread : spreads) {
            spread.dirty = false;
            spread.recount();
        }
        spreads.clear();
        for (VerdictGroup verdictGroup : verdictGroups) {
            verdictGroup.dirty = false;
            settle(verdictGroup, listener, factChange);
        }
        verdictGroups.clear();
    }

    private static void settle(VerdictGroup verdictGroup, VerdictListener listener, FactChange factChange) {
        boolean was = verdictGroup.broken;
        verdictGroup.broken = verdictGroup.isBroken();
        if (was == verdictGroup.broken || verdictGroup.size() == 0) {
            return;
        }
        if (verdictGroup.broken) {
            listener.broken(verdictGroup, factChange);
        } else {
            listener.mended(verdictGroup, VerdictListener.Ending.SATISFIED, factChange);
        }
    }
}
