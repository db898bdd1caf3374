package dev.holdfast.it.bench;

import dev.holdfast.it.scenario.OperatorLaunch;
import io.fabric8.kubernetes.api.model.apps.Deployment;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Starts the operator as its image in the chart's pod does: with the same runtime, flags, jars and AOT cache. A JVM
 * flag that limits the machine's memory replaces the container's memory limit.
 */
final class ImageLaunch {
    private ImageLaunch() {}

    /**
     * {@return the launch}
     *
     * @param root of the repository, built with its image
     * @param manifest the rendered chart
     */
    static OperatorLaunch of(Path root, String manifest, KubernetesClient client) {
        Path target = root.resolve("operator/target");
        try {
            List<String> options = Files.readAllLines(target.resolve("image-app.options"));
            List<String> flags = flags(options);
            flags.add("-XX:AOTCache=" + target.resolve("image-root/opt/holdfast/start.aot"));
            flags.add("-XX:MaxRAM=" + memoryLimit(manifest, client));
            return new OperatorLaunch(target.resolve("image-root/opt/java/bin/java"), flags, classPath(options));
        } catch (NoSuchFileException e) {
            throw new BenchException(
                    "the image is not built: build it with mvn -pl operator -am pre-integration-test", e);
        } catch (IOException e) {
            throw new BenchException("cannot read the built image: " + e.getMessage(), e);
        }
    }

    /** {@return the JVM flags among the options of the image, in order} */
    static List<String> flags(List<String> options) {
        return new ArrayList<>(
                options.stream().filter(option -> option.startsWith("-XX:")).toList());
    }

    private static String classPath(List<String> options) {
        return options.stream()
                .filter(option -> option.startsWith("-cp "))
                .map(option -> option.substring("-cp ".length()))
                .findFirst()
                .orElseThrow(() -> new BenchException("the image names no class path"));
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
}
