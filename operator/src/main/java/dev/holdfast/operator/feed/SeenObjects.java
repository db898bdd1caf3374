package dev.holdfast.operator.feed;

import dev.holdfast.operator.decode.protobuf.KnownIds;
import dev.holdfast.policies.model.ClusterEvent;
import java.time.Instant;
import java.time.InstantSource;
import java.util.function.Consumer;

/**
 * What has been seen of one kind: of each object only its id, its version and the list that named it last, so that an
 * unchanged object is not told twice and one that vanished unseen is told as gone. One thread at a time gets in.
 */
final class SeenObjects implements KnownIds {
    private final WatchedKind watchedKind;
    private final InstantSource clock;
    private final Consumer<ClusterEvent> sink;
    private final Runnable onSpeech;
    private final VersionTable objects = new VersionTable();
    private volatile Instant heard;
    private volatile Instant changesHeard;
    private long reached;
    private Instant listBegan;
    private int lists;
    private boolean listing;
    private boolean wentBack;

    SeenObjects(WatchedKind watchedKind, InstantSource clock, Consumer<ClusterEvent> sink) {
        this(watchedKind, clock, sink, () -> {});
    }

    /**
     * A sight of nothing yet.
     *
     * @param sink takes what changes
     * @param onSpeech called whenever a watch has told something
     */
    SeenObjects(WatchedKind watchedKind, InstantSource clock, Consumer<ClusterEvent> sink, Runnable onSpeech) {
        this.watchedKind = watchedKind;
        this.clock = clock;
        this.sink = sink;
        this.onSpeech = onSpeech;
        this.heard = clock.instant();
        this.changesHeard = heard;
        this.listBegan = heard;
    }

    WatchedKind watchedKind() {
        return watchedKind;
    }

    @Override
    public synchronized String id(byte[] bytes, int from, int to) {
        return objects.id(bytes, from, to);
    }

    /** A list begins: what it does not name by its end is gone. */
    synchronized void listing() {
        lists++;
        listing = true;
        listBegan = clock.instant();
    }

    /** The object with this id is now so. */
    synchronized void changed(String id, long version, ClusterEvent change) {
        advance(version);
        long before = objects.put(id, version, lists);
        wentBack |= version < before;
        if (version != before) {
            tell(id, change);
        }
    }

    /** What could not be told is told again when it is named again. */
    private void tell(String id, ClusterEvent change) {
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

    /** Everything up to this version has been seen. */
    synchronized void reached(long version) {
        advance(version);
    }

    /** What a watch tells of grows, unless the API server has another past by now; a list names objects in no order. */
    private void advance(long version) {
        if (listing) {
            return;
        }
        if (version < reached) {
            throw new IllegalStateException("its version went back from " + reached + " to " + version);
        }
        changesHeard = clock.instant();
        heard = changesHeard;
        reached = version;
    }

    /** The API server has given a sign of life. */
    void alive() {
        heard = clock.instant();
    }

    /** A watch has told something, which has been taken in. */
    void spoken() {
        onSpeech.run();
    }

    /** The list has named all there are, as of this version: whatever else is known is gone. */
    synchronized void listed(long version) {
        for (String id : objects.withoutMark(lists)) {
            objects.remove(id);
            sink.accept(watchedKind.gone().apply(id));
        }
        // What has changed since the list began is not in it.
        changesHeard = listBegan;
        wentBack |= version < reached;
        reached = version;
        listing = false;
    }

    /**
     * {@return whether the API server has another past} A list, be it one that was cut, was older than what was seen before
     * it, or named an object that was, or the server was heard to be behind.
     */
    synchronized boolean wentBack() {
        return wentBack;
    }

    /** The API server was heard to be behind what was seen of it. */
    synchronized void anotherPast() {
        wentBack = true;
    }

    /** Has every object told again, whatever its version: those seen so far were of another history. */
    synchronized void distrust() {
        objects.forgetVersions();
        wentBack = false;
    }

    /** {@return how many objects there are} */
    synchronized int size() {
        return objects.size();
    }

    /** {@return the version up to which everything has been seen; a change that is being taken in is waited for} */
    synchronized long reached() {
        return reached;
    }

    /** {@return when changes were last heard of, or that there are none: what has happened since may be unseen} */
    Instant changesHeard() {
        return changesHeard;
    }

    /** {@return when the API server last said anything about this kind} */
    Instant heard() {
        return heard;
    }
}
