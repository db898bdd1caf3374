package dev.holdfast.operator.observe;

import dev.holdfast.policies.model.ClusterEvent;
import io.fabric8.kubernetes.api.model.ObjectMeta;
import java.util.function.Function;

/**
 * A kind whose objects come as JSON.
 *
 * @param id what tells that an object is gone
 */
record Slim<T extends SlimObject>(Class<T> type, Function<T, String> id, Function<T, ClusterEvent> changed) {
    void changed(Sight sight, T object) {
        ClusterEvent change;
        long version;
        try {
            version = CoreFacts.version(object);
            change = changed.apply(object);
        } catch (RuntimeException e) {
            ObjectMeta metadata = object.getMetadata();
            throw new IllegalStateException(
                    sight.kind() + " " + metadata.getNamespace() + "/" + metadata.getName() + " cannot be read: " + e,
                    e);
        }
        sight.changed(id.apply(object), version, change);
    }

    void deleted(Sight sight, T object) {
        sight.deleted(id.apply(object), CoreFacts.version(object));
    }
}
