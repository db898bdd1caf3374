package dev.holdfast.policies.vectors;

import com.fasterxml.jackson.databind.JsonNode;
import dev.holdfast.policies.model.ClusterEvent;
import dev.holdfast.policies.model.Controller;
import dev.holdfast.policies.model.LabelSelector;
import dev.holdfast.policies.model.Labels;
import dev.holdfast.policies.model.NamespacedName;
import dev.holdfast.policies.score.ScorePlugin;
import dev.holdfast.policies.score.WorkloadSelectors;
import java.util.ArrayList;
import java.util.Collection;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * One score vector: a small cluster, and how the plugins of the real kube-scheduler scored its nodes for each pod.
 *
 * @param facts the events that create the objects of the cluster
 * @param selectors the selectors of its Services and controllers
 * @param expected the scheduler's answer for each pod
 */
record ScoreVectorCase(String id, List<ClusterEvent> facts, WorkloadSelectors selectors, List<Expected> expected) {
    private static final Map<String, ScorePlugin> FIELDS = Map.of(
            "nodeAffinity", ScorePlugin.NODE_AFFINITY,
            "taintToleration", ScorePlugin.TAINT_TOLERATION,
            "interPodAffinity", ScorePlugin.INTER_POD_AFFINITY,
            "podTopologySpread", ScorePlugin.POD_TOPOLOGY_SPREAD);

    ScoreVectorCase {
        facts = List.copyOf(facts);
        expected = List.copyOf(expected);
    }

    /** The raw values and the scores of one plugin, for each feasible node. */
    record Plugin(List<Long> raw, List<Long> score) {}

    /**
     * An answer.
     *
     * @param plugins without those that skip the pod
     * @param failed the plugin that cannot score the pod
     */
    record Answer(
            Map<ScorePlugin, Plugin> plugins, List<Long> total, List<String> best, Optional<ScorePlugin> failed) {}

    /**
     * The answer for one pod.
     *
     * @param answer without default constraints
     * @param systemDefaults with the system default constraints
     */
    record Expected(String pod, List<String> feasible, Answer answer, Answer systemDefaults) {}

    static ScoreVectorCase of(JsonNode json) {
        return new ScoreVectorCase(
                json.path("id").asText(),
                VectorFiles.facts(json),
                Selectors.of(json),
                CoreV1Json.list(json.path("scores"), ScoreVectorCase::expected));
    }

    private static Expected expected(JsonNode json) {
        Answer answer = answer(json);
        JsonNode other = json.path("systemDefaults");
        Map<ScorePlugin, Plugin> plugins = new EnumMap<>(ScorePlugin.class);
        plugins.putAll(answer.plugins());
        plugins.putAll(plugins(other));
        return new Expected(
                json.path("pod").asText(),
                CoreV1Json.strings(json.path("feasible")),
                answer,
                other.isMissingNode()
                        ? answer
                        : new Answer(
                                plugins,
                                numbers(other.path("total")),
                                CoreV1Json.strings(other.path("best")),
                                answer.failed()));
    }

    private static Answer answer(JsonNode json) {
        return new Answer(
                plugins(json),
                numbers(json.path("total")),
                CoreV1Json.strings(json.path("best")),
                Optional.ofNullable(FIELDS.get(json.path("error").asText())));
    }

    private static Map<ScorePlugin, Plugin> plugins(JsonNode json) {
        Map<ScorePlugin, Plugin> plugins = new EnumMap<>(ScorePlugin.class);
        FIELDS.forEach((field, plugin) -> {
            if (json.has(field)) {
                JsonNode numbers = json.path(field);
                plugins.put(plugin, new Plugin(numbers(numbers.path("raw")), numbers(numbers.path("score"))));
            }
        });
        return plugins;
    }

    private static List<Long> numbers(JsonNode json) {
        return CoreV1Json.list(json, JsonNode::asLong);
    }

    /** The selectors of all Services by namespace, and of the controllers by kind and name. */
    private record Selectors(
            Map<String, List<Labels>> services, Map<Map.Entry<String, NamespacedName>, LabelSelector> controllers)
            implements WorkloadSelectors {
        static Selectors of(JsonNode json) {
            Map<String, List<Labels>> services = new HashMap<>();
            json.path("services")
                    .forEach(service -> CoreV1Json.optional(service.path("spec").path("selector"), CoreV1Json::labels)
                            .ifPresent(selector -> services.computeIfAbsent(
                                            service.path("metadata")
                                                    .path("namespace")
                                                    .asText(),
                                            _ -> new ArrayList<>())
                                    .add(selector)));
            Map<Map.Entry<String, NamespacedName>, LabelSelector> controllers = new HashMap<>();
            for (String kind : List.of("replicaSets", "statefulSets")) {
                json.path(kind)
                        .forEach(it -> CoreV1Json.optional(it.path("spec").path("selector"), CoreV1Json::labelSelector)
                                .ifPresent(selector -> controllers.put(
                                        Map.entry(
                                                it.path("kind").asText(),
                                                new NamespacedName(
                                                        it.path("metadata")
                                                                .path("namespace")
                                                                .asText(),
                                                        it.path("metadata")
                                                                .path("name")
                                                                .asText())),
                                        selector)));
            }
            return new Selectors(services, controllers);
        }

        @Override
        public Collection<Labels> ofServicesIn(String namespace) {
            return services.getOrDefault(namespace, List.of());
        }

        @Override
        public Optional<LabelSelector> ofController(String namespace, Controller controller) {
            return Optional.ofNullable(
                    controllers.get(Map.entry(controller.kind(), new NamespacedName(namespace, controller.name()))));
        }
    }
}
