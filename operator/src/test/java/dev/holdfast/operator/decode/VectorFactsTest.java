package dev.holdfast.operator.decode;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.holdfast.policies.evaluate.Evaluator;
import dev.holdfast.policies.evaluate.Placement;
import dev.holdfast.policies.evaluate.Verdict;
import dev.holdfast.policies.model.ClusterEvent;
import dev.holdfast.policies.model.Node;
import dev.holdfast.policies.model.Pod;
import dev.holdfast.policies.model.ReferenceCluster;
import dev.holdfast.policies.rule.PodRules;
import dev.holdfast.policies.rule.RuleKind;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.zip.GZIPInputStream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Checks {@link JsonFacts} against the recorded verdicts of the kube-scheduler: from the records that it reads, the
 * rule engine must get the same verdicts. The cases contain every field that a verdict depends on, also absent and
 * empty.
 */
class VectorFactsTest {
    private static final Path VECTORS = Path.of("..", "policies", "src", "test", "resources", "vectors");

    private final ObjectMapper json = new ObjectMapper();
    private final JsonFacts facts = new JsonFacts();

    @ParameterizedTest
    @ValueSource(strings = {"affinity", "antiaffinity", "mixed", "node", "spread"})
    void factsReadFromTheApiAreJudgedAsTheSchedulerJudges(String family) throws IOException {
        int judged = 0;
        try (BufferedReader lines = new BufferedReader(new InputStreamReader(
                new GZIPInputStream(Files.newInputStream(VECTORS.resolve(family + ".jsonl.gz"))),
                StandardCharsets.UTF_8))) {
            for (String line = lines.readLine(); line != null; line = lines.readLine()) {
                judged += judge(json.readTree(line));
            }
        }
        assertThat(judged).isPositive();
    }

    private int judge(JsonNode vector) {
        ReferenceCluster referenceCluster = new ReferenceCluster();
        vector.path("nodes").forEach(it -> referenceCluster.apply(new ClusterEvent.NodeChanged(facts.node(whole(it)))));
        vector.path("namespaces")
                .forEach(it -> referenceCluster.apply(new ClusterEvent.NamespaceChanged(facts.namespace(whole(it)))));
        vector.path("pods").forEach(it -> referenceCluster.apply(new ClusterEvent.PodChanged(facts.pod(whole(it)))));
        JsonNode verdicts = vector.path("verdicts");
        verdicts.forEach(expected -> {
            Pod pod = referenceCluster.pod(expected.path("pod").asText()).orElseThrow();
            assertThat(List.of(
                            verdict(RuleKind.NODE_AFFINITY, pod, referenceCluster),
                            verdict(RuleKind.POD_AFFINITY, pod, referenceCluster),
                            verdict(RuleKind.POD_ANTI_AFFINITY, pod, referenceCluster),
                            verdict(RuleKind.TOPOLOGY_SPREAD, pod, referenceCluster),
                            fits(pod, referenceCluster)))
                    .as("%s pod %s", vector.path("id").asText(), pod.name())
                    .isEqualTo(List.of(
                            expected.path("nodeAffinity").asText(),
                            expected.path("podAffinity").asText(),
                            expected.path("podAntiAffinity").asText(),
                            expected.path("topologySpread").asText(),
                            json.convertValue(expected.path("fits"), List.class).toString()));
        });
        return verdicts.size();
    }

    private JsonNode whole(JsonNode object) {
        // Every object of a real API server has these fields.
        ObjectNode metadata = (ObjectNode) object.path("metadata");
        metadata.put("resourceVersion", "1");
        metadata.putIfAbsent("uid", json.getNodeFactory().textNode("some"));
        return object;
    }

    private static String verdict(RuleKind kind, Pod pod, ReferenceCluster referenceCluster) {
        List<Verdict> verdicts = PodRules.of(pod.scheduling()).stream()
                .filter(rule -> rule.kind() == kind)
                .map(rule -> Evaluator.judge(rule, pod, referenceCluster))
                .toList();
        if (verdicts.isEmpty()) {
            return "None";
        }
        return verdicts.stream().allMatch(Verdict.Satisfied.class::isInstance) ? "Satisfied" : "Violated";
    }

    private static String fits(Pod pod, ReferenceCluster referenceCluster) {
        return Placement.fits(pod, List.of(), referenceCluster).stream()
                .map(Node::name)
                .sorted()
                .toList()
                .toString();
    }
}
