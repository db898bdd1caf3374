package dev.holdfast.operator.reconcile;

import dev.holdfast.crds.v1alpha1.EnforcementPause;
import dev.holdfast.operator.translate.PauseTranslator;
import dev.holdfast.policies.engine.protocol.Event;
import io.fabric8.kubernetes.client.informers.cache.Cache;
import io.fabric8.kubernetes.client.informers.cache.ItemStore;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The informer's store of EnforcementPauses. It sends each change of a spec to the engine on the informer's thread. The
 * engine gets pauses from no other source, so it has the same pauses as the store.
 */
final class PauseStore implements ItemStore<EnforcementPause> {
    private final Consumer<Event> engine;
    private final Map<String, EnforcementPause> pauses = new ConcurrentHashMap<>();

    /**
     * Creates an empty store.
     *
     * @param engine takes the events PauseChanged and PauseRemoved; must not block
     */
    PauseStore(Consumer<Event> engine) {
        this.engine = engine;
    }

    @Override
    public String getKey(EnforcementPause pause) {
        return Cache.metaNamespaceKeyFunc(pause);
    }

    @Override
    public synchronized @Nullable EnforcementPause put(String key, EnforcementPause pause) {
        EnforcementPause before = pauses.put(key, pause);
        if (before == null || !saysTheSame(before, pause)) {
            deliver(pause);
        }
        return before;
    }

    @Override
    public synchronized @Nullable EnforcementPause remove(String key) {
        EnforcementPause before = pauses.remove(key);
        if (before != null) {
            engine.accept(new Event.PauseRemoved(before.getMetadata().getName()));
        }
        return before;
    }

    /** Sends all pauses in the store to the engine. */
    synchronized void deliverAll() {
        pauses.values().forEach(this::deliver);
    }

    private void deliver(EnforcementPause pause) {
        engine.accept(new Event.PauseChanged(PauseTranslator.translate(pause).pause()));
    }

    private static boolean saysTheSame(EnforcementPause one, EnforcementPause other) {
        return Objects.equals(one.getMetadata().getUid(), other.getMetadata().getUid())
                && Objects.equals(one.getSpec(), other.getSpec());
    }

    @Override
    public Stream<String> keySet() {
        return pauses.keySet().stream();
    }

    @Override
    public Stream<EnforcementPause> values() {
        return pauses.values().stream();
    }

    @Override
    public int size() {
        return pauses.size();
    }

    @Override
    public @Nullable EnforcementPause get(String key) {
        return pauses.get(key);
    }
}
