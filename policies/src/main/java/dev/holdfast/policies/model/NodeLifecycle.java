package dev.holdfast.policies.model;

import java.time.Instant;
import java.util.Optional;

/**
 * Where a node is in its life. Times are by the API server's clock, in seconds.
 *
 * @param ready whether the condition {@code Ready} is true
 * @param readyChanged when that condition last changed; absent where nothing says so
 * @param deletionTime when its deletion was asked for; present means that it goes as soon as nobody keeps it any more
 */
public record NodeLifecycle(
        boolean ready, Optional<Instant> readyChanged, Instant creationTime, Optional<Instant> deletionTime) {
    /** {@return since when the node has been Ready, if it is; its creation if no condition gives the time} */
    public Instant readySince() {
        return readyChanged.orElse(creationTime);
    }
}
