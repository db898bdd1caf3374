package dev.holdfast.operator.offline.check;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.holdfast.operator.offline.dump.Dump;
import dev.holdfast.operator.offline.dump.DumpException;
import dev.holdfast.operator.offline.dump.DumpFile;
import dev.holdfast.operator.offline.dump.DumpReader;
import dev.holdfast.operator.offline.dump.ReadCluster;
import java.io.BufferedReader;
import java.io.ByteArrayInputStream;
import java.io.InputStreamReader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.zip.GZIPInputStream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Checks each recorded cluster as a dump, as kubectl would have written it: the verdicts must be the scheduler's. */
class CheckedVectorsTest {
    private static final Path VECTORS = Path.of("..", "policies", "src", "test", "resources", "vectors");
    private static final Map<String, String> KINDS = Map.of(
            "nodeAffinity", "NodeAffinity",
            "podAffinity", "PodAffinity",
            "podAntiAffinity", "PodAntiAffinity",
            "topologySpread", "TopologySpread");

    private final ObjectMapper json = new ObjectMapper();

    @ParameterizedTest
    @ValueSource(strings = {"affinity", "antiaffinity", "mixed", "node", "spread"})
    void theReportNamesTheRulesThatTheSchedulerWouldNotAccept(String family) throws Exception {
        int judged = 0;
        try (BufferedReader lines = new BufferedReader(new InputStreamReader(
                new GZIPInputStream(Files.newInputStream(VECTORS.resolve(family + ".jsonl.gz"))), UTF_8))) {
            for (String line = lines.readLine(); line != null; line = lines.readLine()) {
                JsonNode vector = json.readTree(line);
                Map<String, Set<String>> expected = expected(vector);
                assertThat(violated(checked(vector)))
                        .as(vector.path("id").asText())
                        .isEqualTo(expected);
                judged += vector.path("verdicts").size();
            }
        }
        assertThat(judged).isPositive();
    }

    private CheckReport checked(JsonNode vector) throws DumpException {
        ObjectNode list = json.createObjectNode();
        list.put("apiVersion", "v1");
        ArrayNode items = list.putArray("items");
        for (String kind : List.of("pods", "nodes", "namespaces")) {
            vector.path(kind).forEach(items::add);
        }
        list.put("kind", "List");
        byte[] text = list.toString().getBytes(UTF_8);
        Dump dump = new DumpReader(_ -> {}).read(List.of(new DumpFile("vector", () -> new ByteArrayInputStream(text))));
        assertThat(dump.warnings()).isEmpty();
        return CheckedCluster.of(new ReadCluster(dump, List.of(), List.of(), List.of()), Set.of())
                .report(_ -> true);
    }

    /** {@return the kinds of the violated rules, by the UID of the pod} */
    private static Map<String, Set<String>> violated(CheckReport report) {
        Map<String, Set<String>> kinds = new TreeMap<>();
        report.violations()
                .forEach(it -> kinds.computeIfAbsent(it.uid(), _ -> new TreeSet<>())
                        .add(it.rule().kind()));
        return kinds;
    }

    private static Map<String, Set<String>> expected(JsonNode vector) {
        Map<String, Set<String>> kinds = new TreeMap<>();
        for (JsonNode verdict : vector.path("verdicts")) {
            KINDS.forEach((field, kind) -> {
                if (verdict.path(field).asText().equals("Violated")) {
                    kinds.computeIfAbsent(verdict.path("pod").asText(), _ -> new TreeSet<>())
                            .add(kind);
                }
            });
        }
        return kinds;
    }
}
