package dev.holdfast.operator.offline.dump;

import dev.holdfast.operator.api.StorageObjects;
import dev.holdfast.operator.decode.ClaimDecoder;
import dev.holdfast.operator.decode.StorageClassDecoder;
import dev.holdfast.operator.decode.VolumeDecoder;
import dev.holdfast.policies.model.ClaimedVolume;
import dev.holdfast.policies.model.NamespacedName;
import dev.holdfast.policies.model.Pod;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * The claims, volumes and storage classes of dumps. If dumps have no claims, the claims were probably left out. Then
 * every volume counts as unreadable.
 * A claim that is not there is missing, unless a pod shows that it exists or will be created.
 */
public final class DumpedVolumes implements StorageObjects<RuntimeException>, ClaimVolumes {
    private static final String NOT_READ =
            "claims, volumes or storage classes were not read: give pvc,pv,storageclasses too";

    private final Map<NamespacedName, ClaimDecoder.Claim> claims = new HashMap<>();
    private final Map<String, VolumeDecoder.Volume> volumes = new HashMap<>();
    private final Map<String, StorageClassDecoder.StorageClass> storageClasses = new HashMap<>();

    /** The claims that exist, to judge by the pods, or that a controller creates. */
    private final Set<NamespacedName> expected = new HashSet<>();

    void add(NamespacedName name, ReadObject.OfStorage object) {
        switch (object) {
            case ReadObject.Claim(ClaimDecoder.Claim claim) -> claims.put(name, claim);
            case ReadObject.Volume(VolumeDecoder.Volume volume) -> volumes.put(name.name(), volume);
            case ReadObject.StorageClass(StorageClassDecoder.StorageClass storageClass) ->
                storageClasses.put(name.name(), storageClass);
        }
    }

    /**
     * Sees a pod. The claims of a bound pod exist, because nothing deletes them while it runs. The claim of a generic
     * ephemeral volume is created with its pod, and that of a StatefulSet with the pod of its number.
     */
    public void see(Pod pod) {
        String name = pod.name().name();
        boolean bound = pod.nodeName().isPresent() && !pod.finished();
        pod.podRequirements().claims().stream()
                .filter(claim -> bound || claim.startsWith(name + "-") || claim.endsWith("-" + name))
                .forEach(claim -> expected.add(new NamespacedName(pod.namespace(), claim)));
    }

    /** Adds the objects of other files, which replace objects with the same names. */
    public void addAll(DumpedVolumes others) {
        claims.putAll(others.claims);
        volumes.putAll(others.volumes);
        storageClasses.putAll(others.storageClasses);
        expected.addAll(others.expected);
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
        return claim.isEmpty() && !expected.contains(name)
                ? new ClaimedVolume.Missing()
                : StorageObjects.super.volumeOf(name);
    }
}
