package dev.holdfast.policies.engine.state;

import dev.holdfast.policies.engine.protocol.View;
import dev.holdfast.policies.engine.protocol.ViewStatus;
import java.time.Instant;
import java.util.EnumMap;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/** Records which of the {@link View}s are synced, and since when. */
public final class SyncedViews {
    private static final View[] ALL = View.values();

    private final Map<View, Instant> since = new EnumMap<>(View.class);
    private final Map<View, String> lost = new EnumMap<>(View.class);

    /**
     * The instant since which changes that begin or end violations may have been missed; absent if none was missed.
     * Missed changes of disruption budgets and pauses do not count.
     */
    private Optional<Instant> gap = Optional.empty();

    /** Records that a view is complete, and that events for its changes follow. */
    public void synced(View view, Instant now) {
        since.putIfAbsent(view, now);
        lost.remove(view);
    }

    /** Records that changes of a view since the instant {@code lastHeard} may be missing. */
    public void lost(View view, String why, Instant lastHeard) {
        since.remove(view);
        lost.put(view, why);
        if (view.affectsViolations()) {
            gap = gap.filter(lastHeard::isAfter).or(() -> Optional.of(lastHeard));
        }
    }

    /** {@return whether all views are synced} */
    public boolean all() {
        return since.size() == ALL.length;
    }

    /** {@return since when this view has been synced; empty while this or any other view is not synced} */
    public Optional<Instant> since(View view) {
        return Optional.ofNullable(since.get(view)).filter(_ -> all());
    }

    /**
     * Returns when a gap began in which violations may have begun or ended unseen, and forgets the gap. Empty if there
     * was no gap, or if it has not ended yet.
     */
    public Optional<Instant> endedGap() {
        for (View view : ALL) {
            if (view.affectsViolations() && !since.containsKey(view)) {
                return Optional.empty();
            }
        }
        Optional<Instant> ended = gap;
        gap = Optional.empty();
        return ended;
    }

    /** {@return the name of the first view that is not synced, and why, as text; empty text if all are synced} */
    String firstMissing() {
        for (View view : ALL) {
            if (!since.containsKey(view)) {
                return "view " + view.name().toLowerCase(Locale.ROOT) + ": "
                        + whyMissing(view)
                        + (view == View.PAUSES ? "; a pause that cannot be read may apply to everything" : "");
            }
        }
        return "";
    }

    /** {@return a copy of the status of each view} */
    public Map<View, ViewStatus> statuses() {
        Map<View, ViewStatus> statuses = new EnumMap<>(View.class);
        for (View view : ALL) {
            statuses.put(
                    view, since.containsKey(view) ? new ViewStatus.Synced() : new ViewStatus.Missing(whyMissing(view)));
        }
        return statuses;
    }

    private String whyMissing(View view) {
        return lost.getOrDefault(view, "not synced yet");
    }
}
