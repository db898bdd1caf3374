package dev.holdfast.operator.observe;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.holdfast.operator.decode.Corpus;
import dev.holdfast.operator.decode.ListReader;
import dev.holdfast.operator.decode.Listed;
import dev.holdfast.operator.decode.NamespaceDecoder;
import dev.holdfast.operator.decode.NodeDecoder;
import dev.holdfast.operator.decode.ObjectDecoder;
import dev.holdfast.operator.decode.PodDecoder;
import dev.holdfast.operator.decode.Region;
import dev.holdfast.operator.decode.WatchFrame;
import dev.holdfast.operator.decode.WatchReader;
import dev.holdfast.policies.model.Namespace;
import dev.holdfast.policies.model.Node;
import dev.holdfast.policies.model.Pod;
import io.fabric8.kubernetes.client.utils.KubernetesSerialization;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import org.junit.jupiter.api.Test;

/**
 * What is decoded from protobuf is what is read from JSON. Both were recorded from one API server that held one of every
 * kind of object: see {@code it/src/test/resources/dev/holdfast/it/decode/golden.yaml}.
 */
class GoldenFactsTest {
    private final ObjectMapper json = new ObjectMapper();
    private final KubernetesSerialization slim = SlimClient.serialization();
    private final CoreFacts facts = new CoreFacts();

    @Test
    void pods() throws IOException {
        List<Pod> pods = decoded("pods", new PodDecoder());

        assertThat(pods).containsExactlyElementsOf(ofJson("pods", SlimPod.class, facts::pod));
        assertThat(pods)
                .extracting(pod -> pod.name().name())
                .containsExactly(
                        "bare",
                        "empty-affinity",
                        "empty-selectors",
                        "failed",
                        "full",
                        "in-a-pod-group",
                        "in-a-queue",
                        "in-a-scheduling-group",
                        "mirror",
                        "readiness-unknown",
                        "scheduled-and-not-ready",
                        "succeeded",
                        "terminating-pending",
                        "terminating-running");
    }

    @Test
    void nodes() throws IOException {
        List<Node> nodes = decoded("nodes", new NodeDecoder());

        assertThat(nodes).containsExactlyElementsOf(ofJson("nodes", SlimNode.class, facts::node));
        assertThat(nodes)
                .extracting(Node::name)
                .containsExactly("golden-bare", "golden-full", "golden-not-ready", "golden-unknown");
    }

    @Test
    void namespaces() throws IOException {
        List<Namespace> namespaces = decoded("namespaces", new NamespaceDecoder());

        assertThat(namespaces).containsExactlyElementsOf(ofJson("namespaces", SlimNamespace.class, facts::namespace));
        assertThat(namespaces).extracting(Namespace::name).contains("golden", "golden-labelled", "terminating-golden");
    }

    @Test
    void aWatchThatBeginsWithAllPods() throws IOException {
        List<WatchFrame> frames = new ArrayList<>();
        List<Pod> changed = new ArrayList<>();
        watch("pods-watch.pb", frames, changed);

        assertThat(changed).containsExactlyInAnyOrderElementsOf(ofJson("pods", SlimPod.class, facts::pod));
        assertThat(frames)
                .element(changed.size())
                .isInstanceOfSatisfying(
                        WatchFrame.Bookmark.class,
                        it -> assertThat(it.initialEventsEnd()).isTrue());
    }

    @Test
    void aWatchOfChanges() throws IOException {
        List<WatchFrame> frames = new ArrayList<>();
        List<Pod> changed = new ArrayList<>();
        watch("pods-changes.pb", frames, changed);

        assertThat(frames)
                .extracting(frame -> frame.getClass().getSimpleName())
                .containsExactly("Changed", "Changed", "Deleted");
        assertThat(changed)
                .extracting(pod -> pod.name().name() + (pod.terminating() ? ", terminating" : ""))
                .containsExactly("bare", "in-a-queue, terminating", "in-a-queue, terminating");
        assertThat(changed.getFirst().labels().get("changed")).contains("yes");
    }

    private static void watch(String name, List<WatchFrame> frames, List<Pod> pods) throws IOException {
        PodDecoder decoder = new PodDecoder();
        WatchReader reader = new WatchReader(body(name));
        for (Optional<WatchFrame> frame = reader.next(); frame.isPresent(); frame = reader.next()) {
            frames.add(frame.get());
            switch (frame.get()) {
                case WatchFrame.Changed(Region object) -> pods.add(decoder.decode(object));
                case WatchFrame.Deleted(Region object) -> pods.add(decoder.decode(object));
                case WatchFrame.Bookmark _, WatchFrame.Failed _ -> {}
            }
        }
    }

    private <T> List<T> decoded(String kind, ObjectDecoder<T> decoder) throws IOException {
        List<T> decoded = new ArrayList<>();
        Listed listed = new ListReader(body(kind + ".pb")).read(item -> decoded.add(decoder.decode(item)));
        assertThat(listed)
                .isEqualTo(new Listed(
                        Long.parseLong(list(kind)
                                .path("metadata")
                                .path("resourceVersion")
                                .asText()),
                        ""));
        return decoded;
    }

    private <S extends SlimObject, T> List<T> ofJson(String kind, Class<S> type, Function<S, T> fact)
            throws IOException {
        List<T> read = new ArrayList<>();
        for (JsonNode item : list(kind).path("items")) {
            read.add(fact.apply(slim.unmarshal(item.toString(), type)));
        }
        return read;
    }

    private JsonNode list(String kind) throws IOException {
        return json.readTree(Corpus.body(kind + ".json"));
    }

    private static ByteArrayInputStream body(String name) {
        return new ByteArrayInputStream(Corpus.body(name));
    }
}
