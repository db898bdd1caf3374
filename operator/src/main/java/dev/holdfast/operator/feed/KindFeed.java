package dev.holdfast.operator.feed;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import dev.holdfast.operator.api.ApiErrorText;
import dev.holdfast.operator.api.ApiRefusal;
import dev.holdfast.operator.decode.protobuf.MalformedException;
import dev.holdfast.operator.feed.FeedTrust.Decision;
import dev.holdfast.operator.feed.FeedTrust.Signal;
import dev.holdfast.policies.engine.protocol.Event;
import dev.holdfast.policies.engine.protocol.OwnerThread;
import dev.holdfast.policies.model.ClusterEvent;
import io.fabric8.kubernetes.client.KubernetesClientException;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The list/watch loop of one kind: lists all objects, then watches them. When a watch ends, the feed reopens the watch
 * at the last version seen. If that fails, the view is lost and the feed relists until a list succeeds. After each
 * step, {@link FeedTrust} decides whether the view is complete or lost.
 *
 * <p>A fabric8 informer would not do: it hides that its watch is down, cannot report when it has caught up, and puts an
 * unbounded queue between watch and handler. This feed reads at most one buffer ahead of the sink (the consumer of its
 * events). The sink may block the feed.
 */
final class KindFeed {
    private static final Logger LOG = LoggerFactory.getLogger(KindFeed.class);

    /**
     * A watch that lasts less than this is short. After {@link #MOST_SHORT_WATCHES} short watches in a row without an
     * event, the feed relists. After a short watch with events, the feed only reopens the watch: the API server closes
     * the watches of slow clients, and catching up is cheaper than a list.
     */
    private static final Duration SHORT_LIVED = Duration.ofSeconds(1);

    private static final int MOST_SHORT_WATCHES = 3;

    /** The pause before the feed reopens a watch that had events but lasted less than a second. */
    private static final Duration SHORT_PAUSE = Duration.ofMillis(200);

    /** The longest wait for the headers of the response with the newest version, and then for its body. */
    private static final Duration NEWEST = Duration.ofSeconds(10);

    private static final String STATE_WENT_BACK =
            "the API server shows an older state than before, as after the restore of a backup";

    /**
     * The shortest time for which the feed requests a watch. Each request asks for a random time from this to twice
     * this.
     */
    private static final Duration SHORTEST_WATCH = Duration.ofMinutes(5);

    private final WatchedKind watchedKind;
    private final ListWatch listWatch;
    private final ViewGate gate;
    private final FeedClock feedClock;
    private final SeenObjects seenObjects;
    private final BackOff backOff;
    private final Thread thread;
    private final Consumer<Event> sink;
    private final LongAdder lists = new LongAdder();
    private final LongAdder watches = new LongAdder();
    private volatile boolean closed;

    /** Whether the view is complete. Changed by two threads: the feed's and the caller of {@link #check}. */
    @GuardedBy("this")
    private FeedTrust trust = FeedTrust.LISTING;

    private volatile Optional<ListWatch.Watching> current = Optional.empty();

    /**
     * A watch that has ended, or that could not be opened.
     *
     * @param lived how long the watch was open; zero if it failed with an exception
     * @param relist why the feed must relist; empty if it may reopen the watch
     */
    private record Watched(Duration lived, Optional<Relist> relist) {}

    /**
     * Why the feed must relist.
     *
     * @param inDoubt whether bytes could not be read, so that what was read before them is in doubt
     */
    private record Relist(String why, boolean inDoubt) {
        static Relist because(String why) {
            return new Relist(why, false);
        }
    }

    KindFeed(
            WatchedKind watchedKind,
            ListWatch listWatch,
            ViewGate gate,
            FeedClock feedClock,
            Consumer<Event> sink,
            Thread.UncaughtExceptionHandler onDeath) {
        this.watchedKind = watchedKind;
        this.listWatch = listWatch;
        this.gate = gate;
        this.feedClock = feedClock;
        this.backOff = new BackOff(feedClock::random);
        this.sink = sink;
        this.seenObjects =
                new SeenObjects(watchedKind, feedClock, this::deliver, () -> signal(new Signal.WatchSpoke()));
        this.thread = Thread.ofPlatform()
                .daemon()
                .name("feed of " + watchedKind)
                .uncaughtExceptionHandler(onDeath)
                .unstarted(this::run);
    }

    void start() {
        thread.start();
    }

    /** {@return the name of the kind in API paths} */
    String resource() {
        return watchedKind.resource();
    }

    /** {@return the number of lists begun, and of watches opened, since the start} */
    FeedCounts counts() {
        return new FeedCounts(lists.sum(), watches.sum());
    }

