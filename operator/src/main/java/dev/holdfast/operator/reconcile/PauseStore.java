package dev.holdfast.operator.reconcile;

import dev.holdfast.crds.v1alpha1.EnforcementPause;
import dev.holdfast.operator.translate.PauseReading;
import dev.holdfast.operator.translate.PauseTranslator;
import dev.holdfast.policies.engine.protocol.Event;
import io.fabric8.kubernetes.client.informers.cache.Cache;
import io.fabric8.kubernetes.client.informers.cache.ItemStore;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The informer's store of EnforcementPauses. It sends each change of a spec to the engine on the informer's thread. The
 * engine gets pauses from no other source, so it has the same pauses as the store. The store keeps what was read of each
 * spec, and drops the spec itself.
 */
final class PauseStore implements ItemStore<EnforcementPause> {
    private final Consumer<Event> engine;
    private final Map<String, EnforcementPause> pauses = new ConcurrentHashMap<>();
    private final Map<String, PauseReading> readings = new ConcurrentHashMap<>();

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
        PauseReading reading = PauseTranslator.translate(pause);
        pause.setSpec(null);
        PauseReading known = readings.put(key, reading);
        EnforcementPause before = pauses.put(key, pause);
        if (before == null || !uid(before).equals(uid(pause)) || !reading.equals(known)) {
            deliver(reading);
        }
        return before;
    }

    @Override
    public synchronized @Nullable EnforcementPause remove(String key) {
        readings.remove(key);
        EnforcementPause before = pauses.remove(key);
        if (before != null) {
            engine.accept(new Event.PauseRemoved(before.getMetadata().getName()));
        }
        return before;
    }

    /** Sends all pauses in the store to the engine. */
    synchronized void deliverAll() {
        readings.values().forEach(this::deliver);
    }

    private void deliver(PauseReading reading) {
        engine.accept(new Event.PauseChanged(reading.pause()));
    }

    /** {@return what was read of the spec of a pause; empty if it is deleted, or if another pause has its name now} */
    synchronized Optional<PauseReading> reading(EnforcementPause pause) {
        return Optional.ofNullable(pauses.get(getKey(pause)))
                .filter(it -> uid(it).equals(uid(pause)))
                .flatMap(it -> Optional.ofNullable(readings.get(getKey(it))));
    }

    private static String uid(EnforcementPause pause) {
        return pause.getMetadata().getUid();
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
