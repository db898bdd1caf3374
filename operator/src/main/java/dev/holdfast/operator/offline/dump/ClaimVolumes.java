package dev.holdfast.operator.offline.dump;

import dev.holdfast.policies.model.ClaimedVolume;
import dev.holdfast.policies.model.NamespacedName;
import java.util.function.Function;

/** The volumes of claims. */
@FunctionalInterface
public interface ClaimVolumes extends Function<NamespacedName, ClaimedVolume> {
    /** {@return the volume that a new claim would get which is like this one} By default, nothing is known about it. */
    default ClaimedVolume next(NamespacedName claim) {
        return new ClaimedVolume.Unreadable("there is no such claim");
    }
}
