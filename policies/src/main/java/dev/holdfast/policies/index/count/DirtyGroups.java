package dev.holdfast.policies.index.count;

import dev.holdfast.policies.index.change.FactChange;
import dev.holdfast.policies.index.change.VerdictListener;
import java.util.ArrayList;
import java.util.List;

/** What an event has put in doubt: looked at once, when the whole event has been taken in, so that nothing flickers. */
public final class DirtyGroups {
    private final List<VerdictGroup> verdictGroups = new ArrayList<>();
    private final List<LiveSpread> spreads = new ArrayList<>();

    /** Has a group's verdict looked at again. */
    void doubt(VerdictGroup verdictGroup) {
        if (!verdictGroup.doubtful) {
            verdictGroup.doubtful = true;
            verdictGroups.add(verdictGroup);
        }
    }

    /** Has the least domain of a spread looked at again, and with it all its groups if it changed. */
    void doubt(LiveSpread spread) {
        if (!spread.doubtful) {
            spread.doubtful = true;
            spreads.add(spread);
        }
    }

    public boolean isEmpty() {
        return verdictGroups.isEmpty() && spreads.isEmpty();
    }

    /** {@return how many groups are in doubt} */
    int size() {
        return verdictGroups.size();
    }

    /** Looks at all of it, and tells of the groups that flipped. */
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
