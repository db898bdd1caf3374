package dev.holdfast.operator.feed;

import dev.holdfast.operator.decode.protobuf.KnownIds;
import dev.holdfast.policies.model.ClusterEvent;
import java.time.Instant;
import java.time.InstantSource;
import java.util.function.Consumer;

/**
 * The objects of one kind that the feed has delivered: of each only its id, its version and the last list that
 * contained it. So the feed delivers no unchanged object twice, and a list reveals deletions that the watch missed.
 * Thread-safe.
 */
final class SeenObjects implements KnownIds {
    private final WatchedKind watchedKind;
    private final InstantSource clock;
    private final Consumer<ClusterEvent> sink;
    private final Runnable onEvent;
    private final VersionTable objects = new VersionTable();
    private volatile Instant lastHeard;
    private volatile Instant changesHeard;
    private long reached;
    private Instant listBegan;
    private int lists;
    private boolean listing;
    private boolean versionWentBack;

    SeenObjects(WatchedKind watchedKind, InstantSource clock, Consumer<ClusterEvent> sink) {
        this(watchedKind, clock, sink, () -> {});
    }

    /**
     * A table without objects.
     *
     * @param sink receives the changes
     * @param onEvent called after each event of a watch, including bookmarks
     */
    SeenObjects(WatchedKind watchedKind, InstantSource clock, Consumer<ClusterEvent> sink, Runnable onEvent) {
        this.watchedKind = watchedKind;
        this.clock = clock;
        this.sink = sink;
        this.onEvent = onEvent;
        this.lastHeard = clock.instant();
        this.changesHeard = lastHeard;
        this.listBegan = lastHeard;
    }

    WatchedKind watchedKind() {
        return watchedKind;
    }

    @Override
    public synchronized String id(byte[] bytes, int from, int to) {
        return objects.id(bytes, from, to);
    }

    /** A list begins. Objects that it does not contain are gone at its end. */
    synchronized void listing() {
        lists++;
        listing = true;
        listBegan = clock.instant();
    }

    /** A list or a watch has reported an object. The sink receives the change unless this version is known. */
    synchronized void changed(String id, long version, ClusterEvent change) {
        advance(version);
        long before = objects.put(id, version, lists);
        versionWentBack |= version < before;
        if (version != before) {
            deliver(id, change);
        }
    }

    /** If the sink fails, the version is forgotten, so that the next report of the object is delivered. */
    private void deliver(String id, ClusterEvent change) {
        try {
            sink.accept(change);
        } catch (RuntimeException e) {
            objects.put(id, VersionTable.NONE, lists);
            throw e;
        }
    }

    synchronized void deleted(String id, long version) {
        advance(version);
        if (objects.remove(id)) {
            sink.accept(watchedKind.gone().apply(id));
        }
    }

    /** The watch has delivered everything up to this version (a bookmark). */
    synchronized void reached(long version) {
        advance(version);
    }

    /** Versions of a watch grow, unless the API server's state went back. The order of a list means nothing. */
    private void advance(long version) {
        if (listing) {
            return;
        }
        if (version < reached) {
            throw new IllegalStateException("its version went back from " + reached + " to " + version);
        }
        changesHeard = clock.instant();
        lastHeard = changesHeard;
        reached = version;
    }

    /** The API server has sent something. */
    void alive() {
        lastHeard = clock.instant();
    }

    /** An event of a watch has been processed. */
    void spoken() {
        onEvent.run();
    }

    /** The list is complete, as of this version. All known objects that it does not contain are gone. */
    synchronized void listed(long version) {
        for (String id : objects.withoutMark(lists)) {
            objects.remove(id);
            sink.accept(watchedKind.gone().apply(id));
        }
        // What has changed since the list began is not in it.
        changesHeard = listBegan;
        versionWentBack |= version < reached;
        reached = version;
        listing = false;
    }

    /**
     * {@return whether the API server's state went back, as after the restore of a backup} A list or an object in it,
     * even in a list that was cut off, was older than seen before, or {@link #anotherPast} was called.
     */
    synchronized boolean versionWentBack() {
        return versionWentBack;
    }

    /** The newest version of the API server is older than the last version seen. */
    synchronized void anotherPast() {
        versionWentBack = true;
    }

    /** Forgets all versions, so that the next list delivers every object: known versions belong to a lost history. */
    synchronized void distrust() {
        objects.forgetVersions();
        versionWentBack = false;
    }

    /** {@return the number of objects} */
    synchronized int size() {
        return objects.size();
    }

    /** {@return the version up to which everything has been delivered; waits for a delivery in progress} */
    synchronized long reached() {
        return reached;
    }

    /** {@return when the view was last known to be current: later changes may be missed} */
    Instant changesHeard() {
        return changesHeard;
    }

    /** {@return when the API server last sent anything about this kind} */
    Instant lastHeard() {
        return lastHeard;
    }
}
