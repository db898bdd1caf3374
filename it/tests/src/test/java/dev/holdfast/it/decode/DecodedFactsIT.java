package dev.holdfast.it.decode;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.operator.decode.BudgetDecoder;
import dev.holdfast.operator.decode.ClaimDecoder;
import dev.holdfast.operator.decode.CsiNodeDecoder;
import dev.holdfast.operator.decode.JsonFacts;
import dev.holdfast.operator.decode.JsonStorage;
import dev.holdfast.operator.decode.LimitRangeDecoder;
import dev.holdfast.operator.decode.NamespaceDecoder;
import dev.holdfast.operator.decode.NodeDecoder;
import dev.holdfast.operator.decode.OwnerDecoder;
import dev.holdfast.operator.decode.PodDecoder;
import dev.holdfast.operator.decode.QuotaDecoder;
import dev.holdfast.operator.decode.StorageClassDecoder;
import dev.holdfast.operator.decode.VolumeDecoder;
import dev.holdfast.operator.decode.protobuf.ListReader;
import dev.holdfast.operator.decode.protobuf.ObjectDecoder;
import dev.holdfast.operator.decode.protobuf.WatchFrame;
import dev.holdfast.operator.decode.protobuf.WatchReader;
import dev.holdfast.operator.decode.scheduling.SchedulingScope;
import dev.holdfast.policies.model.AnnotationRules;
import dev.holdfast.policies.model.Node;
import dev.holdfast.policies.model.Pod;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.TreeMap;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.Test;

/**
 * Objects that the operator decodes from the API server's protobuf equal the same objects read from its JSON.
 *
 * <p>{@code -Dholdfast.golden=DIRECTORY} writes the response bodies into a directory. The decoder's own tests read them
 * from {@code operator/src/test/resources/dev/holdfast/operator/decode/golden}.
 */
class DecodedFactsIT {
    private static final String PODS = Recorder.path("Pod");
    private static final String WATCH = Recorder.PROTOBUF + ";stream=watch";

    private final JsonFacts json = new JsonFacts();
    private final Map<String, byte[]> bodies = new TreeMap<>();

    @Test
    void protobufAndJsonTellTheSame() throws IOException {
        try (Recorder recorder = new Recorder()) {
            recorder.makeObjects();
            record(recorder);
            List<Pod> pods = listed(
                    "pods.pb", new PodDecoder(SchedulingScope.RULES_AND_PREFERENCES, _ -> AnnotationRules.none()));
            List<Node> nodes = listed("nodes.pb", new NodeDecoder());

            assertThat(pods).hasSize(18).containsExactlyElementsOf(json.items(body("pods.json"), json::pod));
            assertThat(nodes).hasSize(4).containsExactlyElementsOf(json.items(body("nodes.json"), json::node));
            assertThat(listed("namespaces.pb", new NamespaceDecoder()))
                    .containsExactlyInAnyOrderElementsOf(json.items(body("namespaces.json"), json::namespace));
            assertThat(listed("replicasets.pb", OwnerDecoder.ofReplicaSets(SchedulingScope.RULES_AND_PREFERENCES)))
                    .hasSize(4)
                    .containsExactlyElementsOf(json.items(body("replicasets.json"), json::replicaSet));
            assertThat(listed("statefulsets.pb", OwnerDecoder.ofStatefulSets(SchedulingScope.RULES_AND_PREFERENCES)))
                    .hasSize(3)
                    .containsExactlyElementsOf(json.items(body("statefulsets.json"), json::statefulSet));
            assertThat(listed("jobs.pb", OwnerDecoder.ofJobs(SchedulingScope.RULES_AND_PREFERENCES)))
                    .hasSize(3)
                    .containsExactlyElementsOf(json.items(body("jobs.json"), json::job));
            assertThat(listed("poddisruptionbudgets.pb", new BudgetDecoder()))
                    .hasSize(7)
                    .containsExactlyElementsOf(json.items(body("poddisruptionbudgets.json"), json::budget));
            assertThat(listed("persistentvolumeclaims.pb", new ClaimDecoder()))
                    .hasSize(6)
                    .containsExactlyElementsOf(json.items(body("persistentvolumeclaims.json"), JsonStorage::claim));
            assertThat(listed("persistentvolumes.pb", new VolumeDecoder()))
                    .hasSize(4)
                    .containsExactlyElementsOf(json.items(body("persistentvolumes.json"), JsonStorage::volume));
            assertThat(listed("storageclasses.pb", new StorageClassDecoder()))
                    .hasSize(2)
                    .containsExactlyElementsOf(json.items(body("storageclasses.json"), JsonStorage::storageClass));
            assertThat(listed("csinodes.pb", new CsiNodeDecoder()))
                    .hasSize(2)
                    .containsExactlyElementsOf(json.items(body("csinodes.json"), JsonStorage::csiNode));
            assertThat(listed("resourcequotas.pb", new QuotaDecoder()))
                    .hasSize(4)
                    .containsExactlyElementsOf(json.items(body("resourcequotas.json"), JsonStorage::quota));
            assertThat(listed("limitranges.pb", new LimitRangeDecoder()))
                    .hasSize(2)
                    .containsExactlyElementsOf(json.items(body("limitranges.json"), JsonStorage::limitRange));
            assertThat(changed("pods-watch.pb")).containsExactlyInAnyOrderElementsOf(pods);

            recordChanges(recorder);
            Pod changed = changed("pods-changes.pb").getFirst();
            assertThat(changed).isEqualTo(json.pod(json.read(recorder.get(PODS + "/bare", Recorder.JSON))));
            keep();
        }
    }

