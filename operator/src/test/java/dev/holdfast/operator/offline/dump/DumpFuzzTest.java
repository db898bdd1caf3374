package dev.holdfast.operator.offline.dump;

import com.code_intelligence.jazzer.junit.FuzzTest;
import dev.holdfast.operator.decode.Corpus;
import dev.holdfast.operator.decode.ForeignBytes;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.junit.jupiter.params.provider.MethodSource;

/** Fuzz test of files with objects of a cluster, in JSON, YAML, gzip or archives, and with what stands beside them. */
class DumpFuzzTest {
    @MethodSource("files")
    @FuzzTest
    void aFileIsReadTheSameTwice(byte[] input) {
        ForeignBytes.isReadAlike(DumpException.class, input, DumpFuzzTest::read, DumpFuzzTest::read);
    }

    private static Object read(byte[] bytes) throws DumpException {
        Dump dump =
                new DumpReader(_ -> {}).read(List.of(new DumpFile("cluster", () -> new ByteArrayInputStream(bytes))));
        return List.of(dump.objects(), dump.policies(), dump.warnings());
    }

    static Stream<byte[]> files() throws IOException {
        String yaml = """
            apiVersion: v1
            kind: List
            items:
            - apiVersion: v1
              kind: Node
              metadata: {name: n1, labels: {disk: ssd}}
            - &pod
              apiVersion: v1
              kind: Pod
              metadata: {name: web-1, namespace: shop, annotations: {holdfast.dev/rules: '{}'}}
              spec: {nodeName: n1, nodeSelector: {disk: ssd}}
            ---
            apiVersion: holdfast.dev/v1alpha1
            kind: PlacementPolicy
            metadata: {name: web, namespace: shop}
            spec: {rules: []}
            """;
        String watch =
                "{\"type\":\"ADDED\",\"object\":{\"apiVersion\":\"v1\",\"kind\":\"Node\",\"metadata\":{\"name\":\"n1\"}}}\n"
                    + "{\"type\":\"DELETED\",\"object\":{\"apiVersion\":\"v1\",\"kind\":\"Node\",\"metadata\":{\"name\":\"n1\"}}}";
        String aliases = "a: &a {b: &b c, d: [*b]}\n---\n"
                + yaml.replace("{disk: ssd}}\n- &pod", "&l {disk: ssd}}\n- &pod")
                        .replace("nodeSelector: {disk: ssd}", "nodeSelector: *l");
        Map<String, String> files = new TreeMap<>(Map.of("./a.yaml", yaml, "b.json", watch, "c.log", "x"));
        return Stream.of(
                Archives.tar(files),
                Archives.joined(
                        Archives.file('x', "p", "20 path=pods.yaml\n11 size=5\n"),
                        Archives.file('L', "l", "nodes.yaml\0"),
                        Archives.tar(files)),
                Archives.zip(files),
                watch.getBytes(StandardCharsets.UTF_8),
                aliases.getBytes(StandardCharsets.UTF_8),
                ("[" + watch + "]").getBytes(StandardCharsets.UTF_8),
                (watch + "\nError from server (Forbidden): no\n").getBytes(StandardCharsets.UTF_8),
                yaml.getBytes(StandardCharsets.UTF_8),
                yaml.getBytes(StandardCharsets.UTF_16),
                Corpus.body("storageclasses.json"),
                Corpus.body("csinodes.json"),
                "{\"kind\":\"PodList\",\"apiVersion\":\"v1\",\"items\":[{\"metadata\":{\"name\":\"a\"}}]}"
                        .getBytes(StandardCharsets.UTF_8));
    }
}
