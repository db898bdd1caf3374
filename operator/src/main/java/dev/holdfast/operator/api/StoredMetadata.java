package dev.holdfast.operator.api;

import dev.holdfast.policies.model.DisruptionAnnotations;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.ObjectMeta;
import java.util.List;
import java.util.Map;

/**
 * What an informer's store keeps of an object's metadata. Labels, annotations, finalizers and managed fields may take a
 * megabyte of each policy, and of these Holdfast reads one annotation.
 */
public final class StoredMetadata {
    private StoredMetadata() {}

    /** Takes out of an object, which no other thread has yet, what Holdfast does not read. */
    public static void trim(HasMetadata object) {
        ObjectMeta metadata = object.getMetadata();
        Map<String, String> annotations = metadata.getAnnotations();
        String acknowledged = annotations == null ? null : annotations.get(DisruptionAnnotations.ACKNOWLEDGE);
        metadata.setAnnotations(
                acknowledged == null ? Map.of() : Map.of(DisruptionAnnotations.ACKNOWLEDGE, acknowledged));
        metadata.setLabels(Map.of());
        metadata.setManagedFields(List.of());
        metadata.setFinalizers(List.of());
        metadata.setOwnerReferences(List.of());
    }
}
