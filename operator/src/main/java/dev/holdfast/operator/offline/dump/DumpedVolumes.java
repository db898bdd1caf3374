package dev.holdfast.operator.offline.dump;

import dev.holdfast.operator.api.StorageObjects;
import dev.holdfast.operator.decode.ClaimDecoder;
import dev.holdfast.operator.decode.StorageClassDecoder;
import dev.holdfast.operator.decode.VolumeDecoder;
import dev.holdfast.policies.model.ClaimedVolume;
import dev.holdfast.policies.model.NamespacedName;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/**
 * The claims, volumes and storage classes of dumps. If dumps have no claims, the claims were probably left out. Then
 * every volume counts as unreadable.
 */
public final class DumpedVolumes implements StorageObjects<RuntimeException>, ClaimVolumes {
    private static final String NOT_READ =
            "claims, volumes or storage classes were not read: give pvc,pv,storageclasses too";

    private final Map<NamespacedName, ClaimDecoder.Claim> claims = new HashMap<>();
    private final Map<String, VolumeDecoder.Volume> volumes = new HashMap<>();
    private final Map<String, StorageClassDecoder.StorageClass> storageClasses = new HashMap<>();

    void add(NamespacedName name, ReadObject.OfStorage object) {
        switch (object) {
            case ReadObject.Claim(ClaimDecoder.Claim claim) -> claims.put(name, claim);
            case ReadObject.Volume(VolumeDecoder.Volume volume) -> volumes.put(name.name(), volume);
            case ReadObject.StorageClass(StorageClassDecoder.StorageClass storageClass) ->
                storageClasses.put(name.name(), storageClass);
        }
    }

    /** Adds the objects of other files, which replace objects with the same names. */
    public void addAll(DumpedVolumes others) {
        claims.putAll(others.claims);
        volumes.putAll(others.volumes);
        storageClasses.putAll(others.storageClasses);
    }

    @Override
    public Optional<ClaimDecoder.Claim> claim(NamespacedName name) {
        return Optional.ofNullable(claims.get(name));
    }

    @Override
    public Optional<VolumeDecoder.Volume> volume(String name) {
        return Optional.ofNullable(volumes.get(name));
    }

    @Override
    public Optional<StorageClassDecoder.StorageClass> storageClass(String name) {
        return Optional.ofNullable(storageClasses.get(name));
    }

    @Override
    public ClaimedVolume apply(NamespacedName claim) {
        return volumeOf(claim);
    }

    @Override
    public ClaimedVolume next(NamespacedName claim) {
        return claims.isEmpty() || storageClasses.isEmpty()
                ? new ClaimedVolume.Unreadable(NOT_READ)
                : nextVolumeOf(claim);
    }

    @Override
    public ClaimedVolume volumeOf(NamespacedName name) {
        Optional<ClaimDecoder.Claim> claim = claim(name);
        if (claims.isEmpty()
                || claim.filter(it -> it.ownedByPod() ? storageClasses.isEmpty() : volumes.isEmpty())
                        .filter(it -> it.ownedByPod() || it.volume().isPresent())
                        .isPresent()) {
            return new ClaimedVolume.Unreadable(NOT_READ);
        }
        return StorageObjects.super.volumeOf(name);
    }
}
