package dev.holdfast.operator.observe;

import dev.holdfast.policies.engine.Event;
import dev.holdfast.policies.model.ClusterEvent;
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
 * caught up, and which puts an unbounded queue between watch and handler. Here no more is read from the connection than
 * fits a window of bytes before it has been taken, and whoever takes it may let a feed wait.
 */
final class KindFeed {
    private static final Logger LOG = LoggerFactory.getLogger(KindFeed.class);

    /**
     * A watch that ends sooner and has told nothing, so many times in a row, is not worth opening again. One that has told
     * something is: the API server closes it on who falls behind, who catches up sooner than everything is listed.
     */
    private static final Duration SHORT_LIVED = Duration.ofSeconds(1);

    private static final int MOST_HASTY = 3;

    /** Between watches that end as soon as they have told something. */
    private static final Duration BREATH = Duration.ofMillis(200);

    /** How long nothing may be heard of a watch. Bookmarks come about once a minute, if etcd tells of its progress. */
    private static final Duration LONGEST_SILENCE = Duration.ofSeconds(90);

    /** How long it may be unknown whether there are changes: a silence, and a list to see what it means. */
    private static final Duration LONGEST_DOUBT = LONGEST_SILENCE.plusSeconds(45);

    private static final String MUTE = "the watch was silent for " + LONGEST_SILENCE.toSeconds()
            + " s though something had changed: does a proxy hold answers back until they end?";

    private static final String UNPROVED = "whether anything has changed is unknown for " + LONGEST_DOUBT.toSeconds()
            + " s: the API server, or what is on the way to it, answers too slowly";

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
    private final Consumer<Event> sink;
    private volatile boolean closed;

    /** How far what is told can be believed: see {@link #tell}. */
    private volatile Trust trust = Trust.LISTED;

    /** Whether the list that is being read, or was read last, has told anything. */
    private boolean toldInList;

    /** How long the last watch was open. */
    private Duration lived = Duration.ZERO;

    private volatile Optional<Source.Watching> current = Optional.empty();
    private String lastTrouble = "";

    /** How long whoever refused the last request asked us to wait. */
    private Duration leastPause = Duration.ZERO;

    private enum Trust {
        /** It is complete once everything is listed and a watch is open that goes on from there. */
        LISTED,
        /** It is complete, and a watch goes on from there. */
        FOLLOWED,
        /** A watch was silent, and what it was silent about shows in the list that is being read. */
        CHECKED,
        /**
         * A watch was silent though something had changed, or nothing proves for long that nothing has: it is complete once
         * a watch is heard that is not silent, or a list shows that nothing has changed since the one before.
         */
        UNHEARD
    }

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
        this.sink = sink;
        this.sight = new Sight(kind, pace, this::tell, this::believe);
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
     * Gives a watch up of which nothing was heard for 90 s, be it only that nothing has changed. Everything is listed and
     * the watch opened anew; if that fails, or shows that something was missed, the view is lost.
     */
    void look() {
        // First, lest one is given up that was opened after all was listed just now.
        Optional<Source.Watching> open = current;
        Duration quiet = Duration.between(sight.heard(), pace.instant());
        if (quiet.compareTo(LONGEST_SILENCE) >= 0) {
            open.ifPresent(watch -> {
                LOG.atInfo()
                        .addKeyValue("kind", kind.resource())
                        .addKeyValue("silent", quiet)
                        .log("Nothing heard for long: listing, and opening the watch anew");
                watch.giveUp();
            });
        }
        doubt();
    }

    /** Takes the view for lost when it is unknown for too long whether there are changes, whatever is being waited for. */
    private synchronized void doubt() {
        boolean complete = trust == Trust.FOLLOWED || trust == Trust.CHECKED;
        if (complete && isUnproved()) {
            trust = Trust.UNHEARD;
            lost(UNPROVED);
        }
    }

    private boolean isUnproved() {
        return Duration.between(sight.changesHeard(), pace.instant()).compareTo(LONGEST_DOUBT) >= 0;
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
                    failed(why);
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

    private synchronized void failed(String why) {
        if (trust != Trust.UNHEARD) {
            trust = Trust.LISTED;
        }
        lost(why);
    }

    private synchronized void lost(String why) {
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
        } catch (RuntimeException e) {
            return trouble("list", e);
        }
        doubtSlowList();
        return follow();
    }

    /** After a list that took too long only a watch can tell whether anything has changed since it began. */
    private synchronized void doubtSlowList() {
        if (isUnproved()) {
            trust = Trust.UNHEARD;
        }
    }

