package dev.holdfast.operator.api;

import dev.holdfast.operator.decode.ClaimDecoder;
import dev.holdfast.operator.decode.StorageClassDecoder;
import dev.holdfast.operator.decode.VolumeDecoder;
import dev.holdfast.operator.decode.protobuf.ObjectReader;
import dev.holdfast.policies.model.ClaimedVolume;
import dev.holdfast.policies.model.NamespacedName;
import dev.holdfast.policies.model.VolumeReach;
import java.util.Optional;

/**
 * Reads a PersistentVolumeClaim, and its PersistentVolume or StorageClass, to find the nodes on which a replacement of
 * its pod can use the volume.
 */
final class ClaimReader {
    /** The provisioner of a StorageClass whose volumes an administrator makes by hand. */
    private static final String NO_PROVISIONER = "kubernetes.io/no-provisioner";

    private final SingleObjectReader gets;
    private final ObjectReader<ClaimDecoder.Claim> claims =
            new ObjectReader<>("PersistentVolumeClaim", new ClaimDecoder());
    private final ObjectReader<VolumeDecoder.Volume> volumes =
            new ObjectReader<>("PersistentVolume", new VolumeDecoder());
    private final ObjectReader<StorageClassDecoder.StorageClass> storageClasses =
            new ObjectReader<>("StorageClass", new StorageClassDecoder());

    ClaimReader(SingleObjectReader gets) {
        this.gets = gets;
    }

    /**
     * {@return the volume of a claim, or {@code Unreadable} with the reason}
     *
     * <p>If the calling thread is interrupted, the result is {@code Unreadable} and the thread stays interrupted.
     */
    ClaimedVolume volume(NamespacedName claim) {
        try {
            Optional<ClaimDecoder.Claim> found = gets.get(
                    "/api/v1/namespaces/" + SingleObjectReader.segment(claim.namespace()) + "/persistentvolumeclaims/"
                            + SingleObjectReader.segment(claim.name()),
                    claims);
            if (found.isEmpty()) {
                return new ClaimedVolume.Unreadable("there is no such claim");
            }
            return found.get().ownedByPod() ? ephemeral(found.get()) : lasting(found.get());
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
            return new ClaimedVolume.Unreadable("the operator stops");
        } catch (RuntimeException e) {
            return new ClaimedVolume.Unreadable(ApiErrorText.of(
                    "get", "persistentvolumeclaims, persistentvolumes and storageclasses.storage.k8s.io", e));
        }
    }

    /** {@return the volume of a claim that the replacement will use, too} */
    private ClaimedVolume lasting(ClaimDecoder.Claim claim) throws InterruptedException {
        if (claim.terminating()) {
            return new ClaimedVolume.Unreadable("it is being deleted");
        }
        if (claim.volume().isEmpty()) {
            return new ClaimedVolume.Unreadable("it is not bound to a volume");
        }
        String name = claim.volume().get();
        Optional<VolumeDecoder.Volume> volume = claim.lost() ? Optional.empty() : volume(name);
        return volume.<ClaimedVolume>map(it -> new ClaimedVolume.Bound(name, it.reach(), it.csi()))
                .orElseGet(
                        () -> new ClaimedVolume.Unreadable("it is bound to volume " + name + ", which does not exist"));
    }

    /** {@return the volume of a claim that is deleted with its pod: the replacement gets a new one of the same class} */
    private ClaimedVolume ephemeral(ClaimDecoder.Claim claim) throws InterruptedException {
        if (claim.storageClass().isEmpty()) {
            return new ClaimedVolume.Unreadable("it has no StorageClass that makes volumes on demand");
        }
        String name = claim.storageClass().get();
        Optional<StorageClassDecoder.StorageClass> found =
                gets.get("/apis/storage.k8s.io/v1/storageclasses/" + SingleObjectReader.segment(name), storageClasses);
        if (found.isEmpty()) {
            return new ClaimedVolume.Unreadable("its StorageClass " + name + " does not exist");
        }
        StorageClassDecoder.StorageClass storageClass = found.get();
        if (storageClass.provisioner().equals(NO_PROVISIONER)) {
            return new ClaimedVolume.Unreadable("its StorageClass " + name + " makes no volumes on demand");
        }
        if (storageClass.waitsForConsumer() || isEverywhere(claim.volume())) {
            return new ClaimedVolume.Ephemeral(
                    name,
                    storageClass.waitsForConsumer() ? storageClass.reach() : VolumeReach.everywhere(),
                    storageClass.provisioner());
        }
        return new ClaimedVolume.Unreadable("its StorageClass " + name
                + " makes the volume before the pod has a node (volumeBindingMode: Immediate), and which nodes"
                + " can use it is unknown");
    }

    /** {@return whether every node can use the present volume, so that the next one of its class will be the same} */
    private boolean isEverywhere(Optional<String> volume) throws InterruptedException {
        return volume.isPresent()
                && volume(volume.get()).filter(it -> it.reach().isEverywhere()).isPresent();
    }

    private Optional<VolumeDecoder.Volume> volume(String name) throws InterruptedException {
        return gets.get("/api/v1/persistentvolumes/" + SingleObjectReader.segment(name), volumes);
    }
}
