package dev.holdfast.operator.feed;

import dev.holdfast.operator.api.ApiErrors;
import dev.holdfast.operator.api.ApiRefusal;
import dev.holdfast.operator.feed.FeedTrust.Decision;
import dev.holdfast.operator.feed.FeedTrust.Signal;
import dev.holdfast.policies.engine.protocol.Event;
import dev.holdfast.policies.model.ClusterEvent;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The list/watch loop of one kind: lists all objects, then watches them for ever. A watch that ends is opened again from
 * where it was; when that fails the view is lost, and everything is listed again until it succeeds. {@link FeedTrust}
 * decides when the view is complete.
 *
 * <p>A fabric8 informer would hide that its watch is down and could not say when it has caught up, and it puts an unbounded
 * queue between watch and handler. Here no more is read from the connection than fits a window of bytes before it has been
 * taken, and the taker may let a feed wait.
 */
final class KindFeed {
    private static final Logger LOG = LoggerFactory.getLogger(KindFeed.class);

    /**
     * A watch that ends sooner and has told nothing, this many times in a row, is not worth opening again. One that has told
     * something is: the API server closes it on a client that falls behind, and such a client catches up sooner than
     * everything is listed.
     */
    private static final Duration SHORT_LIVED = Duration.ofSeconds(1);

    private static final int MOST_HASTY = 3;

    /** Between watches that end as soon as they have told something. */
    private static final Duration BREATH = Duration.ofMillis(200);

    private static final String ANOTHER_PAST =
            "the API server tells of an older state than before, as when a backup is restored";

    /** A watch is asked for at least this long, and for less than twice as long. */
    private static final Duration SHORTEST_WATCH = Duration.ofMinutes(5);

    private final WatchedKind watchedKind;
    private final ListWatch listWatch;
    private final ViewGate gate;
    private final FeedClock feedClock;
    private final SeenObjects seenObjects;
    private final BackOff backOff;
    private final Thread thread;
    private final Consumer<Event> sink;
    private volatile boolean closed;

    /** Guarded by this; the thread of the feed and the one that calls {@link #look} signal it. */
    private FeedTrust trust = FeedTrust.LISTING;

    private volatile Optional<ListWatch.Watching> current = Optional.empty();

