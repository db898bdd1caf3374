package dev.holdfast.operator.feed;

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
 * One view of one or more kinds: synced once all of them are, lost as soon as one of them is. While several are, the view
 * says what the one says that has been silent longest, lest each that fails again for a reason of its own be news.
 */
final class ViewGate {
    private static final Comparator<WatchedKind> ORDER = Comparator.comparing(WatchedKind::resource);

    private final View view;
    private final Consumer<Event> sink;

    /** The kinds that are not in sync. */
    private final Set<WatchedKind> missing = new TreeSet<>(ORDER);

    /** What is to be told of each of those that were lost. */
    private final Map<WatchedKind, Event.ViewLost> losses = new TreeMap<>(ORDER);

    /** What was told last; empty while the view is synced, and before anything was told. */
    private Optional<Event.ViewLost> told = Optional.empty();

    ViewGate(View view, Collection<WatchedKind> watchedKinds, Consumer<Event> sink) {
        this.view = view;
        this.sink = sink;
        missing.addAll(watchedKinds);
    }

    /**
     * All objects of the kind have been delivered.
     *
     * @return whether that is news
     */
    synchronized boolean synced(WatchedKind watchedKind) {
        losses.remove(watchedKind);
        boolean news = missing.remove(watchedKind);
        if (news && missing.isEmpty()) {
            told = Optional.empty();
            sink.accept(new Event.ViewSynced(view));
        } else {
            tell();
        }
        return news;
    }

    /**
     * Changes of the kind may be missed since it was last heard of. Told again only if that says something new.
     *
     * @return whether the reason is news
     */
    synchronized boolean lost(WatchedKind watchedKind, String why, Instant lastHeard) {
        missing.add(watchedKind);
        Event.ViewLost loss = new Event.ViewLost(view, why, lastHeard);
        Optional<Event.ViewLost> before = Optional.ofNullable(losses.get(watchedKind));
        losses.put(
                watchedKind, before.filter(last -> saysNothingNew(last, loss)).orElse(loss));
        tell();
        return before.filter(last -> last.why().equals(why)).isEmpty();
    }

    private void tell() {
        losses.values().stream()
                .min(Comparator.comparing(Event.ViewLost::lastHeard))
                .filter(longest -> !Optional.of(longest).equals(told))
                .ifPresent(longest -> {
                    told = Optional.of(longest);
                    sink.accept(longest);
                });
    }

    private static boolean saysNothingNew(Event.ViewLost last, Event.ViewLost next) {
        return next.why().equals(last.why()) && !next.lastHeard().isBefore(last.lastHeard());
    }
}
