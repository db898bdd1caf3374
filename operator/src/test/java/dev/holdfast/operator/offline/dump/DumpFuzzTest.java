package dev.holdfast.operator.offline.dump;

import com.code_intelligence.jazzer.junit.FuzzTest;
import dev.holdfast.operator.decode.Corpus;
import dev.holdfast.operator.decode.ForeignBytes;
import java.io.ByteArrayInputStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.params.provider.MethodSource;

/** Fuzz test of files with objects of a cluster, in JSON, YAML or gzip. */
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

    static Stream<byte[]> files() {
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
        return Stream.of(
                yaml.getBytes(StandardCharsets.UTF_8),
                yaml.getBytes(StandardCharsets.UTF_16),
                Corpus.body("storageclasses.json"),
                Corpus.body("csinodes.json"),
                "{\"kind\":\"PodList\",\"apiVersion\":\"v1\",\"items\":[{\"metadata\":{\"name\":\"a\"}}]}"
                        .getBytes(StandardCharsets.UTF_8));
    }
}
