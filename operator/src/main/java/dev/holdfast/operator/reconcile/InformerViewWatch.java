package dev.holdfast.operator.reconcile;

import dev.holdfast.policies.engine.protocol.Event;
import dev.holdfast.policies.engine.protocol.View;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Locale;
import java.util.function.Consumer;
import java.util.function.Supplier;

/**
 * The health check of the informers of one view, that of policies or that of pauses. The check tells the engine when
 * the view is synced and when it is lost. Not thread-safe: one thread runs all checks.
 *
 * <p>The view is synced once all objects are handed to the engine. The view is lost when two checks in a row find a
 * watch down. One such check is not enough, because a watch also ends and restarts in normal operation. A lost view is
 * synced again when two checks in a row find all watches open, because a restarted watch delivers missed changes only
 * after it opens.
 */
final class InformerViewWatch {
    private static final int SURE = 2;

    private static final Duration CHECK_INTERVAL = Duration.ofSeconds(1);
    private static final Duration LOOKS_EACH_WHILE_BEHIND = Duration.ofMillis(50);

    private final View view;
    private final Supplier<InformerState> informers;
    private final Runnable handOver;
    private final Consumer<Event> engine;
    private final InstantSource clock;

    private volatile Instant lastFollowing;

    /**
     * Whether this object last told the engine that the view is synced. False before the first {@code ViewSynced}, and
     * after each {@code ViewLost}.
     */
    private boolean toldSynced;

    private int behind;
    private int following;

    /**
     * How many checks in a row must find all watches open before the view is synced. For the first sync one check is
     * enough: an informer counts as synced only after its list has delivered all objects.
     */
    private int needed = 1;

    InformerViewWatch(
            View view,
            Supplier<InformerState> informers,
            Runnable handOver,
            Consumer<Event> engine,
            InstantSource clock) {
        this.view = view;
        this.informers = informers;
        this.handOver = handOver;
        this.engine = engine;
        this.clock = clock;
        this.lastFollowing = clock.instant();
    }

    /** Runs one check, and sends {@code ViewSynced} or {@code ViewLost} to the engine if the view has changed. */
    void check() {
        switch (informers.get()) {
            case FOLLOWING -> {
                behind = 0;
                lastFollowing = clock.instant();
                following++;
                if (!toldSynced && following >= needed) {
                    handOver.run();
                    toldSynced = true;
                    needed = SURE;
                    engine.accept(new Event.ViewSynced(view));
                }
            }
            case BEHIND -> {
                following = 0;
                behind++;
                if (toldSynced && behind >= SURE) {
                    toldSynced = false;
                    engine.accept(new Event.ViewLost(
                            view,
                            "the watch of the " + view.name().toLowerCase(Locale.ROOT) + " is down",
                            lastFollowing));
                }
            }
        }
    }

    /**
     * {@return when a check last found all watches open; before the first such check, when this object was created}
     * Thread-safe.
     */
    Instant lastFollowing() {
        return lastFollowing;
    }

    /** {@return how long to wait before the next check: shorter while the view is not synced} */
    Duration untilNextLook() {
        return toldSynced ? CHECK_INTERVAL : LOOKS_EACH_WHILE_BEHIND;
    }
}
