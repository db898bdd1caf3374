package dev.holdfast.operator.observe;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.holdfast.operator.decode.JsonNeeds;
import dev.holdfast.policies.model.Namespace;
import dev.holdfast.policies.model.Node;
import dev.holdfast.policies.model.NodeLife;
import dev.holdfast.policies.model.Pod;
import dev.holdfast.policies.model.Protection;
import io.fabric8.kubernetes.client.utils.KubernetesSerialization;
import java.io.IOException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;

/** Facts as fabric8 reads them from JSON: what is decoded from protobuf is held to them. */
public final class JsonFacts {
    private final ObjectMapper json = new ObjectMapper();
    private final KubernetesSerialization slim = SlimClient.serialization();
    private final CoreFacts facts = new CoreFacts();

    /** {@return an object or a list} */
    public JsonNode read(byte[] body) throws IOException {
        return json.readTree(body);
    }

    /** {@return what is made of the items of a list} */
    public <T> List<T> items(byte[] list, Function<JsonNode, T> fact) throws IOException {
        List<T> made = new ArrayList<>();
        read(list).path("items").forEach(item -> made.add(fact.apply(item)));
        return made;
    }

    public Pod pod(JsonNode object) {
        Pod pod = facts.pod(slim.unmarshal(object.toString(), SlimPod.class));
        Protection protection = pod.protection();
        return new Pod(
                pod.uid(),
                pod.name(),
                pod.resourceVersion(),
                pod.labels(),
                pod.nodeName(),
                pod.scheduling(),
                JsonNeeds.of(object),
                pod.life(),
                new Protection(
                        protection.controller(),
                        protection.priority(),
                        protection.restartPolicy(),
                        protection.mirror(),
                        protection.gangMember(),
                        JsonNeeds.localStorage(object)));
    }

    public Node node(JsonNode object) {
        Node node = facts.node(slim.unmarshal(object.toString(), SlimNode.class));
        Instant created =
                Instant.parse(object.path("metadata").path("creationTimestamp").asText());
        return new Node(
                node.name(),
                node.uid(),
                node.resourceVersion(),
                node.labels(),
                node.taints(),
                node.unschedulable(),
                new NodeLife(node.ready(), readyChanged(object), created),
                JsonNeeds.allocatable(object));
    }

    private static Optional<Instant> readyChanged(JsonNode node) {
        Optional<Instant> changed = Optional.empty();
        for (JsonNode condition : node.path("status").path("conditions")) {
            if (condition.path("type").asText().equals("Ready")
                    && condition.path("lastTransitionTime").isTextual()) {
                changed = Optional.of(
                        Instant.parse(condition.path("lastTransitionTime").asText()));
            }
        }
        return changed;
    }

    public Namespace namespace(JsonNode object) {
        return facts.namespace(slim.unmarshal(object.toString(), SlimNamespace.class));
    }
}
