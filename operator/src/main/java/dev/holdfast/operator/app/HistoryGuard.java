package dev.holdfast.operator.app;

import dev.holdfast.policies.engine.protocol.Event;
import java.util.function.Consumer;

/**
 * Stops the operator when the API server shows an older state than before, for example after the restore of a backup.
 * The informers of the policies cannot drop their caches, so only a restart helps.
 *
 * <p>Forwards all other events of the feeds and informers to the engine.
 */
final class HistoryGuard implements Consumer<Event> {
    private final Consumer<Event> engine;
    private final Consumer<String> onFatal;

    /** Once true, {@code ViewSynced} is not forwarded, so the engine evicts nothing until the process ends. */
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
