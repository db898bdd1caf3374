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
 * The command line that starts the operator as its container does: the image's Java runtime, flags, jars and AOT cache.
 * A JVM flag that sets the memory size replaces the container's memory limit.
 */
final class ImageLaunch {
    static final String MEMORY = "-XX:MaxRAM=";

    private ImageLaunch() {}

    /**
     * {@return the command line that starts the operator of the image}
     *
     * @param root the repository, in which the operator's image is built
     * @param manifest the YAML of the rendered chart
     */
    static OperatorLaunch of(Path root, String manifest, KubernetesClient client) {
        Path target = root.resolve("operator/target");
        try {
            List<String> options = Files.readAllLines(target.resolve("image-app.options"));
            List<String> flags = flags(options);
            flags.add("-XX:AOTCache=" + target.resolve("image-root/opt/holdfast/start.aot"));
            flags.add(MEMORY + memoryLimit(manifest, client));
            return new OperatorLaunch(target.resolve("image-root/opt/java/bin/java"), flags, classPath(options));
        } catch (NoSuchFileException e) {
            throw new IllegalStateException(
                    "the image is not built: build it with mvn -pl operator -am pre-integration-test", e);
        } catch (IOException e) {
            throw new IllegalStateException("cannot read the built image: " + e.getMessage(), e);
        }
    }

    /**
     * {@return the JVM flags among the options in the image's start command, in order, without a size of the memory}
     */
    static List<String> flags(List<String> options) {
        return new ArrayList<>(options.stream()
                .filter(option -> option.startsWith("-XX:") && !option.startsWith(MEMORY))
                .toList());
    }

    private static String classPath(List<String> options) {
        return options.stream()
                .filter(option -> option.startsWith("-cp "))
                .map(option -> option.substring("-cp ".length()))
                .findFirst()
                .orElseThrow(() -> new IllegalStateException("the image names no class path"));
    }

    private static long memoryLimit(String manifest, KubernetesClient client) {
        return client.load(new ByteArrayInputStream(manifest.getBytes(StandardCharsets.UTF_8))).items().stream()
                .filter(Deployment.class::isInstance)
                .map(Deployment.class::cast)
                .flatMap(it -> it.getSpec().getTemplate().getSpec().getContainers().stream())
                .flatMap(it -> Optional.ofNullable(it.getResources().getLimits().get("memory")).stream())
                .mapToLong(it -> it.getNumericalAmount().longValueExact())
                .findFirst()
                .orElseThrow(() -> new IllegalStateException("the chart gives the operator no memory limit"));
    }
}