    /** {@return the version up to which all changes have been delivered} */
    long reached() {
        return seenObjects.reached();
    }

    /**
     * Reads the newest version of the kind from the API server.
     *
     * @param limit the longest wait for the headers of the response, and then for its body
     */
    long newest(Duration limit) throws InterruptedException {
        return listWatch.newest(limit);
    }

    /** Opens a second watch of the kind from a version. */
    SecondWatch secondWatch(long from) throws InterruptedException {
        return listWatch.secondWatch(from);
    }

    /** {@return when the API server last sent anything about this kind} */
    Instant lastHeard() {
        return seenObjects.lastHeard();
    }

    /**
     * Ends a watch that has been silent for 90 s, without even a bookmark. The feed then relists and reopens the watch.
     * If that fails, or the list shows a missed change, the view is lost.
     */
    void check() {
        // Read before the clock: a watch that was opened after a recent list must not be ended.
        Optional<ListWatch.Watching> open = current;
        Duration quiet = Duration.between(seenObjects.lastHeard(), feedClock.instant());
        if (quiet.compareTo(FeedTrust.LONGEST_SILENCE) >= 0) {
            open.ifPresent(watch -> {
                LOG.atInfo()
                        .addKeyValue("kind", watchedKind.resource())
                        .addKeyValue("silent", quiet)
                        .log("The watch was silent for too long: relisting and reopening it");
                watch.giveUp();
            });
        }
        timePassed();
    }

    /**
     * Signals to {@link #trust} how long ago the view was last known to be current. After too long, the view is lost.
     * Holds the lock while this time is computed, so that no list that ends meanwhile is ignored.
     */
    private synchronized void timePassed() {
        signal(new Signal.TimePassed(unconfirmed()));
    }

    private Duration unconfirmed() {
        return Duration.between(seenObjects.changesHeard(), feedClock.instant());
    }

    /** Stops the feed: ends the watch in progress and interrupts the thread. */
    void stop() {
        closed = true;
        thread.interrupt();
        current.ifPresent(ListWatch.Watching::giveUp);
    }

