package dev.holdfast.operator.observe;

import dev.holdfast.policies.engine.Event;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Feeds one kind: lists all of it, then watches it for ever. A watch that ends is opened again from where it was; when
 * that fails the view is lost, and everything is listed again until it succeeds.
 *
 * <p>It does so itself rather than by a fabric8 informer, which hides when its watch is down and cannot say when it has
 * caught up, and which puts an unbounded queue between watch and handler. Here hardly more than one event is read
 * from the connection before the last one has been taken, and whoever takes them may let a feed wait.
 */
final class KindFeed {
    private static final Logger LOG = LoggerFactory.getLogger(KindFeed.class);

    /**
     * A watch that ends sooner and has told nothing, so many times in a row, is not worth opening again. One that has told
     * something is: the API server closes it on who falls behind, who catches up sooner than everything is listed.
     */
    private static final Duration SHORT_LIVED = Duration.ofSeconds(1);

    private static final int MOST_HASTY = 3;

    /**
     * How long nothing may be heard of a watch. Bookmarks come about once a minute; of a kind that has not changed since
     * the API server started there are none, and opening its watch anew is all that can be asked for.
     */
    private static final Duration LONGEST_SILENCE = Duration.ofSeconds(90);

    private static final String ANOTHER_PAST =
            "the API server tells of an older state than before, as when a backup is restored";

    /** A watch is asked for at least this long, and for less than twice as long. */
    private static final Duration SHORTEST_WATCH = Duration.ofMinutes(5);

    private final Kind kind;
    private final Source source;
    private final ViewGate gate;
    private final Pace pace;
    private final Sight sight;
    private final Pauses pauses;
    private final Thread thread;
    private volatile boolean closed;
    private volatile Optional<Source.Watching> current = Optional.empty();
    private String lastTrouble = "";

    /** How long whoever refused the last request asked us to wait. */
    private Duration leastPause = Duration.ZERO;

    KindFeed(
            Kind kind,
            Source source,
            ViewGate gate,
            Pace pace,
            Consumer<Event> sink,
            Thread.UncaughtExceptionHandler onDeath) {
        this.kind = kind;
        this.source = source;
        this.gate = gate;
        this.pace = pace;
        this.pauses = new Pauses(pace::random);
        this.sight = new Sight(kind, pace, fact -> sink.accept(new Event.FactChanged(fact)));
        this.thread = Thread.ofPlatform()
                .daemon()
                .name("feed of " + kind)
                .uncaughtExceptionHandler(onDeath)
                .unstarted(this::run);
    }

    void start() {
        thread.start();
    }

    /** {@return when the API server last said anything about this kind} */
    Instant heard() {
        return sight.heard();
    }

    /**
     * Gives a watch up of which nothing was heard for 90 s, be it only that nothing has changed. It is opened
     * anew from where it was; if that fails the view is lost.
     */
    void look() {
        Duration silent = Duration.between(sight.heard(), pace.instant());
        if (silent.compareTo(LONGEST_SILENCE) >= 0) {
            current.ifPresent(watch -> {
                LOG.atInfo()
                        .addKeyValue("kind", kind.resource())
                        .addKeyValue("silent", silent)
                        .log("Nothing heard for long: opening the watch anew");
                watch.giveUp();
            });
        }
    }

    /** Has it end when what it reads ends. */
    void stop() {
        closed = true;
        thread.interrupt();
        current.ifPresent(Source.Watching::giveUp);
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
                    lost(why);
                    pause();
                }
            }
        } catch (InterruptedException _) {
            // Only stop() interrupts.
        } catch (RuntimeException | Error e) {
            // The view must not look alive when nobody feeds it any more.
            lost("its feed died: " + e);
            throw e;
        }
    }

    private void lost(String why) {
        if (!why.equals(lastTrouble)) {
            LOG.atWarn()
                    .addKeyValue("kind", kind.resource())
                    .addKeyValue("reason", why)
                    .log("view lost");
            lastTrouble = why;
        }
        gate.lost(kind, why, sight.changesHeard());
    }

    /** {@return why it cannot go on} */
    private String listAndFollow() throws InterruptedException {
        try {
            list();
            LOG.atInfo()
                    .addKeyValue("kind", kind.resource())
                    .addKeyValue("objects", sight.size())
                    .log("view synced");
            lastTrouble = "";
            gate.synced(kind);
        } catch (RuntimeException e) {
            return trouble("list", e);
        }
        return follow();
    }

    private void list() throws InterruptedException {
        source.list(sight);
        if (sight.wentBack()) {
            gate.lost(kind, ANOTHER_PAST + ": every window begins anew", Instant.EPOCH);
            sight.distrust();
            source.list(sight);
        }
    }

    private String follow() throws InterruptedException {
        int hasty = 0;
        while (hasty < MOST_HASTY) {
            Instant opened = pace.instant();
            long before = sight.reached();
            Optional<String> why = followOnce();
            Duration lived = Duration.between(opened, pace.instant());
            if (why.isPresent()) {
                pauses.wentWell(lived);
                return why.get();
            }
            if (lived.compareTo(SHORT_LIVED) >= 0) {
                pauses.reset();
            }
            hasty = lived.compareTo(SHORT_LIVED) < 0 && sight.reached() == before ? hasty + 1 : 0;
        }
        return "the watch of " + kind + " is closed again and again as soon as it is opened";
    }

    /** {@return why it cannot go on; empty when the watch may be opened again} */
    private Optional<String> followOnce() throws InterruptedException {
        sight.alive();
        Duration length = SHORTEST_WATCH.plusSeconds(pace.random(SHORTEST_WATCH.toSeconds()));
        try (Source.Watching watching = source.watch(sight, length)) {
            current = Optional.of(watching);
            return switch (watching.await()) {
                case WatchEnd.Broken(String why) -> Optional.of(why);
                case WatchEnd.Closed() -> past();
            };
        } catch (RuntimeException e) {
            return Optional.of(trouble("watch", e));
        } finally {
            current = Optional.empty();
        }
    }

    /**
     * {@return why a watch must not go on from where it was, although it could} An API server whose past is another by now
     * takes the version of a future for one to wait for, and says nothing until it is there.
     */
    private Optional<String> past() throws InterruptedException {
        try {
            return source.newest() < sight.reached() ? Optional.of(ANOTHER_PAST) : Optional.empty();
        } catch (RuntimeException e) {
            return Optional.of(trouble("list", e));
        }
    }

    private String trouble(String verb, RuntimeException failure) {
        leastPause = Refused.pause(failure);
        return Trouble.of(verb, kind.resource(), failure);
    }

    private void pause() throws InterruptedException {
        Duration next = pauses.next();
        Duration pause = next.compareTo(leastPause) < 0 ? leastPause : next;
        leastPause = Duration.ZERO;
        pace.sleep(pause);
    }
}
