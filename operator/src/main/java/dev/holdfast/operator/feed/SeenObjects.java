package dev.holdfast.operator.feed;

import dev.holdfast.operator.decode.protobuf.KnownIds;
import dev.holdfast.policies.engine.protocol.OwnerThread;
import dev.holdfast.policies.model.ClusterEvent;
import java.time.Instant;
import java.time.InstantSource;
import java.util.function.Consumer;

/**
 * Table of the objects of one kind that the feed has delivered. Of each object, the table keeps only the id, the
 * resourceVersion and the number of the last list that contained it. With this table the feed delivers no unchanged
 * object twice, and finds deletions that a watch missed.
 *
 * <p>The feed's thread owns the table. Other threads may call {@link #reached}, {@link #size}, {@link #lastHeard} and
 * {@link #changesHeard}, which never wait.
 */
final class SeenObjects implements KnownIds {
    private final WatchedKind watchedKind;
    private final InstantSource clock;
    private final Consumer<ClusterEvent> sink;
    private final Runnable onEvent;
    private final OwnerThread owner;
    private final VersionTable objects = new VersionTable();
    private volatile Instant lastHeard;
    private volatile Instant changesHeard;
    private volatile long reached;
    private volatile int size;
    private Instant listBegan;
    private int lists;
    private boolean listing;
    private boolean versionWentBack;

    /** Whether bytes could not be read since the last complete list. */
    private boolean inDoubt;

    /** A watch event has an older version than the one before it. */
    static final class OlderVersionException extends IllegalStateException {
        private static final long serialVersionUID = 1L;

        private OlderVersionException(long reached, long version) {
            super("its version went back from " + reached + " to " + version);
        }
    }

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
        this.owner = new OwnerThread("the table of " + watchedKind);
        this.lastHeard = clock.instant();
        this.changesHeard = lastHeard;
        this.listBegan = lastHeard;
    }

    WatchedKind watchedKind() {
        return watchedKind;
    }

    @Override
    public String id(byte[] bytes, int from, int to) {
        return objects.id(bytes, from, to);
    }

    /**
     * Records that a list begins. Between this call and {@link #listed}, each object of the list is passed to {@link
     * #changed}. Then {@link #listed} reports as deleted the known objects that were not passed.
     */
    void listing() {
        owner.check();
        lists++;
        listing = true;
        listBegan = clock.instant();
    }

    /**
     * Records an object that a list or a watch has reported. The sink receives the change, unless this version of the
     * object is known.
     */
    void changed(String id, long version, ClusterEvent change) {
        owner.check();
        heardChange(version);
        long before = objects.put(id, version, lists);
        size = objects.size();
        versionWentBack |= version < VersionTable.withoutDoubt(before);
        if (version != before) {
            deliver(id, change);
        }
        advance(version);
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

    /** Records that a watch has reported a deletion. The sink receives the deletion if the object was known. */
    void deleted(String id, long version) {
        owner.check();
        heardChange(version);
        if (objects.remove(id)) {
            deliverGone(id);
        }
        advance(version);
    }

    /** Passes a deletion to the sink. If the sink throws, the object stays known, so that the next list reports it. */
    private void deliverGone(String id) {
        try {
            sink.accept(watchedKind.gone().apply(id));
        } catch (RuntimeException e) {
            objects.put(id, VersionTable.NONE, lists - 1);
            throw e;
        } finally {
            size = objects.size();
        }
    }

    /**
     * Records a bookmark: the watch has delivered all changes up to this version.
     *
     * @throws OlderVersionException if the watch has delivered a newer version before
     */
    void reached(long version) {
        owner.check();
        heardChange(version);
        advance(version);
    }

    /**
     * Records when a watch event arrived. Throws if the event's version is older than the last one: versions only grow,
     * unless the API server's state went back. Does nothing during a list, because a list is not ordered by version.
     */
    private void heardChange(long version) {
        if (listing) {
            return;
        }
        if (version < reached) {
            throw new OlderVersionException(reached, version);
        }
        changesHeard = clock.instant();
        lastHeard = changesHeard;
    }

    /** Records the version of a watch event after its delivery, when other threads may rely on it. */
    private void advance(long version) {
        if (!listing) {
            reached = version;
        }
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
     * Records that the list is complete, as of this version. Known objects that are not in the list are reported as
     * deleted.
     */
    void listed(long version) {
        owner.check();
        for (String id : objects.withoutMark(lists)) {
            objects.remove(id);
            deliverGone(id);
        }
        inDoubt = false;
        // The list may miss what has changed since it began.
        changesHeard = listBegan;
        versionWentBack |= version < reached;
        reached = version;
        listing = false;
    }

    /**
     * {@return whether the API server's state went back, as after the restore of a backup} The state went back if a
     * list, or an object in a list, was older than seen before, or if {@link #serverWentBack} was called. A list that
     * failed halfway counts too: the objects before the failure may have been older. {@link #forgetVersions} resets the
     * answer to false.
     */
    boolean versionWentBack() {
        owner.check();
        return versionWentBack;
    }

    /** Records that the API server's newest version is older than the last version seen: its state went back. */
    void serverWentBack() {
        owner.check();
        versionWentBack = true;
    }

    /**
     * Forgets the versions of all objects, so that the next list delivers every object. Called after the API server's
     * state went back, when an equal version no longer means an equal object.
     */
    void forgetVersions() {
        owner.check();
        objects.forgetVersions();
        versionWentBack = false;
    }

    /**
     * Delivers each known object once more when it is reported next, also in its known version. Called after bytes that
     * could not be read, when what was read before is in doubt. Until the next complete list, further calls do nothing:
     * an object that can never be read must not make every list deliver all others again.
     */
    void redeliver() {
        owner.check();
        if (!inDoubt) {
            inDoubt = true;
            objects.doubtVersions();
        }
    }

    /** {@return the number of known objects} */
    int size() {
        return size;
    }

    /** {@return the version up to which all changes have been delivered} A delivery in progress does not count. */
    long reached() {
        return reached;
    }

    /**
     * {@return when the objects in this table were last known to be current: when the last watch event arrived or, if
     * later, when the last complete list began}
     */
    Instant changesHeard() {
        return changesHeard;
    }

    /** {@return when the API server last sent anything about this kind} */
    Instant lastHeard() {
        return lastHeard;
    }
}
