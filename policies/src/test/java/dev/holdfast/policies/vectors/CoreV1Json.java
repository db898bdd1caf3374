package dev.holdfast.policies.vectors;

import com.fasterxml.jackson.databind.JsonNode;
import dev.holdfast.policies.model.Controller;
import dev.holdfast.policies.model.LabelSelector;
import dev.holdfast.policies.model.Labels;
import dev.holdfast.policies.model.Namespace;
import dev.holdfast.policies.model.NamespacedName;
import dev.holdfast.policies.model.Node;
import dev.holdfast.policies.model.NodeInclusionPolicy;
import dev.holdfast.policies.model.NodeLifecycle;
import dev.holdfast.policies.model.NodeSelector;
import dev.holdfast.policies.model.NodeSelectorTerm;
import dev.holdfast.policies.model.Phase;
import dev.holdfast.policies.model.Pod;
import dev.holdfast.policies.model.PodAffinityTerm;
import dev.holdfast.policies.model.PodLifecycle;
import dev.holdfast.policies.model.PodRequirements;
import dev.holdfast.policies.model.Preferences;
import dev.holdfast.policies.model.Requirement;
import dev.holdfast.policies.model.Resources;
import dev.holdfast.policies.model.RestartPolicy;
import dev.holdfast.policies.model.Scheduling;
import dev.holdfast.policies.model.Taint;
import dev.holdfast.policies.model.Toleration;
import dev.holdfast.policies.model.TopologySpreadConstraint;
import dev.holdfast.policies.model.VictimProtection;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Function;

/** Reads core/v1 objects from JSON as the API server writes it. It distinguishes absent parts from empty objects. */
final class CoreV1Json {
    private static final String REQUIRED = "requiredDuringSchedulingIgnoredDuringExecution";
    private static final String PREFERRED = "preferredDuringSchedulingIgnoredDuringExecution";

    private CoreV1Json() {}

    static Node node(JsonNode json) {
        JsonNode metadata = json.path("metadata");
        JsonNode spec = json.path("spec");
        return new Node(
                metadata.path("name").asText(),
                metadata.path("uid").asText(),
                0,
                labels(metadata.path("labels")),
                list(spec.path("taints"), CoreV1Json::taint),
                spec.path("unschedulable").asBoolean(),
                new NodeLifecycle(true, Optional.empty(), Instant.EPOCH, Optional.empty()),
                Resources.none());
    }

    static Namespace namespace(JsonNode json) {
        JsonNode metadata = json.path("metadata");
        return new Namespace(metadata.path("name").asText(), 0, labels(metadata.path("labels")));
    }

    static Pod pod(JsonNode json) {
        JsonNode metadata = json.path("metadata");
        JsonNode spec = json.path("spec");
        return new Pod(
                metadata.path("uid").asText(),
                new NamespacedName(
                        metadata.path("namespace").asText(),
                        metadata.path("name").asText()),
                0,
                labels(metadata.path("labels")),
                Optional.of(spec.path("nodeName").asText()).filter(name -> !name.isEmpty()),
                scheduling(spec),
                PodRequirements.none(),
                life(json),
                new VictimProtection(controller(metadata), 0, RestartPolicy.ALWAYS, false, false, false));
    }

    private static PodLifecycle life(JsonNode json) {
        Phase phase = Phase.valueOf(
                json.path("status").path("phase").asText("Unknown").toUpperCase(Locale.ROOT));
        boolean terminating = json.path("metadata").has("deletionTimestamp");
        Optional<Instant> deletion = terminating ? Optional.of(Instant.EPOCH) : Optional.empty();
        return new PodLifecycle(phase, true, Instant.EPOCH, Instant.EPOCH, deletion, false);
    }

    private static Optional<Controller> controller(JsonNode metadata) {
        return list(metadata.path("ownerReferences"), Function.identity()).stream()
                .filter(owner -> owner.path("controller").asBoolean())
                .map(owner -> new Controller(
                        owner.path("kind").asText(),
                        owner.path("name").asText(),
                        owner.path("uid").asText()))
                .findFirst();
    }

    private static Scheduling scheduling(JsonNode spec) {
        JsonNode affinity = spec.path("affinity");
        return new Scheduling(
                        labels(spec.path("nodeSelector")),
                        optional(affinity.path("nodeAffinity").path(REQUIRED), CoreV1Json::nodeSelector),
                        list(affinity.path("podAffinity").path(REQUIRED), CoreV1Json::podAffinityTerm),
                        list(affinity.path("podAntiAffinity").path(REQUIRED), CoreV1Json::podAffinityTerm),
                        spreads(spec, "DoNotSchedule"),
                        list(spec.path("tolerations"), CoreV1Json::toleration))
                .withPreferences(preferences(spec));
    }

