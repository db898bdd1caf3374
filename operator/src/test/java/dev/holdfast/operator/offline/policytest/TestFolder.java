package dev.holdfast.operator.offline.policytest;

import dev.holdfast.operator.offline.dump.DumpException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * A test folder. By default it has two nodes n1 and n2 with label {@code disk=ssd}, a Deployment {@code shop/web} with
 * one pod that needs it, and a policy {@code shop/keep} that enforces this after 60 s.
 */
final class TestFolder {
    static final String NODES = """
        {apiVersion: v1, kind: Node, metadata: {name: n1, labels: {disk: ssd}}}
        ---
        {apiVersion: v1, kind: Node, metadata: {name: n2, labels: {disk: ssd}}}
        """;

    static final String WEB = """
        apiVersion: apps/v1
        kind: Deployment
        metadata: {namespace: shop, name: web}
        spec:
          replicas: 1
          selector: {matchLabels: {app: web}}
          template:
            metadata: {labels: {app: web}}
            spec: {nodeSelector: {disk: ssd}, containers: [{name: main, image: web}]}
        """;

    static final String POLICY = """
        apiVersion: holdfast.dev/v1alpha1
        kind: PlacementPolicy
        metadata: {namespace: shop, name: keep}
        spec: {mode: Enforce, podSelector: {}, forgivenessSeconds: 60, limits: {minReplicas: 0}}
        """;

    static final String HEAD = """
        apiVersion: cli.holdfast.dev/v1
        kind: PolicyTest
        """;

    private final Path folder;

    TestFolder(Path folder) {
        this.folder = folder;
        file("cluster.yaml", NODES + "---\n" + WEB);
        file("policies.yaml", POLICY);
    }

    TestFolder file(String name, String content) {
        try {
            Files.writeString(folder.resolve(name), content);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return this;
    }

    /** Sets the fields of test.yaml after its head. */
    TestFolder test(String fields) {
        return file("test.yaml", HEAD + fields);
    }

    String read(String name) {
        try {
            return Files.readString(folder.resolve(name));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** {@return how what happens deviates from what is expected, line by line} */
    List<String> deviations() throws DumpException {
        List<String> warnings = new ArrayList<>();
        TestReport report =
                PolicyTests.in(List.of(folder.toString()), warnings::add).run(_ -> {});
        TestReport.Result result = report.tests().getFirst();
        if (!result.error().isEmpty()) {
            throw new DumpException(result.error());
        }
        List<String> lines = new ArrayList<>(warnings);
        result.deviations().forEach(deviation -> lines.add(deviation.message()));
        return lines;
    }

    String name() {
        return folder.toString();
    }
}
