package dev.holdfast.operator.feed;

import dev.holdfast.policies.model.ReferenceCluster;
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

/** The storage of a {@link FakeApiServer}: objects with growing versions, and the latest changes of each kind. */
final class FakeServerState {
    static final List<WatchedKind> KINDS = List.of(WatchedKind.NAMESPACES, WatchedKind.NODES, WatchedKind.PODS);

    private final InstantSource clock;
    private final int memory;
    private final Consumer<Change> onChange;
    private final Map<WatchedKind, NavigableMap<String, FakeObject>> objects = new HashMap<>();
    private final Map<WatchedKind, Deque<Change>> latest = new HashMap<>();
    private final Map<WatchedKind, Long> oldest = new HashMap<>();
    private final ReferenceCluster truth = new ReferenceCluster();
    private long version = 1_000;

    /** One change of an object. */
    record Change(String type, FakeObject object, Instant at) {
        long version() {
            return object.version();
        }
    }

    /** All objects at a version. */
    record Backup(long version, Map<WatchedKind, NavigableMap<String, FakeObject>> objects) {}

    /**
     * @param memory the number of changes that are kept for each kind
     * @param onChange called with each change
     */
    FakeServerState(InstantSource clock, int memory, Consumer<Change> onChange) {
        this.clock = clock;
        this.memory = memory;
        this.onChange = onChange;
        for (WatchedKind watchedKind : KINDS) {
            objects.put(watchedKind, new TreeMap<>());
            latest.put(watchedKind, new ArrayDeque<>());
            oldest.put(watchedKind, version);
        }
    }

    /** {@return the present objects, as the real state of the cluster} */
    ReferenceCluster truth() {
        return truth;
    }

    long version() {
        return version;
    }

    Collection<FakeObject> all(WatchedKind watchedKind) {
        return of(watchedKind).values();
    }

    private NavigableMap<String, FakeObject> of(WatchedKind watchedKind) {
        return objects.getOrDefault(watchedKind, new TreeMap<>());
    }

    /** Writes an object. */
    void put(FakeObject.Draft draft) {
        FakeObject object = draft.at(++version);
        FakeObject before = of(object.watchedKind()).put(object.key(), object);
        if (before != null && !before.id().equals(object.id())) {
            throw new IllegalArgumentException(object.key() + " already names another object");
        }
        changed(new Change(before == null ? "ADDED" : "MODIFIED", object, clock.instant()));
    }

    /** Deletes the object if it exists. */
    void remove(WatchedKind watchedKind, String key) {
        Optional.ofNullable(of(watchedKind).remove(key))
                .ifPresent(gone -> changed(new Change("DELETED", gone.goneAt(++version), clock.instant())));
    }

    private void changed(Change change) {
        truth.apply(change.object().fact());
        Deque<Change> changes = latest(change.object().watchedKind());
        changes.addLast(change);
        while (changes.size() > memory) {
            oldest.put(change.object().watchedKind(), changes.removeFirst().version());
        }
        onChange.accept(change);
    }

    private Deque<Change> latest(WatchedKind watchedKind) {
        return latest.getOrDefault(watchedKind, new ArrayDeque<>());
    }

    /** {@return the changes after a version; empty if they are no longer kept} */
    Optional<List<Change>> since(WatchedKind watchedKind, long from) {
        if (from < oldest.getOrDefault(watchedKind, 0L)) {
            return Optional.empty();
        }
        return Optional.of(
                latest(watchedKind).stream().filter(it -> it.version() > from).toList());
    }

    /** {@return whether a kind has changed since the start of the API server} */
    boolean hasChanged(WatchedKind watchedKind) {
        return !latest(watchedKind).isEmpty();
    }

    /** Forgets all changes up to now, as after a restart. */
    void forget() {
        for (WatchedKind watchedKind : KINDS) {
            latest(watchedKind).clear();
            oldest.put(watchedKind, version);
        }
    }

    Backup backup() {
        Map<WatchedKind, NavigableMap<String, FakeObject>> copy = new HashMap<>();
        objects.forEach((watchedKind, all) -> copy.put(watchedKind, new TreeMap<>(all)));
        return new Backup(version, copy);
    }

    /** Restores all objects and the version from a backup. */
    void restore(Backup backup) {
        for (WatchedKind watchedKind : KINDS) {
            new ArrayList<>(all(watchedKind))
                    .forEach(gone -> truth.apply(watchedKind.gone().apply(gone.id())));
            objects.put(watchedKind, new TreeMap<>(backup.objects().getOrDefault(watchedKind, new TreeMap<>())));
            all(watchedKind).forEach(object -> truth.apply(object.fact()));
        }
        version = backup.version();
        forget();
    }
}
