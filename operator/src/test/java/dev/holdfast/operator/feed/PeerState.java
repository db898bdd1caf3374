package dev.holdfast.operator.feed;

import dev.holdfast.policies.model.Cluster;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Consumer;

/** What an API server keeps: objects under versions that grow, and of each kind the latest changes. */
final class PeerState {
    static final List<Kind> KINDS = List.of(Kind.NAMESPACES, Kind.NODES, Kind.PODS);

    private final InstantSource clock;
    private final int memory;
    private final Consumer<Change> onChange;
    private final Map<Kind, NavigableMap<String, PeerObject>> objects = new HashMap<>();
    private final Map<Kind, Deque<Change>> latest = new HashMap<>();
    private final Map<Kind, Long> oldest = new HashMap<>();
    private final Cluster truth = new Cluster();
    private long version = 1_000;

    /** One change of an object. */
    record Change(String type, PeerObject object, Instant at) {
        long version() {
            return object.version();
        }
    }

    /** All there was at a version. */
    record Backup(long version, Map<Kind, NavigableMap<String, PeerObject>> objects) {}

    /**
     * @param memory how many changes of a kind are remembered
     * @param onChange told of each change
     */
    PeerState(InstantSource clock, int memory, Consumer<Change> onChange) {
        this.clock = clock;
        this.memory = memory;
        this.onChange = onChange;
        for (Kind kind : KINDS) {
            objects.put(kind, new TreeMap<>());
            latest.put(kind, new ArrayDeque<>());
            oldest.put(kind, version);
        }
    }

    /** {@return the same as facts} */
    Cluster truth() {
        return truth;
    }

    long version() {
        return version;
    }

    Collection<PeerObject> all(Kind kind) {
        return of(kind).values();
    }

    private NavigableMap<String, PeerObject> of(Kind kind) {
        return objects.getOrDefault(kind, new TreeMap<>());
    }

    /** Writes an object. */
    void put(PeerObject.Draft draft) {
        PeerObject object = draft.at(++version);
        PeerObject before = of(object.kind()).put(object.key(), object);
        if (before != null && !before.id().equals(object.id())) {
            throw new IllegalArgumentException(object.key() + " stands for another object");
        }
        changed(new Change(before == null ? "ADDED" : "MODIFIED", object, clock.instant()));
    }

    /** Deletes the object, if it is there. */
    void remove(Kind kind, String key) {
        Optional.ofNullable(of(kind).remove(key))
                .ifPresent(gone -> changed(new Change("DELETED", gone.goneAt(++version), clock.instant())));
    }

    private void changed(Change change) {
        truth.apply(change.object().fact());
        Deque<Change> changes = latest(change.object().kind());
        changes.addLast(change);
        while (changes.size() > memory) {
            oldest.put(change.object().kind(), changes.removeFirst().version());
        }
        onChange.accept(change);
    }

    private Deque<Change> latest(Kind kind) {
        return latest.getOrDefault(kind, new ArrayDeque<>());
    }

    /** {@return the changes after a version; empty when they are forgotten} */
    Optional<List<Change>> since(Kind kind, long from) {
        if (from < oldest.getOrDefault(kind, 0L)) {
            return Optional.empty();
        }
        return Optional.of(
                latest(kind).stream().filter(it -> it.version() > from).toList());
    }

    /** {@return whether a kind has changed since the API server began} */
    boolean hasChanged(Kind kind) {
        return !latest(kind).isEmpty();
    }

    /** Forgets all changes up to now, as after a restart. */
    void forget() {
        for (Kind kind : KINDS) {
            latest(kind).clear();
            oldest.put(kind, version);
        }
    }

    Backup backup() {
        Map<Kind, NavigableMap<String, PeerObject>> copy = new HashMap<>();
        objects.forEach((kind, all) -> copy.put(kind, new TreeMap<>(all)));
        return new Backup(version, copy);
    }

    /** All is again as it was then, the version too. */
    void restore(Backup backup) {
        for (Kind kind : KINDS) {
            new ArrayList<>(all(kind)).forEach(gone -> truth.apply(kind.gone().apply(gone.id())));
            objects.put(kind, new TreeMap<>(backup.objects().getOrDefault(kind, new TreeMap<>())));
            all(kind).forEach(object -> truth.apply(object.fact()));
        }
        version = backup.version();
        forget();
    }
}