    private void record(Recorder recorder) {
        for (String kind : List.of(
                "Pod",
                "Node",
                "Namespace",
                "ReplicaSet",
                "StatefulSet",
                "Job",
                "PodDisruptionBudget",
                "PersistentVolumeClaim",
                "PersistentVolume",
                "StorageClass",
                "CSINode",
                "ResourceQuota",
                "LimitRange")) {
            String path = Recorder.path(kind);
            String resource = path.substring(path.lastIndexOf('/') + 1);
            bodies.put(resource + ".pb", recorder.get(path, Recorder.PROTOBUF));
            bodies.put(resource + ".json", recorder.get(path, Recorder.JSON));
        }
        bodies.put(
                "pods-watch.pb",
                recorder.get(
                        PODS + "?watch=1&timeoutSeconds=10&allowWatchBookmarks=true&sendInitialEvents=true"
                                + "&resourceVersionMatch=NotOlderThan",
                        WATCH));
    }

    private void recordChanges(Recorder recorder) throws IOException {
        long before = new ListReader(new ByteArrayInputStream(body("pods.pb")))
                .read(_ -> {})
                .resourceVersion();
        recorder.change(PODS + "/bare", "{\"metadata\":{\"labels\":{\"changed\":\"yes\"}}}");
        recorder.delete(PODS + "/in-a-queue");
        bodies.put(
                "pods-changes.pb", recorder.get(PODS + "?watch=1&timeoutSeconds=10&resourceVersion=" + before, WATCH));
    }

    private <T> List<T> listed(String name, ObjectDecoder<T> decoder) throws IOException {
        List<T> facts = new ArrayList<>();
        new ListReader(new ByteArrayInputStream(body(name))).read(item -> facts.add(decoder.decode(item)));
        return facts;
    }

    private List<Pod> changed(String name) throws IOException {
        PodDecoder decoder = new PodDecoder(SchedulingScope.RULES_AND_PREFERENCES, _ -> AnnotationRules.none());
        List<Pod> pods = new ArrayList<>();
        WatchReader reader = new WatchReader(new ByteArrayInputStream(body(name)), "Pod");
        for (Optional<WatchFrame> frame = reader.next(); frame.isPresent(); frame = reader.next()) {
            if (frame.get() instanceof WatchFrame.Changed(var object)) {
                pods.add(decoder.decode(object));
            }
        }
        return pods;
    }

    private byte[] body(String name) {
        return Objects.requireNonNull(bodies.get(name), name);
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
