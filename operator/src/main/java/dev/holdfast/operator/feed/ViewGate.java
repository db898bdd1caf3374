package dev.holdfast.operator.feed;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import dev.holdfast.policies.engine.protocol.Event;
import dev.holdfast.policies.engine.protocol.View;
import java.time.Instant;
import java.util.Collection;
import java.util.Comparator;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Consumer;

/**
 * The state of a view that covers one or more kinds. The view is synced while all its kinds are synced, and lost while
 * one of them is lost. If several kinds are lost, only the one with the oldest data is reported. So while that kind
 * stays lost, another kind that is lost and synced again and again causes no new events.
 */
final class ViewGate {
    private static final Comparator<WatchedKind> ORDER = Comparator.comparing(WatchedKind::resource);

    private final View view;
    private final Consumer<Event> sink;

    /** The kinds of this view that are not synced: lost, or not listed yet. */
    @GuardedBy("this")
    private final Set<WatchedKind> missing = new TreeSet<>(ORDER);

    /** For each lost kind, the {@code ViewLost} event with the reason. Only one of these events is reported. */
    @GuardedBy("this")
    private final Map<WatchedKind, Event.ViewLost> losses = new TreeMap<>(ORDER);

    /**
     * The {@code ViewLost} event that was reported last; empty while the view is synced and before the first report.
     */
    @GuardedBy("this")
    private Optional<Event.ViewLost> reported = Optional.empty();

    ViewGate(View view, Collection<WatchedKind> watchedKinds, Consumer<Event> sink) {
        this.view = view;
        this.sink = sink;
        missing.addAll(watchedKinds);
    }

    /**
     * Records that all objects of the kind have been delivered. Sends {@code ViewSynced} if this was the last kind of
     * the view that was not synced.
     *
     * @return whether the kind was not synced before
     */
    synchronized boolean synced(WatchedKind watchedKind) {
        losses.remove(watchedKind);
        boolean wasMissing = missing.remove(watchedKind);
        if (wasMissing && missing.isEmpty()) {
            reported = Optional.empty();
            sink.accept(new Event.ViewSynced(view));
        } else {
            announce();
        }
        return wasMissing;
    }

    /**
     * Records that the kind may miss changes. Then sends the {@code ViewLost} event of the lost kind with the oldest
     * data, unless that event is also the last one sent.
     *
     * @param lastHeard when the kind was last known to be current
     * @return whether the reason differs from the one last recorded for this kind
     */
    synchronized boolean lost(WatchedKind watchedKind, String why, Instant lastHeard) {
        missing.add(watchedKind);
        Event.ViewLost loss = new Event.ViewLost(view, why, lastHeard);
        Optional<Event.ViewLost> before = Optional.ofNullable(losses.get(watchedKind));
        losses.put(
                watchedKind, before.filter(last -> saysNothingNew(last, loss)).orElse(loss));
        announce();
        return before.filter(last -> last.why().equals(why)).isEmpty();
    }

    @GuardedBy("this")
    private void announce() {
        losses.values().stream()
                .min(Comparator.comparing(Event.ViewLost::lastHeard))
                .filter(longest -> !Optional.of(longest).equals(reported))
                .ifPresent(longest -> {
                    reported = Optional.of(longest);
                    sink.accept(longest);
                });
    }

    private static boolean saysNothingNew(Event.ViewLost last, Event.ViewLost next) {
        return next.why().equals(last.why()) && !next.lastHeard().isBefore(last.lastHeard());
    }
}
