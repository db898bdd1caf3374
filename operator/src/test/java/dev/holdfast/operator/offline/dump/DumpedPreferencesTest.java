package dev.holdfast.operator.offline.dump;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.holdfast.operator.decode.JsonFacts;
import dev.holdfast.policies.model.ClusterEvent;
import dev.holdfast.policies.model.Preferences;
import java.io.BufferedReader;
import java.io.ByteArrayInputStream;
import java.io.InputStreamReader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.zip.GZIPInputStream;
import org.junit.jupiter.api.Test;

/** Reads recorded clusters with soft rules as dumps: what the pods prefer must be what their JSON says. */
class DumpedPreferencesTest {
    private static final Path VECTORS =
            Path.of("..", "policies", "src", "test", "resources", "score-vectors", "softmixed.jsonl.gz");

    private final ObjectMapper json = new ObjectMapper();
    private final JsonFacts facts = new JsonFacts();

    @Test
    void aDumpHasWhatPodsPrefer() throws Exception {
        int preferring = 0;
        try (BufferedReader lines =
                new BufferedReader(new InputStreamReader(new GZIPInputStream(Files.newInputStream(VECTORS)), UTF_8))) {
            for (String line = lines.readLine(); line != null; line = lines.readLine()) {
                JsonNode vector = json.readTree(line);
                Map<String, Preferences> read = read(vector);
                assertThat(read).as(vector.path("id").asText()).isEqualTo(expected(vector));
                preferring +=
                        (int) read.values().stream().filter(it -> !it.isEmpty()).count();
            }
        }
        assertThat(preferring).isPositive();
    }

    private Map<String, Preferences> read(JsonNode vector) throws DumpException {
        ObjectNode list = json.createObjectNode();
        list.put("apiVersion", "v1").put("kind", "List").set("items", vector.path("pods"));
        byte[] text = list.toString().getBytes(UTF_8);
        Map<String, Preferences> read = new TreeMap<>();
        new DumpReader(_ -> {})
                .read(List.of(new DumpFile("vector", () -> new ByteArrayInputStream(text))))
                .objects()
                .forEach(event -> {
                    if (event instanceof ClusterEvent.PodChanged(var pod)) {
                        read.put(pod.uid(), pod.scheduling().preferences());
                    }
                });
        return read;
    }

    private Map<String, Preferences> expected(JsonNode vector) {
        Map<String, Preferences> expected = new TreeMap<>();
        vector.path("pods").forEach(pod -> {
            ((ObjectNode) pod.path("metadata")).put("resourceVersion", "1");
            expected.put(
                    pod.path("metadata").path("uid").asText(),
                    facts.pod(pod).scheduling().preferences());
        });
        return expected;
    }
}
