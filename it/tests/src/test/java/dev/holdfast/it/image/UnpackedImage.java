package dev.holdfast.it.image;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.holdfast.it.controlplane.ChildProcesses;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * The operator's container image, unpacked and started as by a container engine.
 *
 * @param root the folder with the image's files
 * @param config the {@code config} object of the image configuration
 */
record UnpackedImage(Path root, JsonNode config) {
    private static final ObjectMapper JSON = new ObjectMapper();

    /** Unpacks an image from a tar for {@code docker load} into an empty folder, and returns it. */
    static UnpackedImage of(Path tar, Path folder) throws IOException {
        if (!Files.exists(tar)) {
            throw new AssertionError("there is no " + tar + ": build it with mvn -pl it/tests -am verify");
        }
        Path parts = Files.createDirectories(folder.resolve("parts"));
        Path root = RootFolder.create(folder.resolve("root"));
        RootFolder.run(List.of("tar", "-xf", tar.toString(), "-C", parts.toString()));
        JsonNode manifest =
                JSON.readTree(parts.resolve("manifest.json").toFile()).path(0);
        for (JsonNode layer : manifest.path("Layers")) {
            RootFolder.run(
                    List.of("tar", "-xf", parts.resolve(layer.textValue()).toString(), "-C", root.toString()));
        }
        JsonNode config =
                JSON.readTree(parts.resolve(manifest.path("Config").textValue()).toFile());
        return new UnpackedImage(root, config.path("config"));
    }

    /** Puts a file into the image, as if a container engine had mounted it; all users can read the file. */
    void mount(String path, String text) throws IOException {
        Path file = root.resolve(path);
        Files.createDirectories(file.getParent());
        Files.writeString(file, text);
    }

    /**
     * Runs the image's program with these arguments, and returns how it ended. Fails if this machine cannot start it.
     */
    RootFolder.Outcome start(String... arguments) throws IOException {
        return RootFolder.run(program(List.of(arguments)));
    }

    /** As {@link #start}, with one more JVM option. */
    RootFolder.Outcome startWith(String option, String... arguments) throws IOException {
        ProcessBuilder program = program(List.of(arguments));
        program.environment().put("JDK_JAVA_OPTIONS", option);
        return RootFolder.run(program);
    }

    /** As {@link #start}, with a file as standard input. */
    RootFolder.Outcome pipe(Path input, String... arguments) throws IOException {
        return RootFolder.run(program(List.of(arguments)).redirectInput(input.toFile()));
    }

    /**
     * Starts the image's program and returns its process, which ends with this JVM at the latest. Fails if this machine
     * cannot start it.
     *
     * @param environment environment variables in addition to those of the image
     * @param log the file that receives the output
     */
    Process begin(List<String> arguments, Map<String, String> environment, Path log) throws IOException {
        ProcessBuilder program = program(arguments);
        program.environment().putAll(environment);
        return ChildProcesses.start(program.redirectErrorStream(true).redirectOutput(log.toFile()));
    }

    private ProcessBuilder program(List<String> arguments) throws IOException {
        List<String> command = new ArrayList<>();
        config.path("Entrypoint").forEach(word -> command.add(word.textValue()));
        command.addAll(arguments);
        ProcessBuilder program = new RootFolder(root, config.path("User").textValue()).program(command);
        config.path("Env").forEach(variable -> {
            String[] parts = variable.textValue().split("=", 2);
            program.environment().put(parts[0], parts[1]);
        });
        return program;
    }
}
