package dev.holdfast.it.incident;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.holdfast.policies.model.Node;
import java.util.stream.StreamSupport;

/** From which nodes the volumes can be reached that claims are bound to: those of one zone, as clouds make them. */
final class Volumes {
    private static final String ZONE = "topology.kubernetes.io/zone";

    private final ObjectStore store;

    Volumes(ObjectStore store) {
        this.store = store;
    }

    /** {@return whether a node can reach all volumes of a pod} */
    boolean reach(ObjectNode pod, Node node) {
        return StreamSupport.stream(pod.path("spec").path("volumes").spliterator(), false)
                .map(volume -> volume.path("persistentVolumeClaim").path("claimName"))
                .filter(JsonNode::isTextual)
                .allMatch(claim -> reaches(Pods.namespace(pod), claim.asText(), node));
    }

    private boolean reaches(String namespace, String claim, Node node) {
        JsonNode zones = store.find(new ObjectStore.Key("PersistentVolumeClaim", namespace, claim))
                .flatMap(it -> store.find(new ObjectStore.Key(
                        "PersistentVolume",
                        "",
                        it.path("spec").path("volumeName").asText())))
                .orElseThrow(() -> new IllegalStateException("claim " + claim + " is not bound"))
                .at("/spec/nodeAffinity/required/nodeSelectorTerms/0/matchExpressions/0");
        if (!zones.path("key").asText().equals(ZONE)) {
            throw new IllegalStateException("volumes here are of zones, not as that of claim " + claim);
        }
        return StreamSupport.stream(zones.path("values").spliterator(), false)
                .anyMatch(zone ->
                        node.labels().get(ZONE).filter(zone.asText()::equals).isPresent());
    }
}
