package dev.holdfast.operator.app;

import dev.holdfast.policies.engine.protocol.Event;
import java.util.function.Consumer;

/**
 * Event filter that stops the operator when the API server goes back to an older state, for example after an etcd
 * backup was restored. The policy informers cannot drop their cached objects, so the process must restart.
 *
 * <p>The filter gets the events of the watches and informers, and forwards them to the engine.
 */
final class HistoryGuard implements Consumer<Event> {
    private final Consumer<Event> engine;
    private final Consumer<String> onFatal;

    /**
     * True once the API server went back to an older state. From then on {@code ViewSynced} is not forwarded, so the
     * engine evicts nothing.
     */
    private volatile boolean ending;

    HistoryGuard(Consumer<Event> engine, Consumer<String> onFatal) {
        this.engine = engine;
        this.onFatal = onFatal;
    }

    @Override
    public void accept(Event event) {
        boolean anotherPast = event instanceof Event.ViewLost lost && lost.ofAnotherPast();
        if (anotherPast) {
            ending = true;
        }
        if (ending && event instanceof Event.ViewSynced) {
            return;
        }
        engine.accept(event);
        if (event instanceof Event.ViewLost(var _, String why, var _) && anotherPast) {
            onFatal.accept(why);
        }
    }
}
