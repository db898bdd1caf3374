package dev.holdfast.operator.feed;

import dev.holdfast.operator.decode.protobuf.KnownIds;
import dev.holdfast.policies.model.ClusterEvent;
import java.time.Instant;
import java.time.InstantSource;
import java.util.function.Consumer;

/**
 * Table of the objects of one kind that the feed has delivered. Of each object it keeps only the id, the
 * resourceVersion and the number of the last list that contained it. With this table the feed delivers no unchanged
 * object twice, and finds deletions that a watch missed. Thread-safe.
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

    /**
     * Records that a list begins. Between this call and {@link #listed}, each object of the list is passed to {@link
     * #changed}. Then {@link #listed} reports as deleted the known objects that were not passed.
     */
    synchronized void listing() {
        lists++;
        listing = true;
        listBegan = clock.instant();
    }

    /**
     * Records an object that a list or a watch has reported. The sink receives the change, unless this version of the
     * object is known.
     */
    synchronized void changed(String id, long version, ClusterEvent change) {
        advance(version);
        long before = objects.put(id, version, lists);
        versionWentBack |= version < before;
        if (version != before) {
            deliver(id, change);
        }
    }

    /**
     * Passes a change to the sink. If the sink throws, this table forgets the object's version, so that the next report
     * of the object is delivered.
     */
    private void deliver(String id, ClusterEvent change) {
        try {
            sink.accept(change);
        } catch (RuntimeException e) {
            objects.put(id, VersionTable.NONE, lists);
            throw e;
        }
    }

    /** Records that a watch has reported a deletion. The sink receives it if the object was known. */
    synchronized void deleted(String id, long version) {
        advance(version);
        if (objects.remove(id)) {
            sink.accept(watchedKind.gone().apply(id));
        }
    }

    /** Records a bookmark: the watch has delivered all changes up to this version. */
    synchronized void reached(long version) {
        advance(version);
    }

    /**
     * Records the version of a watch event. Throws if it is older than the last one: versions only grow, unless the API
     * server's state went back. Does nothing during a list, because a list is not ordered by version.
     */
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

    /** Records that the API server has just sent something about this kind. */
    void heard() {
        lastHeard = clock.instant();
    }

    /** Notifies {@code onEvent} that a watch event has been processed. */
    void eventProcessed() {
        onEvent.run();
    }

    /**
     * Records that the list is complete, as of this version. Known objects that it does not contain are reported as
     * deleted.
     */
    synchronized void listed(long version) {
        for (String id : objects.withoutMark(lists)) {
            objects.remove(id);
            sink.accept(watchedKind.gone().apply(id));
        }
        // The list may miss what has changed since it began.
        changesHeard = listBegan;
        versionWentBack |= version < reached;
        reached = version;
        listing = false;
    }

    /**
     * {@return whether the API server's state went back, as after the restore of a backup} That is so if a list, or an
     * object in a list, was older than seen before, or if {@link #serverWentBack} was called. A list that failed
     * halfway counts too: the objects before the failure may have been older. {@link #forgetVersions} resets this to
     * false.
     */
    synchronized boolean versionWentBack() {
        return versionWentBack;
    }

    /** Records that the API server's newest version is older than the last version seen: its state went back. */
    synchronized void serverWentBack() {
        versionWentBack = true;
    }

    /**
     * Forgets the versions of all objects, so that the next list delivers every object. Called after the API server's
     * state went back, when an equal version no longer means an equal object.
     */
    synchronized void forgetVersions() {
        objects.forgetVersions();
        versionWentBack = false;
    }

    /** {@return the number of known objects} */
    synchronized int size() {
        return objects.size();
    }

    /** {@return the version up to which all changes have been delivered} Waits for a delivery in progress. */
    synchronized long reached() {
        return reached;
    }

    /**
     * {@return when the objects in this table were last known to be current} That is when the last watch event arrived
     * or, if later, when the last complete list began.
     */
    Instant changesHeard() {
        return changesHeard;
    }

    /** {@return when the API server last sent anything about this kind} */
    Instant lastHeard() {
        return lastHeard;
    }
}
