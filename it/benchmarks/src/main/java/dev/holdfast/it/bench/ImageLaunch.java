package dev.holdfast.it.bench;

import dev.holdfast.it.scenario.OperatorLaunch;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * The command line that starts the operator as its container does: the image's Java runtime, flags, jars and AOT cache.
 * A JVM flag that sets the memory size replaces the container's memory limit.
 */
final class ImageLaunch {
    private static final String MEMORY = "-XX:MaxRAM=";

    private ImageLaunch() {}

    /**
     * {@return the command line that starts the operator of the image}
     *
     * @param root the repository, in which the operator's image is built
     * @param memory the container's memory limit in bytes
     */
    static OperatorLaunch of(Path root, long memory) {
        Path target = root.resolve("operator/target");
        try {
            List<String> options = Files.readAllLines(target.resolve("image-app.options"));
            List<String> flags = new ArrayList<>();
            options.stream()
                    .filter(option -> option.startsWith("-XX:") && !option.startsWith(MEMORY))
                    .forEach(flags::add);
            flags.add("-XX:AOTCache=" + target.resolve("image-root/opt/holdfast/start.aot"));
            flags.add(MEMORY + memory);
            String classPath = options.stream()
                    .filter(option -> option.startsWith("-cp "))
                    .map(option -> option.substring("-cp ".length()))
                    .findFirst()
                    .orElseThrow(() -> new IllegalStateException("the image names no class path"));
            return new OperatorLaunch(target.resolve("image-root/opt/java/bin/java"), flags, classPath);
        } catch (IOException e) {
            throw new IllegalStateException(
                    "cannot read the image: build it with mvn -pl operator -am pre-integration-test", e);
        }
    }
}
