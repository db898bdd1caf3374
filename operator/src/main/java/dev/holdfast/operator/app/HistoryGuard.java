package dev.holdfast.operator.app;

import dev.holdfast.policies.engine.protocol.Event;
import java.util.function.Consumer;

/**
 * Stops the operator when the API server went back in time, after the restore of a backup for example. The informers of
 * the policies cannot drop what they hold, so only a restart helps.
 *
 * <p>Passes all other events of the feeds and informers on to the engine.
 */
final class HistoryGuard implements Consumer<Event> {
    private final Consumer<Event> engine;
    private final Consumer<String> onFatal;

    /** From then on no view counts as synced, so that the engine evicts nothing until the process ends. */
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
