package dev.holdfast.operator.decode;

import static java.util.Objects.requireNonNullElse;

import com.fasterxml.jackson.databind.JsonNode;
import dev.holdfast.policies.model.CsiNode;
import dev.holdfast.policies.model.CsiVolume;
import dev.holdfast.policies.model.Labels;
import dev.holdfast.policies.model.LimitRange;
import dev.holdfast.policies.model.NamespacedName;
import dev.holdfast.policies.model.NodeSelector;
import dev.holdfast.policies.model.NodeSelectorTerm;
import dev.holdfast.policies.model.Requirement;
import dev.holdfast.policies.model.ResourceQuota;
import dev.holdfast.policies.model.VolumeReach;
import io.fabric8.kubernetes.api.model.LimitRangeItem;
import io.fabric8.kubernetes.api.model.ObjectMeta;
import io.fabric8.kubernetes.api.model.PersistentVolume;
import io.fabric8.kubernetes.api.model.PersistentVolumeClaim;
import io.fabric8.kubernetes.api.model.PersistentVolumeSpec;
import io.fabric8.kubernetes.api.model.Quantity;
import io.fabric8.kubernetes.api.model.ResourceQuotaSpec;
import io.fabric8.kubernetes.api.model.ResourceQuotaStatus;
import io.fabric8.kubernetes.api.model.storage.CSINode;
import io.fabric8.kubernetes.api.model.storage.CSINodeDriver;
import io.fabric8.kubernetes.api.model.storage.StorageClass;
import io.fabric8.kubernetes.client.utils.Serialization;
import java.math.BigDecimal;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * What the decoders make of claims, volumes, storage classes, CSINodes, quotas and LimitRanges, read from JSON by
 * fabric8.
 */
public final class JsonStorage {
    private JsonStorage() {}

    public static ClaimDecoder.Claim claim(JsonNode object) {
        PersistentVolumeClaim claim = as(object, PersistentVolumeClaim.class);
        boolean ofPod = claim.getMetadata().getOwnerReferences().stream()
                .anyMatch(owner -> Boolean.TRUE.equals(owner.getController())
                        && owner.getKind().equals("Pod"));
        return new ClaimDecoder.Claim(
                Optional.ofNullable(claim.getSpec().getVolumeName()),
                Optional.ofNullable(claim.getSpec().getStorageClassName()).filter(name -> !name.isEmpty()),
                ofPod,
                claim.getMetadata().getDeletionTimestamp() != null,
                claim.getStatus() != null && "Lost".equals(claim.getStatus().getPhase()));
    }

    public static VolumeDecoder.Volume volume(JsonNode object) {
        PersistentVolume volume = as(object, PersistentVolume.class);
        PersistentVolumeSpec spec = volume.getSpec();
        return new VolumeDecoder.Volume(
                VolumeReach.of(
                        Optional.ofNullable(spec.getNodeAffinity())
                                .flatMap(affinity -> Optional.ofNullable(affinity.getRequired()))
                                .map(JsonScheduling::nodeSelector),
                        Labels.of(requireNonNullElse(volume.getMetadata().getLabels(), Map.of()))),
                csi(spec));
    }

    private static Optional<CsiVolume> csi(PersistentVolumeSpec spec) {
        if (spec.getAwsElasticBlockStore() != null) {
            return Optional.of(new CsiVolume(
                    "ebs.csi.aws.com", spec.getAwsElasticBlockStore().getVolumeID()));
        }
        if (spec.getAzureDisk() != null) {
            return Optional.of(
                    new CsiVolume("disk.csi.azure.com", spec.getAzureDisk().getDiskURI()));
        }
        return Optional.ofNullable(spec.getCsi()).map(csi -> new CsiVolume(csi.getDriver(), csi.getVolumeHandle()));
    }

    public static StorageClassDecoder.StorageClass storageClass(JsonNode object) {
        StorageClass storageClass = as(object, StorageClass.class);
        List<NodeSelectorTerm> terms = storageClass.getAllowedTopologies().stream()
                .map(term -> new NodeSelectorTerm(
                        term.getMatchLabelExpressions().stream()
                                .map(one -> new Requirement(one.getKey(), "In", one.getValues()))
                                .toList(),
                        List.of()))
                .toList();
        return new StorageClassDecoder.StorageClass(
                storageClass.getProvisioner(),
                storageClass.getVolumeBindingMode().equals("WaitForFirstConsumer"),
                terms.isEmpty() ? VolumeReach.everywhere() : VolumeReach.of(new NodeSelector(terms)));
    }