    /**
     * One watch from its opening to its end.
     *
     * @param lived how long it was open
     * @param why why the feed cannot go on; empty when the watch may be opened again
     */
    private record Watched(Duration lived, Optional<String> why) {}

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
        this.seenObjects = new SeenObjects(watchedKind, feedClock, this::tell, () -> signal(new Signal.WatchSpoke()));
        this.thread = Thread.ofPlatform()
                .daemon()
                .name("feed of " + watchedKind)
                .uncaughtExceptionHandler(onDeath)
                .unstarted(this::run);
    }

    void start() {
        thread.start();
    }

    /** {@return when the API server last said anything about this kind} */
    Instant heard() {
        return seenObjects.heard();
    }

    /**
     * Gives up a watch that has been silent for 90 s: not even a bookmark came. Everything is listed and the watch opened
     * again; if that fails, or shows that something was missed, the view is lost.
     */
    void look() {
        // Read first: a watch that is opened after a list of just now must not be given up.
        Optional<ListWatch.Watching> open = current;
        Duration quiet = Duration.between(seenObjects.heard(), feedClock.instant());
        if (quiet.compareTo(FeedTrust.LONGEST_SILENCE) >= 0) {
            open.ifPresent(watch -> {
                LOG.atInfo()
                        .addKeyValue("kind", watchedKind.resource())
                        .addKeyValue("silent", quiet)
                        .log("Nothing heard for long: listing, and opening the watch anew");
                watch.giveUp();
            });
        }
        timePassed();
    }

    /** Measured under the lock, so that a list that has just ended counts. */
    private synchronized void timePassed() {
        signal(new Signal.TimePassed(unproved()));
    }

    private Duration unproved() {
        return Duration.between(seenObjects.changesHeard(), feedClock.instant());
    }

    /** Ends the feed as soon as the answer that it reads has ended. */
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
            while (!closed) {
                String why = listAndFollow();
                if (!closed) {
                    signal(new Signal.Failed(why));
                    feedClock.sleep(backOff.next());
                }
            }
        } catch (InterruptedException _) {
            // Only stop() interrupts.
        } catch (RuntimeException | Error e) {
            // The view must not look alive without its feed.
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
                    .log("view synced");
        }
    }

    private void lost(String why) {
        if (gate.lost(watchedKind, why, seenObjects.changesHeard())) {
            LOG.atWarn()
                    .addKeyValue("kind", watchedKind.resource())
                    .addKeyValue("reason", why)
                    .log("view lost");
        }
    }

    /** Called within a list or a watch: the view is lost before the first change that a watch kept back is told. */
    private void tell(ClusterEvent change) {
        signal(new Signal.ChangeReported());
        sink.accept(new Event.FactChanged(change));
    }

    /** {@return why it cannot go on} */
    private String listAndFollow() throws InterruptedException {
        try {
            list();
        } catch (RuntimeException e) {
            return trouble("list", e);
        }
        // After a list that took too long only a watch can tell whether anything has changed since it began.
        signal(new Signal.ListEnded(unproved()));
        return follow();
    }

    private void list() throws InterruptedException {
        listWatch.list(seenObjects);
        if (seenObjects.wentBack()) {
            gate.lost(watchedKind, ANOTHER_PAST + ": every window begins anew", Event.ViewLost.NEVER);
            seenObjects.distrust();
            listWatch.list(seenObjects);
        }
    }

    private String follow() throws InterruptedException {
        int hasty = 0;
        while (hasty < MOST_HASTY) {
            long before = seenObjects.reached();
            Watched watched = followOnce();
            backOff.wentWell(watched.lived());
            if (watched.why().isPresent()) {
                return watched.why().get();
            }
            boolean brief = watched.lived().compareTo(SHORT_LIVED) < 0;
            hasty = brief && seenObjects.reached() == before ? hasty + 1 : 0;
            if (brief && hasty == 0) {
                feedClock.sleep(BREATH);
            }
        }
        return "the watch of " + watchedKind + " is closed again and again as soon as it is opened";
    }

    private Watched followOnce() throws InterruptedException {
        Duration length = SHORTEST_WATCH.plusSeconds(feedClock.random(SHORTEST_WATCH.toSeconds()));
        try (ListWatch.Watching watching = listWatch.watch(seenObjects, length)) {
            current = Optional.of(watching);
            signal(new Signal.WatchOpened());
            Instant opened = feedClock.instant();
            WatchEnd end = watching.await();
            current = Optional.empty();
            Duration lived = Duration.between(opened, feedClock.instant());
            return new Watched(lived, whyNotOpenAgain(end, lived, length));
        } catch (RuntimeException e) {
            return new Watched(Duration.ZERO, Optional.of(trouble("watch", e)));
        }
    }

    private Optional<String> whyNotOpenAgain(WatchEnd end, Duration lived, Duration length)
            throws InterruptedException {
        return switch (end) {
            case WatchEnd.Broken(String why) -> Optional.of(why);
            // A watch that lived for its whole length was the same API server's to its end.
            case WatchEnd.Closed() -> lived.plus(SHORT_LIVED).compareTo(length) >= 0 ? Optional.empty() : past();
            case WatchEnd.GivenUp() -> check();
        };
    }

    /** {@return why it cannot go on after a watch that was silent: it may have had nothing to report, or be mute} */
    private Optional<String> check() throws InterruptedException {
        Optional<String> otherPast = past();
        if (otherPast.isPresent()) {
            return otherPast;
        }
        signal(new Signal.CheckStarted());
        try {
            listWatch.list(seenObjects);
        } catch (RuntimeException e) {
            signal(new Signal.CheckBroke());
            return Optional.of(trouble("list", e));
        }
        if (seenObjects.wentBack()) {
            return Optional.of(ANOTHER_PAST);
        }
        signal(new Signal.CheckEnded(unproved()));
        return Optional.empty();
    }

    /**
     * {@return why a watch must not go on from where it was, although it could} An API server whose past is another by now
     * waits until it reaches the version that it is asked for, and says nothing until then.
     */
    private Optional<String> past() throws InterruptedException {
        try {
            if (listWatch.newest() >= seenObjects.reached()) {
                return Optional.empty();
            }
            seenObjects.anotherPast();
            return Optional.of(ANOTHER_PAST);
        } catch (RuntimeException e) {
            return Optional.of(trouble("list", e));
        }
    }

    private String trouble(String verb, RuntimeException failure) {
        backOff.nextIsAtLeast(ApiRefusal.pause(failure));
        return ApiErrors.of(verb, watchedKind.resource(), failure);
    }
}
