package dev.holdfast.policies.index.count;

import dev.holdfast.policies.index.change.FactChange;
import dev.holdfast.policies.index.change.VerdictListener;
import java.util.ArrayList;
import java.util.List;

/**
 * The verdict groups and spread constraints whose counts an event changed. Each is evaluated once, after the whole
 * event has been counted, so that listeners get no intermediate verdicts.
 */
public final class DirtyGroups {
    private final List<VerdictGroup> verdictGroups = new ArrayList<>();
    private final List<LiveSpread> spreads = new ArrayList<>();

    /** Marks a group, so that its verdict is evaluated again. */
    void doubt(VerdictGroup verdictGroup) {
        if (!verdictGroup.doubtful) {
            verdictGroup.doubtful = true;
            verdictGroups.add(verdictGroup);
        }
    }

    /** Marks a spread constraint, so that its global minimum is computed again. */
    void doubt(LiveSpread spread) {
        if (!spread.doubtful) {
            spread.doubtful = true;
            spreads.add(spread);
        }
    }

    public boolean isEmpty() {
        return verdictGroups.isEmpty() && spreads.isEmpty();
    }

    /** {@return the number of dirty groups} */
    int size() {
        return verdictGroups.size();
    }

    /** Evaluates everything that is dirty, and reports the groups whose verdict changed. */
    public void settle(VerdictListener listener, FactChange factChange) {
        for (LiveSpread spread : spreads) {
            spread.doubtful = false;
            spread.recount();
        }
        spreads.clear();
        for (VerdictGroup verdictGroup : verdictGroups) {
            verdictGroup.doubtful = false;
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
