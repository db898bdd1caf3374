package dev.holdfast.operator.api;

import dev.holdfast.operator.decode.ClaimDecoder;
import dev.holdfast.operator.decode.StorageClassDecoder;
import dev.holdfast.operator.decode.VolumeDecoder;
import dev.holdfast.policies.model.ClaimedVolume;
import dev.holdfast.policies.model.NamespacedName;
import dev.holdfast.policies.model.VolumeReach;
import java.util.Optional;

/**
 * Claims, volumes and storage classes, wherever they are read from. These objects show on which nodes a replacement of
 * a pod can use its volume.
 *
 * @param <E> the exception of a lookup
 */
public interface StorageObjects<E extends Exception> {
    /** The provisioner of a StorageClass whose volumes an administrator makes by hand. */
    String NO_PROVISIONER = "kubernetes.io/no-provisioner";

    /** {@return the claim; empty if there is none} */
    Optional<ClaimDecoder.Claim> claim(NamespacedName name) throws E;

    /** {@return the PersistentVolume; empty if there is none} */
    Optional<VolumeDecoder.Volume> volume(String name) throws E;

    /** {@return the StorageClass; empty if there is none} */
    Optional<StorageClassDecoder.StorageClass> storageClass(String name) throws E;

    /** {@return the volume of a claim, or {@code Unreadable} with the reason} */
    default ClaimedVolume volumeOf(NamespacedName claim) throws E {
        Optional<ClaimDecoder.Claim> found = claim(claim);
        if (found.isEmpty()) {
            return new ClaimedVolume.Unreadable("there is no such claim");
        }
        return found.get().ownedByPod() ? ephemeral(found.get()) : lasting(found.get());
    }

    /** {@return the volume that a new claim would get which is like this one, or {@code Unreadable} with the reason} */
    default ClaimedVolume nextVolumeOf(NamespacedName claim) throws E {
        Optional<ClaimDecoder.Claim> found = claim(claim);
        return found.isEmpty() ? new ClaimedVolume.Unreadable("there is no such claim") : ephemeral(found.get());
    }

    /** {@return the volume of a claim that the replacement will use, too} */
    private ClaimedVolume lasting(ClaimDecoder.Claim claim) throws E {
        if (claim.terminating()) {
            return new ClaimedVolume.Unreadable("it is being deleted");
        }
        if (claim.volume().isEmpty()) {
            return unbound(claim);
        }
        String name = claim.volume().get();
        Optional<VolumeDecoder.Volume> volume = claim.lost() ? Optional.empty() : volume(name);
        return volume.<ClaimedVolume>map(it -> new ClaimedVolume.Bound(name, it.reach(), it.csi()))
                .orElseGet(
                        () -> new ClaimedVolume.Unreadable("it is bound to volume " + name + ", which does not exist"));
    }

    /** {@return the volume that the driver makes for the first pod of the claim, if its StorageClass waits for one} */
    private ClaimedVolume unbound(ClaimDecoder.Claim claim) throws E {
        String name = claim.storageClass().orElse("");
        return (name.isEmpty() ? Optional.<StorageClassDecoder.StorageClass>empty() : storageClass(name))
                .filter(StorageClassDecoder.StorageClass::waitsForConsumer)
                .filter(it -> !it.provisioner().equals(NO_PROVISIONER))
                .<ClaimedVolume>map(it -> new ClaimedVolume.OnDemand(name, it.reach(), it.provisioner()))
                .orElseGet(() -> new ClaimedVolume.Unreadable("it is not bound to a volume"));
    }

    /**
     * {@return the volume of a claim that is deleted with its pod: the replacement gets a new one of the same class}
     */
    private ClaimedVolume ephemeral(ClaimDecoder.Claim claim) throws E {
        if (claim.storageClass().isEmpty()) {
            return new ClaimedVolume.Unreadable("it has no StorageClass that makes volumes on demand");
        }
        String name = claim.storageClass().get();
        Optional<StorageClassDecoder.StorageClass> found = storageClass(name);
        if (found.isEmpty()) {
            return new ClaimedVolume.Unreadable("its StorageClass " + name + " does not exist");
        }
        StorageClassDecoder.StorageClass storageClass = found.get();
        if (storageClass.provisioner().equals(NO_PROVISIONER)) {
            return new ClaimedVolume.Unreadable("its StorageClass " + name + " makes no volumes on demand");
        }
        if (storageClass.waitsForConsumer() || isEverywhere(claim.volume())) {
            return new ClaimedVolume.OnDemand(
                    name,
                    storageClass.waitsForConsumer() ? storageClass.reach() : VolumeReach.everywhere(),
                    storageClass.provisioner());
        }
        return new ClaimedVolume.Unreadable("its StorageClass " + name
                + " makes the volume before the pod has a node (volumeBindingMode: Immediate), and which nodes"
                + " can use it is unknown");
    }

    /** {@return whether every node can use the present volume, so that the next one of its class will be the same} */
    private boolean isEverywhere(Optional<String> volume) throws E {
        return volume.isPresent()
                && volume(volume.get()).filter(it -> it.reach().isEverywhere()).isPresent();
    }
}
