package dev.holdfast.operator.offline.dump;

import dev.holdfast.operator.decode.ClaimDecoder;
import dev.holdfast.operator.decode.SelectorDecoder;
import dev.holdfast.operator.decode.StorageClassDecoder;
import dev.holdfast.operator.decode.VolumeDecoder;
import dev.holdfast.policies.model.ClusterEvent;

/** An object of a dump, decoded. */
public sealed interface ReadObject {
    /** An object that the engine knows. */
    record Fact(ClusterEvent event) implements ReadObject {}

    /** A controller that the engine knows, with the selector of its pods. */
    record Selecting(ClusterEvent event, SelectorDecoder.Selection selection) implements ReadObject {}

    /** An object of which only the selector of its pods is read. */
    record Selector(SelectorDecoder.Selection selection) implements ReadObject {}

    /** An object from which follows where a volume can be used. */
    sealed interface OfStorage extends ReadObject {}

    record Claim(ClaimDecoder.Claim claim) implements OfStorage {}

    record Volume(VolumeDecoder.Volume volume) implements OfStorage {}

    record StorageClass(StorageClassDecoder.StorageClass storageClass) implements OfStorage {}
}
