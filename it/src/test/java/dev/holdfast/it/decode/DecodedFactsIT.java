package dev.holdfast.it.decode;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.operator.decode.ListReader;
import dev.holdfast.operator.decode.NamespaceDecoder;
import dev.holdfast.operator.decode.NodeDecoder;
import dev.holdfast.operator.decode.ObjectDecoder;
import dev.holdfast.operator.decode.PodDecoder;
import dev.holdfast.operator.decode.WatchFrame;
import dev.holdfast.operator.decode.WatchReader;
import dev.holdfast.operator.observe.ClusterReader;
import dev.holdfast.policies.engine.Effect;
import dev.holdfast.policies.engine.Event;
import dev.holdfast.policies.model.Labels;
import dev.holdfast.policies.model.Namespace;
import dev.holdfast.policies.model.NamespacedName;
import dev.holdfast.policies.model.Node;
import dev.holdfast.policies.model.Pod;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.Test;

/**
 * What is decoded from an API server's protobuf is what is read from its JSON.
 *
 * <p>{@code -Dholdfast.golden=DIRECTORY} writes the bodies into a directory, from which the decoder's own tests work:
 * {@code operator/src/test/resources/dev/holdfast/operator/decode/golden}.
 */
class DecodedFactsIT {
    private static final String NODES = "/api/v1/nodes";
    private static final String NAMESPACES = "/api/v1/namespaces";
    private static final String PODS = NAMESPACES + "/golden/pods";
    private static final String WATCH = Recorder.PROTOBUF + ";stream=watch";

    private final Map<String, byte[]> bodies = new TreeMap<>();

    @Test
    void protobufAndJsonTellTheSame() throws IOException {
        try (Recorder recorder = new Recorder()) {
            recorder.makeObjects();
            record(recorder);
            List<Pod> pods = listed("pods.pb", new PodDecoder());
            List<Node> nodes = listed("nodes.pb", new NodeDecoder());

            assertThat(pods).hasSize(14).containsExactlyElementsOf(podsOfJson(recorder, pods));
            assertThat(nodes).hasSize(4).containsExactlyElementsOf(nodesOfJson(recorder, pods, nodes));
            assertThat(listed("namespaces.pb", new NamespaceDecoder()))
                    .containsExactlyInAnyOrderElementsOf(namespacesOfJson(recorder));
            assertThat(changed("pods-watch.pb")).containsExactlyInAnyOrderElementsOf(pods);

            recordChanges(recorder);
            Pod changed = changed("pods-changes.pb").getFirst();
            assertThat(List.of(changed)).isEqualTo(podsOfJson(recorder, List.of(changed)));
            keep();
        }
    }

    private void record(Recorder recorder) {
        Map.of("pods", PODS, "nodes", NODES, "namespaces", NAMESPACES).forEach((kind, path) -> {
            bodies.put(kind + ".pb", recorder.get(path, Recorder.PROTOBUF));
            bodies.put(kind + ".json", recorder.get(path, Recorder.JSON));
        });
        bodies.put(
                "pods-watch.pb",
                recorder.get(
                        PODS + "?watch=1&timeoutSeconds=2&allowWatchBookmarks=true&sendInitialEvents=true"
                                + "&resourceVersionMatch=NotOlderThan",
                        WATCH));
    }

    private void recordChanges(Recorder recorder) throws IOException {
        long before = new ListReader(body("pods.pb")).read(_ -> {}).resourceVersion();
        recorder.change(PODS + "/bare", "{\"metadata\":{\"labels\":{\"changed\":\"yes\"}}}");
        recorder.delete(PODS + "/in-a-queue");
        bodies.put(
                "pods-changes.pb", recorder.get(PODS + "?watch=1&timeoutSeconds=2&resourceVersion=" + before, WATCH));
    }

    private <T> List<T> listed(String name, ObjectDecoder<T> decoder) throws IOException {
        List<T> facts = new ArrayList<>();
        new ListReader(body(name)).read(item -> facts.add(decoder.decode(item)));
        return facts;
    }

    private List<Pod> changed(String name) throws IOException {
        PodDecoder decoder = new PodDecoder();
        List<Pod> pods = new ArrayList<>();
        WatchReader reader = new WatchReader(body(name));
        for (Optional<WatchFrame> frame = reader.next(); frame.isPresent(); frame = reader.next()) {
            if (frame.get() instanceof WatchFrame.Changed(var object)) {
                pods.add(decoder.decode(object));
            }
        }
        return pods;
    }

    private ByteArrayInputStream body(String name) {
        byte[] body = bodies.get(name);
        assertThat(body).as(name).isNotNull();
        return new ByteArrayInputStream(body == null ? new byte[0] : body);
    }

    private static List<Pod> podsOfJson(Recorder recorder, List<Pod> pods) {
        return confirmed(
                        recorder,
                        pods.getFirst().name(),
                        "none",
                        pods.stream().map(Pod::name).toList())
                .partners();
    }

    private static List<Node> nodesOfJson(Recorder recorder, List<Pod> pods, List<Node> nodes) {
        return nodes.stream()
                .map(node -> confirmed(recorder, pods.getFirst().name(), node.name(), List.of())
                        .node()
                        .orElseThrow())
                .toList();
    }

    private static Event.Confirmed confirmed(
            Recorder recorder, NamespacedName pod, String node, List<NamespacedName> partners) {
        try (ClusterReader reader = new ClusterReader(recorder.controlPlane().config())) {
            Event answer = reader.confirm(new Effect.Confirm("p", pod, node, partners));
            assertThat(answer).isInstanceOf(Event.Confirmed.class);
            return (Event.Confirmed) answer;
        }
    }

    private static List<Namespace> namespacesOfJson(Recorder recorder) {
        try (KubernetesClient client = new KubernetesClientBuilder()
                .withConfig(recorder.controlPlane().config())
                .build()) {
            return client.namespaces().list().getItems().stream()
                    .map(it -> new Namespace(
                            it.getMetadata().getName(),
                            Long.parseLong(it.getMetadata().getResourceVersion()),
                            Labels.of(it.getMetadata().getLabels())))
                    .toList();
        }
    }

    private void keep() throws IOException {
        String directory = System.getProperty("holdfast.golden", "");
        if (directory.isEmpty()) {
            return;
        }
        for (Map.Entry<String, byte[]> body : bodies.entrySet()) {
            Path file = Files.createDirectories(Path.of(directory)).resolve(body.getKey() + ".gz");
            try (OutputStream out = new GZIPOutputStream(Files.newOutputStream(file))) {
                out.write(body.getValue());
            }
        }
    }
}
