package dev.holdfast.policies.index.count;

import dev.holdfast.policies.index.change.Change;
import dev.holdfast.policies.index.change.VerdictListener;
import java.util.ArrayList;
import java.util.List;

/** What an event has put in doubt: looked at once, when the whole event has been taken in, so that nothing flickers. */
public final class Docket {
    private final List<Group> groups = new ArrayList<>();
    private final List<LiveSpread> spreads = new ArrayList<>();

    /** Has a group's verdict looked at again. */
    void doubt(Group group) {
        if (!group.doubtful) {
            group.doubtful = true;
            groups.add(group);
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
        return groups.isEmpty() && spreads.isEmpty();
    }

    /** {@return how many groups are in doubt} */
    int size() {
        return groups.size();
    }

    /** Looks at all of it, and tells of the groups that flipped. */
    public void settle(VerdictListener listener, Change change) {
        for (LiveSpread spread : spreads) {
            spread.doubtful = false;
            spread.recount();
        }
        spreads.clear();
        for (Group group : groups) {
            group.doubtful = false;
            settle(group, listener, change);
        }
        groups.clear();
    }

    private static void settle(Group group, VerdictListener listener, Change change) {
        boolean was = group.broken;
        group.broken = group.isBroken();
        if (was == group.broken || group.size() == 0) {
            return;
        }
        if (group.broken) {
            listener.broken(group, change);
        } else {
            listener.mended(group, VerdictListener.Ending.SATISFIED, change);
        }
    }
}
