package dev.holdfast.policies.vectors;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.holdfast.policies.model.ClusterEvent;
import dev.holdfast.policies.model.ClusterView;
import dev.holdfast.policies.model.Pod;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.URISyntaxException;
import java.net.URL;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Objects;
import java.util.Random;
import java.util.function.Consumer;
import java.util.stream.Stream;
import java.util.zip.GZIPInputStream;

/** Reads test vectors: JSON lines, each a small cluster and what the plugins of the real kube-scheduler said to it. */
final class VectorFiles {
    private static final ObjectMapper JSON = new ObjectMapper();

    private VectorFiles() {}

    /**
     * Passes on each vector of every {@code *.jsonl.gz} in a directory, of which there must be one.
     *
     * @param kind {@code vectors} if the directory is given by {@code -Dholdfast.vectors}; by default it is the test
     *     resource of that name
     */
    static void read(String kind, Consumer<JsonNode> vectors) throws IOException, URISyntaxException {
        Path directory = directory(kind);
        List<Path> files = files(directory);
        assertThat(files).as("vector files (*.jsonl.gz) in %s", directory).isNotEmpty();
        for (Path file : files) {
            try (BufferedReader lines = new BufferedReader(
                    new InputStreamReader(new GZIPInputStream(Files.newInputStream(file)), StandardCharsets.UTF_8))) {
                for (String line = lines.readLine(); line != null; line = lines.readLine()) {
                    vectors.accept(JSON.readTree(line));
                }
            }
        }
    }

    private static Path directory(String kind) throws URISyntaxException {
        String named = System.getProperty("holdfast." + kind, "");
        URL copies = Objects.requireNonNull(VectorFiles.class.getResource("/" + kind), "no copies of the vectors");
        return named.isEmpty() ? Path.of(copies.toURI()) : Path.of(named);
    }

    private static List<Path> files(Path directory) throws IOException {
        try (Stream<Path> files = Files.list(directory)) {
            return files.filter(file -> file.toString().endsWith(".jsonl.gz"))
                    .sorted()
                    .toList();
        }
    }

    /** {@return the events that create the objects of a vector} */
    static List<ClusterEvent> facts(JsonNode vector) {
        List<ClusterEvent> facts = new ArrayList<>();
        vector.path("nodes").forEach(node -> facts.add(new ClusterEvent.NodeChanged(CoreV1Json.node(node))));
        vector.path("namespaces")
                .forEach(namespace -> facts.add(new ClusterEvent.NamespaceChanged(CoreV1Json.namespace(namespace))));
        vector.path("pods").forEach(pod -> facts.add(new ClusterEvent.PodChanged(CoreV1Json.pod(pod))));
        return facts;
    }

    /** {@return the events in another order, since no result may depend on their order} */
    static List<ClusterEvent> shuffled(List<ClusterEvent> facts, String id) {
        List<ClusterEvent> shuffled = new ArrayList<>(facts);
        Collections.shuffle(shuffled, new Random(id.hashCode()));
        return shuffled;
    }

    /** {@return the UIDs of the pods whose verdicts are not undetermined: the vectors contain exactly these pods} */
    static List<String> judged(ClusterView view) {
        return view.pods().stream()
                .filter(pod -> view.countedNode(pod).isPresent() && !pod.terminating())
                .map(Pod::uid)
                .toList();
    }
}
