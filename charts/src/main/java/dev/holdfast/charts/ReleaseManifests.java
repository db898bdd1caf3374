package dev.holdfast.charts;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/**
 * The manifests of a release, for {@code kubectl apply --server-side -f}: the namespace {@code holdfast}, and what the
 * chart renders for it with its default values. In {@code install.yaml} the operator may evict pods; in {@code
 * install-observe-only.yaml} it has no right to.
 */
final class ReleaseManifests {
    private static final String RELEASE = "holdfast";

    private static final String NAMESPACE = """
        ---
        apiVersion: v1
        kind: Namespace
        metadata:
          name: holdfast
        """;

    private ReleaseManifests() {}

    /**
     * Writes both files.
     *
     * @param arguments the folder of the chart, and the folder for the files
     */
    public static void main(String[] arguments) throws IOException {
        Path chart = Path.of(arguments[0]);
        Path target = Files.createDirectories(Path.of(arguments[1]));
        Files.writeString(target.resolve("install.yaml"), manifest(chart, Setting.parse("enforcement.enabled=true")));
        Files.writeString(target.resolve("install-observe-only.yaml"), manifest(chart, List.of()));
    }

    private static String manifest(Path chart, List<Setting> settings) {
        return NAMESPACE + new Rendering(chart, RELEASE, RELEASE, Rendering.KUBERNETES, List.of(), settings).yaml();
    }
}
