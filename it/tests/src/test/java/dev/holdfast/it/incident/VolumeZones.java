package dev.holdfast.it.incident;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.holdfast.policies.model.ClaimedVolume;
import dev.holdfast.policies.model.NamespacedName;
import dev.holdfast.policies.model.Node;
import dev.holdfast.policies.model.NodeSelector;
import dev.holdfast.policies.model.NodeSelectorTerm;
import dev.holdfast.policies.model.Requirement;
import dev.holdfast.policies.model.VolumeReach;
import java.util.List;
import java.util.Optional;
import java.util.stream.StreamSupport;

/** The zones in which volumes are reachable, as for zonal cloud disks. All PersistentVolumeClaims are bound. */
final class VolumeZones {
    private static final String ZONE = "topology.kubernetes.io/zone";

    private final ObjectStore store;

    VolumeZones(ObjectStore store) {
        this.store = store;
    }

    /** {@return whether a node can reach all volumes of a pod} */
    boolean reach(ObjectNode pod, Node node) {
        return StreamSupport.stream(pod.path("spec").path("volumes").spliterator(), false)
                .map(volume -> volume.path("persistentVolumeClaim").path("claimName"))
                .filter(JsonNode::isTextual)
                .allMatch(claim -> reaches(PodObjects.namespace(pod), claim.asText(), node));
    }

    private boolean reaches(String namespace, String claim, Node node) {
        return node.labels()
                .get(ZONE)
                .filter(zones(volume(namespace, claim))::contains)
                .isPresent();
    }

    /** {@return the volume that a PersistentVolumeClaim is bound to, as the operator reads it} */
    ClaimedVolume behind(NamespacedName claim) {
        ObjectNode volume = volume(claim.namespace(), claim.name());
        Requirement inZones = new Requirement(ZONE, "In", zones(volume));
        return new ClaimedVolume.Bound(
                PodObjects.name(volume),
                VolumeReach.of(new NodeSelector(List.of(new NodeSelectorTerm(List.of(inZones), List.of())))),
                Optional.empty());
    }

    private ObjectNode volume(String namespace, String claim) {
        return store.find(new ObjectStore.Key("PersistentVolumeClaim", namespace, claim))
                .flatMap(it -> store.find(new ObjectStore.Key(
                        "PersistentVolume",
                        "",
                        it.path("spec").path("volumeName").asText())))
                .orElseThrow(() -> new IllegalStateException("claim " + claim + " is not bound"));
    }

    private static List<String> zones(JsonNode volume) {
        JsonNode zones = volume.at("/spec/nodeAffinity/required/nodeSelectorTerms/0/matchExpressions/0");
        if (!zones.path("key").asText().equals(ZONE)) {
            throw new IllegalStateException("volumes here are of zones, not as " + volume);
        }
        return StreamSupport.stream(zones.path("values").spliterator(), false)
                .map(JsonNode::asText)
                .toList();
    }
}
