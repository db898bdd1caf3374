package dev.holdfast.it.bench;

import dev.holdfast.it.scenario.OperatorLaunch;
import io.fabric8.kubernetes.api.model.apps.Deployment;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.io.ByteArrayInputStream;
import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * Starts the operator as its image in the chart's pod does: with the JVM flags of the image, its jars alone, and, in
 * the place of a container's memory limit, the JVM told that the machine has no more memory than that.
 */
final class ImageLaunch {
    private static final Pattern FLAG = Pattern.compile("<arg>(-XX:[^<]+)</arg>");
    private static final Pattern JAR = Pattern.compile("holdfast-operator-[^-]+(-SNAPSHOT)?\\.jar");

    private ImageLaunch() {}

    /**
     * {@return the launch}
     *
     * @param root of the repository, built
     * @param manifest of the chart, rendered
     */
    static OperatorLaunch of(Path root, String manifest, KubernetesClient client) {
        try {
            List<String> flags = flags(Files.readString(root.resolve("operator/pom.xml")));
            flags.add("-XX:MaxRAM=" + memoryLimit(manifest, client));
            Path target = root.resolve("operator/target");
            return new OperatorLaunch(flags, jar(target) + File.pathSeparator + target.resolve("lib/*"));
        } catch (IOException e) {
            throw new BenchException("cannot read the built operator: " + e.getMessage(), e);
        }
    }

    /** {@return the JVM flags in the entry point of the image, in their order} */
    static List<String> flags(String pom) {
        List<String> flags = new ArrayList<>(FLAG.matcher(pom)
                .results()
                .map((MatchResult flag) -> flag.group(1))
                .toList());
        if (flags.isEmpty()) {
            throw new BenchException("operator/pom.xml names no JVM flags of the image");
        }
        return flags;
    }

    private static long memoryLimit(String manifest, KubernetesClient client) {
        return client.load(new ByteArrayInputStream(manifest.getBytes(StandardCharsets.UTF_8))).items().stream()
                .filter(Deployment.class::isInstance)
                .map(Deployment.class::cast)
                .flatMap(it -> it.getSpec().getTemplate().getSpec().getContainers().stream())
                .flatMap(it -> Optional.ofNullable(it.getResources().getLimits().get("memory")).stream())
                .mapToLong(it -> it.getNumericalAmount().longValueExact())
                .findFirst()
                .orElseThrow(() -> new BenchException("the chart gives the operator no memory limit"));
    }

    private static Path jar(Path target) throws IOException {
        try (Stream<Path> files = Files.list(target)) {
            return files.filter(
                            file -> JAR.matcher(file.getFileName().toString()).matches())
                    .findFirst()
                    .orElseThrow(() -> new BenchException(
                            "there is no jar of the operator in " + target + ": build it with mvn -pl it -am package"));
        }
    }
}
