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
 * Tells the engine whether it can rely on what informers see, policies or pauses: synced once all that are known were
 * handed over, lost when a watch has been down at two looks in a row, since a watch also ends and begins anew in its
 * normal life. A watch that comes back brings what it has missed only once it is open, so it must be there at two looks in
 * a row too. One thread looks.
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

    /** Whether the engine was told last that the view is synced: only a change is told. */
    private boolean toldSynced;

    private int behind;
    private int following;

    /** The first time all objects come by a list, and one look will do. */
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

    /** Looks once. */
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

    /** {@return when all watches were last seen open, or the start when they never were; for any thread} */
    Instant lastFollowing() {
        return lastFollowing;
    }

    /** {@return how long to wait before the next look: little while the informers are waited for} */
    Duration untilNextLook() {
        return toldSynced ? LOOKS_EACH : LOOKS_EACH_WHILE_BEHIND;
    }
}
