package dev.holdfast.operator.reconcile;

import dev.holdfast.policies.engine.Event;
import dev.holdfast.policies.engine.View;
import java.util.function.Consumer;
import java.util.function.Supplier;

/**
 * Tells the engine whether it can rely on its policies: synced once all that are known were handed over, lost when a
 * watch has been down at two looks in a row, since a watch also ends and begins anew in its normal life. For one thread.
 */
final class PolicyViewWatch {
    private static final String WHY = "the watch of the policies is down";

    private final Supplier<InformerState> informers;
    private final Runnable handOver;
    private final Consumer<Event> engine;

    private boolean synced;
    private int behind;

    PolicyViewWatch(Supplier<InformerState> informers, Runnable handOver, Consumer<Event> engine) {
        this.informers = informers;
        this.handOver = handOver;
        this.engine = engine;
    }

    /** Looks once. */
    void look() {
        switch (informers.get()) {
            case FOLLOWING -> {
                behind = 0;
                if (!synced) {
                    handOver.run();
                    synced = true;
                    engine.accept(new Event.ViewSynced(View.POLICIES));
                }
            }
            case BEHIND -> {
                behind++;
                if (synced && behind > 1) {
                    synced = false;
                    engine.accept(new Event.ViewLost(View.POLICIES, WHY));
                }
            }
        }
    }

    /** {@return whether the engine was told that it can rely on its policies} */
    boolean synced() {
        return synced;
    }
}
