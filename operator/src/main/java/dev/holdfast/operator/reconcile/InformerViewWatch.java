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
 * Health check of the informers of one view, policies or pauses. The view is synced once all objects were handed to the
 * engine. It is lost when a watch is down at two checks in a row, since a watch also ends and restarts in normal
 * operation. A restarted watch delivers missed changes only after it is open, so it must be open at two checks in a row
 * too. One thread runs the checks.
 */
final class InformerViewWatch {
    private static final int SURE = 2;

    private static final Duration LOOKS_EACH = Duration.ofSeconds(1);
    private static final Duration LOOKS_EACH_WHILE_BEHIND = Duration.ofMillis(50);

    private final View view;
    private final Supplier<InformerState> informers;
    private final Runnable handOver;
    private final Consumer<Event> engine;
    private final InstantSource clock;

    private volatile Instant lastFollowing;

    /** Whether the last event to the engine was {@code ViewSynced}: only changes are sent. */
    private boolean toldSynced;

    private int behind;
    private int following;

    /** The checks needed in a row. At the start the list has delivered all objects, so one check is enough. */
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

    /** Runs one check. */
    void look() {
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
     * {@return when all watches were last seen open, or the start if they never were; may be called from any thread}
     */
    Instant lastFollowing() {
        return lastFollowing;
    }

    /** {@return how long to wait before the next check: shorter while the view is not synced} */
    Duration untilNextLook() {
        return toldSynced ? LOOKS_EACH : LOOKS_EACH_WHILE_BEHIND;
    }
}
