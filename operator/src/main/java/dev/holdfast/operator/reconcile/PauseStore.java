package dev.holdfast.operator.reconcile;

import dev.holdfast.crds.v1alpha1.EnforcementPause;
import dev.holdfast.operator.translate.PauseReading;
import dev.holdfast.operator.translate.PauseTranslator;
import dev.holdfast.policies.engine.protocol.Event;
import io.fabric8.kubernetes.client.informers.cache.Cache;
import io.fabric8.kubernetes.client.informers.cache.ItemStore;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The informer's store of EnforcementPauses. The store sends each change of a spec to the engine on the informer's
 * thread. The engine gets pauses from no other source, so it has the same pauses as the store. The store keeps what was
 * read of each spec, and drops the spec itself.
 */
final class PauseStore implements ItemStore<EnforcementPause> {
    private final Consumer<Event> engine;
    private final Map<String, Known> pauses = new ConcurrentHashMap<>();

    /** A pause without its spec, and what was read of the spec. */
    private record Known(EnforcementPause pause, PauseReading reading) {
        boolean isOf(EnforcementPause other) {
            return pause.getMetadata().getUid().equals(other.getMetadata().getUid());
        }
    }

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
        Known before = pauses.put(key, new Known(pause, reading));
        if (before == null || !before.isOf(pause) || !before.reading().equals(reading)) {
            deliver(reading);
        }
        return before == null ? null : before.pause();
    }

    @Override
    public synchronized @Nullable EnforcementPause remove(String key) {
        Known before = pauses.remove(key);
        if (before == null) {
            return null;
        }
        engine.accept(new Event.PauseRemoved(before.reading().pause().name()));
        return before.pause();
    }

    /** Sends all pauses in the store to the engine. */
    synchronized void deliverAll() {
        pauses.values().forEach(known -> deliver(known.reading()));
    }

    private void deliver(PauseReading reading) {
        engine.accept(new Event.PauseChanged(reading.pause()));
    }

    /**
     * {@return what was read of the spec of a pause; empty if it is deleted, or if another pause has its name now, or
     * if another generation of it is in the store}
     */
    Optional<PauseReading> reading(EnforcementPause pause) {
        return Optional.ofNullable(pauses.get(getKey(pause)))
                .filter(known -> known.isOf(pause)
                        && Objects.equals(
                                known.pause().getMetadata().getGeneration(),
                                pause.getMetadata().getGeneration()))
                .map(Known::reading);
    }

    @Override
    public Stream<String> keySet() {
        return pauses.keySet().stream();
    }

    @Override
    public Stream<EnforcementPause> values() {
        return pauses.values().stream().map(Known::pause);
    }

    @Override
    public int size() {
        return pauses.size();
    }

    @Override
    public @Nullable EnforcementPause get(String key) {
        Known known = pauses.get(key);
        return known == null ? null : known.pause();
    }
}