    private static Preferences preferences(JsonNode spec) {
        JsonNode affinity = spec.path("affinity");
        return new Preferences(
                weighted(affinity.path("nodeAffinity"), "preference", CoreV1Json::nodeSelectorTerm),
                weighted(affinity.path("podAffinity"), "podAffinityTerm", CoreV1Json::podAffinityTerm),
                weighted(affinity.path("podAntiAffinity"), "podAffinityTerm", CoreV1Json::podAffinityTerm),
                spreads(spec, "ScheduleAnyway"));
    }

    private static <T> List<Preferences.Weighted<T>> weighted(JsonNode json, String term, Function<JsonNode, T> read) {
        return list(
                json.path(PREFERRED),
                it -> new Preferences.Weighted<>(it.path("weight").asInt(), read.apply(it.path(term))));
    }

    private static List<TopologySpreadConstraint> spreads(JsonNode spec, String whenUnsatisfiable) {
        return list(spec.path("topologySpreadConstraints"), Function.identity()).stream()
                .filter(it -> it.path("whenUnsatisfiable").asText().equals(whenUnsatisfiable))
                .map(CoreV1Json::spread)
                .toList();
    }

    private static NodeSelector nodeSelector(JsonNode json) {
        return new NodeSelector(list(json.path("nodeSelectorTerms"), CoreV1Json::nodeSelectorTerm));
    }

    private static NodeSelectorTerm nodeSelectorTerm(JsonNode json) {
        return new NodeSelectorTerm(
                list(json.path("matchExpressions"), CoreV1Json::requirement),
                list(json.path("matchFields"), CoreV1Json::requirement));
    }

    private static PodAffinityTerm podAffinityTerm(JsonNode json) {
        return new PodAffinityTerm(
                optional(json.path("labelSelector"), CoreV1Json::labelSelector),
                strings(json.path("namespaces")),
                optional(json.path("namespaceSelector"), CoreV1Json::labelSelector),
                json.path("topologyKey").asText(),
                strings(json.path("matchLabelKeys")),
                strings(json.path("mismatchLabelKeys")));
    }

    private static TopologySpreadConstraint spread(JsonNode json) {
        return new TopologySpreadConstraint(
                json.path("maxSkew").asInt(),
                json.path("topologyKey").asText(),
                optional(json.path("labelSelector"), CoreV1Json::labelSelector),
                json.path("minDomains").asInt(1),
                inclusion(json.path("nodeAffinityPolicy").asText("Honor")),
                inclusion(json.path("nodeTaintsPolicy").asText("Ignore")),
                strings(json.path("matchLabelKeys")));
    }

    private static NodeInclusionPolicy inclusion(String policy) {
        return NodeInclusionPolicy.valueOf(policy.toUpperCase(Locale.ROOT));
    }

    static LabelSelector labelSelector(JsonNode json) {
        return new LabelSelector(
                labels(json.path("matchLabels")), list(json.path("matchExpressions"), CoreV1Json::requirement));
    }

    private static Requirement requirement(JsonNode json) {
        return new Requirement(json.path("key").asText(), json.path("operator").asText(), strings(json.path("values")));
    }

    private static Taint taint(JsonNode json) {
        return new Taint(
                json.path("key").asText(),
                json.path("value").asText(),
                json.path("effect").asText());
    }

    private static Toleration toleration(JsonNode json) {
        return new Toleration(
                json.path("key").asText(),
                json.path("operator").asText(),
                json.path("value").asText(),
                json.path("effect").asText());
    }

    static Labels labels(JsonNode json) {
        Map<String, String> labels = new TreeMap<>();
        json.properties()
                .forEach(entry -> labels.put(entry.getKey(), entry.getValue().asText()));
        return Labels.of(labels);
    }

    static List<String> strings(JsonNode json) {
        return list(json, JsonNode::asText);
    }

    static <T> List<T> list(JsonNode json, Function<JsonNode, T> read) {
        List<T> members = new ArrayList<>();
        json.forEach(member -> members.add(read.apply(member)));
        return members;
    }

    static <T> Optional<T> optional(JsonNode json, Function<JsonNode, T> read) {
        return json.isObject() ? Optional.of(read.apply(json)) : Optional.empty();
    }
}
