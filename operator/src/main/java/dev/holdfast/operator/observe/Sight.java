package dev.holdfast.operator.observe;

import dev.holdfast.policies.model.ClusterEvent;
import io.fabric8.kubernetes.api.model.ObjectMeta;
import java.time.Instant;
import java.time.InstantSource;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;

/**
 * What has been seen of one kind: of each object only its id and version, so that an unchanged object is not told twice
 * and one that vanished unseen is told as gone. One thread at a time gets in.
 */
final class Sight<T extends SlimObject> {
    private final Kind<T> kind;
    private final InstantSource clock;
    private final Consumer<ClusterEvent> sink;
    private final Map<String, String> versions = new HashMap<>();
    private volatile Instant heard;
    private volatile Instant changesHeard;
    private String reached = "";

    Sight(Kind<T> kind, InstantSource clock, Consumer<ClusterEvent> sink) {
        this.kind = kind;
        this.clock = clock;
        this.sink = sink;
        this.heard = clock.instant();
        this.changesHeard = heard;
    }

    synchronized void changed(T object) {
        changesHeard = clock.instant();
        String version = object.getMetadata().getResourceVersion();
        ClusterEvent change = read(object);
        if (!version.equals(versions.put(kind.id().apply(object), version))) {
            sink.accept(change);
        }
        reached = version;
    }

    private ClusterEvent read(T object) {
        try {
            return kind.changed().apply(object);
        } catch (RuntimeException e) {
            ObjectMeta metadata = object.getMetadata();
            throw new IllegalStateException(
                    kind + " " + metadata.getNamespace() + "/" + metadata.getName() + " cannot be read: " + e, e);
        }
    }

    synchronized void deleted(T object) {
        changesHeard = clock.instant();
        gone(kind.id().apply(object));
        reached = object.getMetadata().getResourceVersion();
    }

    /** Everything up to this version has been seen. */
    synchronized void reached(String version) {
        changesHeard = clock.instant();
        reached = version;
    }

    /** The API server has given a sign of life, or is asked for one. */
    void alive() {
        heard = clock.instant();
    }

    /** These are all there are, as of this version: whatever else is known is gone. */
    synchronized void listed(Set<String> ids, String version) {
        Set<String> vanished = new HashSet<>(versions.keySet());
        vanished.removeAll(ids);
        vanished.forEach(this::gone);
        reached(version);
    }

    private void gone(String id) {
        if (versions.remove(id) != null) {
            sink.accept(kind.gone().apply(id));
        }
    }

    /** {@return how many objects there are} */
    int size() {
        return versions.size();
    }

    /** {@return the version up to which everything has been seen; a change that is being taken in is waited for} */
    synchronized String reached() {
        return reached;
    }

    /** {@return when changes were last heard of, or that there are none: what has happened since may be unseen} */
    Instant changesHeard() {
        return changesHeard;
    }

    /** {@return when the API server last said anything about this kind} */
    Instant heard() {
        return heard;
    }
}