    void close() {
        stop();
        try {
            boolean _ = thread.getState() == Thread.State.NEW || thread.join(Duration.ofSeconds(5));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private void run() {
        try {
            KindReader<?> reader = listWatch.reader();
            while (!closed) {
                Relist relist = listAndFollow(reader);
                if (relist.inDoubt()) {
                    // The caches of the reader may hold wrong values, and objects with wrong values were delivered.
                    reader = listWatch.reader();
                    seenObjects.redeliver();
                }
                if (!closed) {
                    signal(new Signal.Failed(relist.why()));
                    feedClock.sleep(backOff.next());
                }
            }
        } catch (InterruptedException _) {
            // Only stop() interrupts.
        } catch (RuntimeException | Error e) {
            // No further change arrives, so the view must not look complete.
            signal(new Signal.Died("its feed died: " + e));
            throw e;
        }
    }

    private synchronized void signal(Signal signal) {
        FeedTrust.Step step = trust.on(signal);
        trust = step.next();
        switch (step.decision()) {
            case Decision.Unchanged() -> {}
            case Decision.Synced() -> synced();
            case Decision.Lost(String why) -> lost(why);
        }
    }

    private void synced() {
        if (gate.synced(watchedKind)) {
            LOG.atInfo()
                    .addKeyValue("kind", watchedKind.resource())
                    .addKeyValue("objects", seenObjects.size())
                    .log("View synced");
        }
    }

    private void lost(String why) {
        if (gate.lost(watchedKind, why, seenObjects.changesHeard())) {
            LOG.atWarn()
                    .addKeyValue("kind", watchedKind.resource())
                    .addKeyValue("reason", why)
                    .log("View lost");
        }
    }

    /**
     * Passes a change from a list or a watch to the sink. If a list shows a change that a silent watch did not deliver,
     * the sink first gets an event that the view is lost.
     */
    private void deliver(ClusterEvent change) {
        signal(new Signal.ChangeReported());
        sink.accept(new Event.ObjectChanged(change));
    }

    /**
     * Lists all objects, then watches them until the list fails or the watch cannot continue. Returns why the feed must
     * relist.
     */
    private Relist listAndFollow(KindReader<?> reader) throws InterruptedException {
        try {
            list(reader);
        } catch (RuntimeException e) {
            return failed("list", e);
        }
        // After a list that took too long, only a watch can show what has changed since the list began.
        signal(new Signal.ListEnded(unconfirmed()));
        return follow(reader);
    }

    private void list(KindReader<?> reader) throws InterruptedException {
        lists.increment();
        listWatch.list(reader, seenObjects);
        if (seenObjects.versionWentBack()) {
            gate.lost(watchedKind, STATE_WENT_BACK + ": every forgiveness restarts", Event.ViewLost.NEVER);
            seenObjects.forgetVersions();
            listWatch.list(reader, seenObjects);
        }
    }

    private Relist follow(KindReader<?> reader) throws InterruptedException {
        int shortWatches = 0;
        while (shortWatches < MOST_SHORT_WATCHES) {
            long before = seenObjects.reached();
            Watched watched = followOnce(reader);
            backOff.succeeded(watched.lived());
            if (watched.relist().isPresent()) {
                return watched.relist().get();
            }
            boolean brief = watched.lived().compareTo(SHORT_LIVED) < 0;
            shortWatches = brief && seenObjects.reached() == before ? shortWatches + 1 : 0;
            if (brief && shortWatches == 0) {
                feedClock.sleep(SHORT_PAUSE);
            }
        }
        return Relist.because("the watch of " + watchedKind + " is closed again and again as soon as it is opened");
    }

    private Watched followOnce(KindReader<?> reader) throws InterruptedException {
        Duration length = SHORTEST_WATCH.plusSeconds(feedClock.random(SHORTEST_WATCH.toSeconds()));
        try (ListWatch.Watching watching = listWatch.watch(seenObjects, length)) {
            current = Optional.of(watching);
            watches.increment();
            signal(new Signal.WatchOpened());
            Instant opened = feedClock.instant();
            WatchEnd end = watching.await(reader);
            current = Optional.empty();
            Duration lived = Duration.between(opened, feedClock.instant());
            return new Watched(lived, whyRelist(reader, end, lived, length));
        } catch (RuntimeException e) {
            return new Watched(Duration.ZERO, Optional.of(failed("watch", e)));
        }
    }

    private Optional<Relist> whyRelist(KindReader<?> reader, WatchEnd end, Duration lived, Duration length)
            throws InterruptedException {
        return switch (end) {
            case WatchEnd.Broken(String why) -> Optional.of(Relist.because(why));
            case WatchEnd.Unreadable(String why) -> Optional.of(new Relist(why, true));
            // A watch that lasted as long as requested was served by the same API server until its end.
            case WatchEnd.Closed() ->
                lived.plus(SHORT_LIVED).compareTo(length) >= 0 ? Optional.empty() : checkVersionWentBack();
            case WatchEnd.GivenUp() -> checkSilentWatch(reader);
        };
    }

    /**
     * Lists all objects after a watch was silent for too long, to find out whether the watch missed changes. Returns
     * why the feed must start again with a list; empty if the list succeeded, so that the watch may be reopened.
     */
    private Optional<Relist> checkSilentWatch(KindReader<?> reader) throws InterruptedException {
        Optional<Relist> wentBack = checkVersionWentBack();
        if (wentBack.isPresent()) {
            return wentBack;
        }
        signal(new Signal.CheckStarted());
        lists.increment();
        try {
            listWatch.list(reader, seenObjects);
        } catch (RuntimeException e) {
            signal(new Signal.CheckBroke());
            return Optional.of(failed("list", e));
        }
        if (seenObjects.versionWentBack()) {
            return Optional.of(Relist.because(STATE_WENT_BACK));
        }
        signal(new Signal.CheckEnded(unconfirmed()));
        return Optional.empty();
    }

    /**
     * Compares the API server's newest version with the last version seen. Returns why the watch must not be reopened
     * at the last version seen; empty if it may be.
     *
     * <p>After the restore of a backup, the API server is behind the last version seen. The API server would accept the
     * watch, but send nothing until it reaches that version again.
     */
    private Optional<Relist> checkVersionWentBack() throws InterruptedException {
        try {
            if (listWatch.newest(NEWEST) >= seenObjects.reached()) {
                return Optional.empty();
            }
            seenObjects.serverWentBack();
            return Optional.of(Relist.because(STATE_WENT_BACK));
        } catch (RuntimeException e) {
            // No reader was used, so nothing that was read before is in doubt.
            return Optional.of(Relist.because(failed("list", e).why()));
        }
    }

    private Relist failed(String verb, RuntimeException failure) {
        if (failure instanceof OwnerThread.ForeignThreadException bug) {
            throw bug;
        }
        backOff.nextIsAtLeast(ApiRefusal.pause(failure));
        return new Relist(ApiErrorText.of(verb, watchedKind.resource(), failure), isUnreadable(failure));
    }

    /** {@return whether bytes of the API server could not be read, and not only the connection to it failed} */
    private static boolean isUnreadable(RuntimeException failure) {
        return switch (failure) {
            case UncheckedIOException broken -> broken.getCause() instanceof MalformedException;
            case KubernetesClientException _ -> false;
            default -> true;
        };
    }
}