    private void list() throws InterruptedException {
        source.list(sight);
        if (sight.wentBack()) {
            gate.lost(kind, ANOTHER_PAST + ": every window begins anew", Event.ViewLost.NEVER);
            sight.distrust();
            source.list(sight);
        }
    }

    /** Told of a change, the first one in a list after silence shows that a watch kept something back. */
    private void tell(ClusterEvent change) {
        switch (trust) {
            case LISTED, FOLLOWED, UNHEARD -> {}
            case CHECKED -> mute();
        }
        toldInList = true;
        sink.accept(new Event.FactChanged(change));
    }

    private synchronized void mute() {
        trust = Trust.UNHEARD;
        lost(MUTE);
    }

    /** {@return why it cannot go on after a watch that was silent: it may have had nothing to say, or be mute} */
    private Optional<String> check() throws InterruptedException {
        Optional<String> otherPast = past();
        if (otherPast.isPresent()) {
            return otherPast;
        }
        Trust before = beginCheck();
        try {
            source.list(sight);
        } catch (RuntimeException e) {
            breakCheck(before);
            return Optional.of(trouble("list", e));
        }
        if (sight.wentBack()) {
            return Optional.of(ANOTHER_PAST);
        }
        endCheck();
        return Optional.empty();
    }

    /** {@return how far was believed what was told before} */
    private synchronized Trust beginCheck() {
        Trust before = trust;
        trust = Trust.CHECKED;
        toldInList = false;
        return before;
    }

    /** What a list has told before it broke shows all the same that the watch was mute. */
    private synchronized void breakCheck(Trust before) {
        if (trust == Trust.CHECKED) {
            trust = before;
        }
    }

    private synchronized void endCheck() {
        trust = toldInList || isUnproved() ? Trust.UNHEARD : Trust.LISTED;
    }

    /** Once a watch is heard of that others were not, what is known is complete. */
    private void believe() {
        if (trust == Trust.UNHEARD) {
            agree();
        }
    }

    private synchronized void agree() {
        trust = Trust.FOLLOWED;
        lastTrouble = "";
        if (gate.synced(kind)) {
            LOG.atInfo()
                    .addKeyValue("kind", kind.resource())
                    .addKeyValue("objects", sight.size())
                    .log("view synced");
        }
    }

    private String follow() throws InterruptedException {
        int hasty = 0;
        while (hasty < MOST_HASTY) {
            long before = sight.reached();
            Optional<String> why = followOnce();
            pauses.wentWell(lived);
            if (why.isPresent()) {
                return why.get();
            }
            boolean brief = lived.compareTo(SHORT_LIVED) < 0;
            hasty = brief && sight.reached() == before ? hasty + 1 : 0;
            if (brief && hasty == 0) {
                pace.sleep(BREATH);
            }
        }
        return "the watch of " + kind + " is closed again and again as soon as it is opened";
    }

    /** {@return why it cannot go on; empty when the watch may be opened again} */
    private Optional<String> followOnce() throws InterruptedException {
        lived = Duration.ZERO;
        Duration length = SHORTEST_WATCH.plusSeconds(pace.random(SHORTEST_WATCH.toSeconds()));
        try (Source.Watching watching = source.watch(sight, length)) {
            current = Optional.of(watching);
            if (trust == Trust.LISTED) {
                agree();
            }
            Instant opened = pace.instant();
            WatchEnd end = watching.await();
            current = Optional.empty();
            lived = Duration.between(opened, pace.instant());
            return switch (end) {
                case WatchEnd.Broken(String why) -> Optional.of(why);
                // One whose time is over was the same API server's to its end.
                case WatchEnd.Closed() -> isOver(length) ? Optional.empty() : past();
                case WatchEnd.GivenUp() -> check();
            };
        } catch (RuntimeException e) {
            return Optional.of(trouble("watch", e));
        }
    }

    /** {@return whether the last watch was open as long as was asked for} */
    private boolean isOver(Duration length) {
        return lived.plus(SHORT_LIVED).compareTo(length) >= 0;
    }

    /**
     * {@return why a watch must not go on from where it was, although it could} An API server whose past is another by now
     * takes the version of a future for one to wait for, and says nothing until it is there.
     */
    private Optional<String> past() throws InterruptedException {
        try {
            if (source.newest() >= sight.reached()) {
                return Optional.empty();
            }
            sight.anotherPast();
            return Optional.of(ANOTHER_PAST);
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
