package dev.holdfast.operator.api;

import dev.holdfast.operator.decode.ClaimDecoder;
import dev.holdfast.operator.decode.StorageClassDecoder;
import dev.holdfast.operator.decode.VolumeDecoder;
import dev.holdfast.operator.decode.protobuf.ObjectReader;
import dev.holdfast.policies.model.ClaimedVolume;
import dev.holdfast.policies.model.NamespacedName;
import java.util.Optional;

/**
 * Reads a PersistentVolumeClaim, and its PersistentVolume or StorageClass, to find the nodes on which a replacement of
 * its pod can use the volume.
 */
final class ClaimReader implements StorageObjects<InterruptedException> {
    private final SingleObjectReader gets;
    private final ObjectReader<ClaimDecoder.Claim> claims =
            new ObjectReader<>("PersistentVolumeClaim", ClaimDecoder::new);
    private final ObjectReader<VolumeDecoder.Volume> volumes =
            new ObjectReader<>("PersistentVolume", VolumeDecoder::new);
    private final ObjectReader<StorageClassDecoder.StorageClass> storageClasses =
            new ObjectReader<>("StorageClass", StorageClassDecoder::new);

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
            return volumeOf(claim);
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
            return new ClaimedVolume.Unreadable("the operator stops");
        } catch (RuntimeException e) {
            return new ClaimedVolume.Unreadable(ApiErrorText.of(
                    "get", "persistentvolumeclaims, persistentvolumes and storageclasses.storage.k8s.io", e));
        }
    }

    @Override
    public Optional<ClaimDecoder.Claim> claim(NamespacedName name) throws InterruptedException {
        return gets.get(
                "/api/v1/namespaces/" + SingleObjectReader.segment(name.namespace()) + "/persistentvolumeclaims/"
                        + SingleObjectReader.segment(name.name()),
                claims::read);
    }

    @Override
    public Optional<VolumeDecoder.Volume> volume(String name) throws InterruptedException {
        return gets.get("/api/v1/persistentvolumes/" + SingleObjectReader.segment(name), volumes::read);
    }

    @Override
    public Optional<StorageClassDecoder.StorageClass> storageClass(String name) throws InterruptedException {
        return gets.get(
                "/apis/storage.k8s.io/v1/storageclasses/" + SingleObjectReader.segment(name), storageClasses::read);
    }
}
