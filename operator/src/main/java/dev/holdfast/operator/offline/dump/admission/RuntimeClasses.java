package dev.holdfast.operator.offline.dump.admission;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.holdfast.operator.decode.PodDecoder;
import dev.holdfast.operator.offline.dump.json.JsonTranscoder;
import dev.holdfast.operator.offline.dump.json.MessageType;
import dev.holdfast.policies.model.Labels;
import dev.holdfast.policies.model.Pod;
import dev.holdfast.policies.model.Resources;
import dev.holdfast.policies.model.Scheduling;
import dev.holdfast.policies.model.Toleration;
import java.io.IOException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.TreeMap;

/**
 * What RuntimeClasses add to new pods: an overhead, a node selector and tolerations. A class is read as a pod with
 * nothing else.
 */
final class RuntimeClasses {
    private static final ObjectMapper JSON = new ObjectMapper();

    private final Map<String, Pod> classes = new HashMap<>();

    /**
     * Notes a RuntimeClass as it is written.
     *
     * @throws IOException if a field is wrong
     */
    void add(ObjectNode runtimeClass) throws IOException {
        String name = runtimeClass.at("/metadata/name").asText();
        ObjectNode spec = JSON.createObjectNode();
        spec.set("overhead", runtimeClass.at("/overhead/podFixed"));
        spec.set("nodeSelector", runtimeClass.at("/scheduling/nodeSelector"));
        spec.set("tolerations", runtimeClass.at("/scheduling/tolerations"));
        spec.properties().removeIf(field -> field.getValue().isMissingNode());
        JsonTranscoder transcoder = new JsonTranscoder((_, _) -> {}, Instant.MIN);
        transcoder.begin();
        MessageType pod = Objects.requireNonNull(MessageType.readAll().get("Pod"));
        ObjectNode likePod = JSON.createObjectNode();
        ObjectNode metadata = likePod.putObject("metadata");
        List.of("name", "namespace", "uid").forEach(field -> metadata.put(field, name));
        metadata.put("resourceVersion", "1");
        likePod.set("spec", spec);
        for (Map.Entry<String, JsonNode> field : likePod.properties()) {
            try (JsonParser parser = JSON.treeAsTokens(field.getValue())) {
                parser.nextToken();
                transcoder.field(parser, pod, field.getKey());
            }
        }
        classes.put(name, new PodDecoder().decode(transcoder.object()));
    }

    void remove(String name) {
        classes.remove(name);
    }

    /** {@return the constraints of a new pod with those of its class} */
    Scheduling scheduling(Scheduling pod, String name) {
        return Optional.ofNullable(classes.get(name))
                .map(Pod::scheduling)
                .map(added -> with(pod, added))
                .orElse(pod);
    }

    private static Scheduling with(Scheduling pod, Scheduling added) {
        Map<String, String> nodeSelector = new HashMap<>(pod.nodeSelector().toMap());
        nodeSelector.putAll(added.nodeSelector().toMap());
        List<Toleration> tolerations = new ArrayList<>(pod.tolerations());
        added.tolerations().stream()
                .filter(it -> tolerations.stream().noneMatch(other -> includes(other, it)))
                .forEach(tolerations::add);
        return new Scheduling(
                        Labels.of(nodeSelector),
                        pod.nodeAffinity(),
                        pod.podAffinity(),
                        pod.podAntiAffinity(),
                        pod.topologySpread(),
                        tolerations)
                .withPreferences(pod.preferences())
                .withAnnotationRules(pod.annotationRules());
    }

    /** {@return whether a toleration matches each taint that another one matches} */
    private static boolean includes(Toleration one, Toleration other) {
        boolean exists = one.operator().equals("Exists");
        return (one.key().equals(other.key()) || (one.key().isEmpty() && exists))
                && (one.effect().equals(other.effect()) || one.effect().isEmpty())
                && (exists || one.value().equals(other.value()));
    }

    /** {@return the requests of a new pod with the overhead of its class} */
    Resources withOverhead(Resources requests, String name) {
        return Optional.ofNullable(classes.get(name))
                .map(it -> sum(requests, it.podRequirements().requests()))
                .orElse(requests);
    }

    private static Resources sum(Resources one, Resources other) {
        Map<String, Long> others = new TreeMap<>(one.others());
        other.others().forEach((name, amount) -> others.merge(name, amount, Long::sum));
        return new Resources(
                one.milliCpu() + other.milliCpu(),
                one.memory() + other.memory(),
                one.ephemeralStorage() + other.ephemeralStorage(),
                one.pods(),
                others);
    }
}