    public static Versioned<CsiNode> csiNode(JsonNode object) {
        CSINode csiNode = as(object, CSINode.class);
        return new Versioned<>(
                version(csiNode.getMetadata()),
                new CsiNode(
                        csiNode.getMetadata().getName(),
                        requireNonNullElse(csiNode.getSpec().getDrivers(), List.<CSINodeDriver>of()).stream()
                                .collect(Collectors.toMap(CSINodeDriver::getName, JsonStorage::limit))));
    }

    private static OptionalInt limit(CSINodeDriver driver) {
        return driver.getAllocatable() == null || driver.getAllocatable().getCount() == null
                ? OptionalInt.empty()
                : OptionalInt.of(driver.getAllocatable().getCount());
    }

    public static Versioned<ResourceQuota> quota(JsonNode object) {
        io.fabric8.kubernetes.api.model.ResourceQuota quota =
                as(object, io.fabric8.kubernetes.api.model.ResourceQuota.class);
        ObjectMeta metadata = quota.getMetadata();
        ResourceQuotaSpec spec = quota.getSpec();
        ResourceQuotaStatus status = requireNonNullElse(quota.getStatus(), new ResourceQuotaStatus());
        Set<String> scopes = new HashSet<>(spec.getScopes());
        if (spec.getScopeSelector() != null) {
            spec.getScopeSelector().getMatchExpressions().forEach(one -> scopes.add(one.getScopeName()));
        }
        Map<String, BigDecimal> hard = new HashMap<>(amounts(spec.getHard()));
        amounts(status.getHard()).forEach((name, amount) -> hard.computeIfPresent(name, (_, it) -> it.min(amount)));
        return new Versioned<>(
                version(metadata),
                new ResourceQuota(
                        metadata.getUid(),
                        new NamespacedName(metadata.getNamespace(), metadata.getName()),
                        scopes,
                        hard,
                        amounts(status.getUsed())));
    }

    public static Versioned<LimitRange> limitRange(JsonNode object) {
        io.fabric8.kubernetes.api.model.LimitRange limitRange =
                as(object, io.fabric8.kubernetes.api.model.LimitRange.class);
        ObjectMeta metadata = limitRange.getMetadata();
        return new Versioned<>(
                version(metadata),
                new LimitRange(
                        metadata.getUid(),
                        new NamespacedName(metadata.getNamespace(), metadata.getName()),
                        limitRange.getSpec().getLimits().stream()
                                .filter(item -> Set.of("Pod", "Container").contains(item.getType()))
                                .map(JsonStorage::item)
                                .toList()));
    }

    private static LimitRange.Item item(LimitRangeItem item) {
        return new LimitRange.Item(
                LimitRange.Type.valueOf(item.getType().toUpperCase(Locale.ROOT)),
                thousandths(item.getMax()),
                thousandths(item.getMin()),
                thousandths(item.getDefault()),
                thousandths(item.getDefaultRequest()),
                thousandths(item.getMaxLimitRequestRatio()));
    }

    private static Map<String, Long> thousandths(Map<String, Quantity> quantities) {
        return amounts(quantities).entrySet().stream()
                .collect(Collectors.toMap(
                        Map.Entry::getKey,
                        entry -> entry.getValue().movePointRight(3).longValueExact()));
    }

    private static Map<String, BigDecimal> amounts(Map<String, Quantity> quantities) {
        return requireNonNullElse(quantities, Map.<String, Quantity>of()).entrySet().stream()
                .collect(Collectors.toMap(
                        Map.Entry::getKey,
                        entry -> entry.getValue().getNumericalAmount().stripTrailingZeros()));
    }

    private static long version(ObjectMeta metadata) {
        return Long.parseLong(metadata.getResourceVersion());
    }

    private static <T> T as(JsonNode object, Class<T> type) {
        return Serialization.unmarshal(object.toString(), type);
    }
}
