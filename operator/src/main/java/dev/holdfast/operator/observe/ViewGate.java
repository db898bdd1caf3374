package dev.holdfast.operator.observe;

import dev.holdfast.policies.engine.Event;
import dev.holdfast.policies.engine.View;
import java.time.Instant;
import java.util.Collection;
import java.util.Comparator;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Consumer;

/** One view of one or more kinds: synced once all of them are, lost as soon as one of them is. */
final class ViewGate {
    private final View view;
    private final Consumer<Event> sink;

    /** Why each kind is not in sync; a kind that is in sync is absent. */
    private final Map<Kind, String> missing = new TreeMap<>(Comparator.comparing(Kind::resource));

    /** What was told last; empty while the view is synced, and before anything was told. */
    private Optional<Event.ViewLost> told = Optional.empty();

    ViewGate(View view, Collection<Kind> kinds, Consumer<Event> sink) {
        this.view = view;
        this.sink = sink;
        kinds.forEach(kind -> missing.put(kind, ""));
    }

    /**
     * All objects of the kind have been delivered.
     *
     * @return whether that is news
     */
    synchronized boolean synced(Kind kind) {
        boolean news = missing.remove(kind) != null;
        if (news && missing.isEmpty()) {
            told = Optional.empty();
            sink.accept(new Event.ViewSynced(view));
        }
        return news;
    }

    /** Changes of the kind may be missed since it was last heard of. Told again only if that says something new. */
    synchronized void lost(Kind kind, String why, Instant lastHeard) {
        missing.put(kind, why);
        boolean known = told.filter(last -> last.why().equals(why) && !lastHeard.isBefore(last.lastHeard()))
                .isPresent();
        if (!known) {
            Event.ViewLost lost = new Event.ViewLost(view, why, lastHeard);
            told = Optional.of(lost);
            sink.accept(lost);
        }
    }
}
