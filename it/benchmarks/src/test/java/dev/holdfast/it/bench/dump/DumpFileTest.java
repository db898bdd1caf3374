package dev.holdfast.it.bench.dump;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.TreeMap;
import java.util.zip.GZIPInputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The dump that the bench writes. */
class DumpFileTest {
    @Test
    void aDumpHasTheObjectsOfItsClusterAndRulesOfThreeKinds(@TempDir Path folder) throws IOException {
        Path file = folder.resolve("dump.json.gz");

        new DumpFile(120, 50).write(file);

        JsonNode items;
        try (GZIPInputStream unpacked = new GZIPInputStream(Files.newInputStream(file))) {
            items = new ObjectMapper().readTree(unpacked).path("items");
        }
        Map<String, Integer> kinds = new TreeMap<>();
        items.forEach(item -> kinds.merge(item.path("kind").asText(), 1, Integer::sum));
        assertThat(kinds).isEqualTo(Map.of("Namespace", 100, "Node", 50, "Pod", 120, "ReplicaSet", 4));
        int first = items.size() - 120;
        assertThat(items.path(first).at("/spec/nodeSelector/disk").asText()).isEqualTo("ssd");
        assertThat(items.path(first + 30).at("/spec/affinity/podAntiAffinity").isObject())
                .isTrue();
        assertThat(items.path(first + 60).at("/spec/topologySpreadConstraints")).hasSize(1);
        assertThat(items.path(first + 90).at("/metadata/name").asText()).isEqualTo("app-3-90");
    }
}
