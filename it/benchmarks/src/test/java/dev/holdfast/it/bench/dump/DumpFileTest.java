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
    @TempDir
    private Path folder;

    @Test
    void aDumpHasTheObjectsOfItsClusterAndRulesOfThreeKinds() throws IOException {
        Path file = folder.resolve("dump.json");

        new DumpFile(120, 50).write(file);

        JsonNode list = new ObjectMapper().readTree(file.toFile());
        assertThat(list.path("kind").asText()).isEqualTo("List");
        Map<String, Integer> kinds = new TreeMap<>();
        list.path("items").forEach(item -> kinds.merge(item.path("kind").asText(), 1, Integer::sum));
        assertThat(kinds).isEqualTo(Map.of("Namespace", 100, "Node", 50, "Pod", 120, "ReplicaSet", 4));
        JsonNode pods = list.path("items");
        int first = pods.size() - 120;
        assertThat(pods.path(first).at("/spec/nodeSelector/disk").asText()).isEqualTo("ssd");
        assertThat(pods.path(first + 30).at("/spec/affinity/podAntiAffinity").isMissingNode())
                .isFalse();
        assertThat(pods.path(first + 60).at("/spec/topologySpreadConstraints")).hasSize(1);
        assertThat(pods.path(first + 90).at("/metadata/name").asText()).isEqualTo("app-3-90");
    }

    @Test
    void aNameThatEndsInGzIsPacked() throws IOException {
        Path plain = folder.resolve("dump.json");
        Path packed = folder.resolve("dump.json.gz");

        new DumpFile(30, 3).write(plain);
        new DumpFile(30, 3).write(packed);

        try (GZIPInputStream unpacked = new GZIPInputStream(Files.newInputStream(packed))) {
            assertThat(unpacked.readAllBytes()).isEqualTo(Files.readAllBytes(plain));
        }
    }
}
