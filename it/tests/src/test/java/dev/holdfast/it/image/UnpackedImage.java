package dev.holdfast.it.image;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.holdfast.it.controlplane.ChildProcesses;
import dev.holdfast.it.controlplane.Prerequisite;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/**
 * The operator's container image, unpacked and started as by a container engine: with its own root folder, process
 * namespace and user.
 *
 * <p>If root runs the test, the program in the image runs as the image's user. If another user runs the test, the
 * program runs as root in its user namespace, because the kernel lets that user map no other id.
 *
 * @param root the folder with the image's files
 * @param config the {@code config} object of the image configuration
 */
record UnpackedImage(Path root, JsonNode config) {
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final int SECONDS = 60;

    /** How a program of the image ended. */
    record Outcome(int code, String out, String err) {}

    /** Unpacks an image from a tar for {@code docker load} into an empty folder, and returns it. */
    static UnpackedImage of(Path tar, Path folder) throws IOException {
        if (!Files.exists(tar)) {
            throw new AssertionError("there is no " + tar + ": build it with mvn -pl it/tests -am verify");
        }
        Path parts = Files.createDirectories(folder.resolve("parts"));
        Path root = Files.createDirectories(folder.resolve("root"));
        run(List.of("tar", "-xf", tar.toString(), "-C", parts.toString()));
        JsonNode manifest =
                JSON.readTree(parts.resolve("manifest.json").toFile()).path(0);
        for (JsonNode layer : manifest.path("Layers")) {
            run(List.of("tar", "-xf", parts.resolve(layer.textValue()).toString(), "-C", root.toString()));
        }
        // The mount point for {@code /proc}, which a container engine mounts.
        Files.createDirectories(root.resolve("proc"));
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
    Outcome start(String... arguments) throws IOException {
        return run(program(List.of(arguments)));
    }

    /** As {@link #start}, with one more JVM option. */
    Outcome startWith(String option, String... arguments) throws IOException {
        ProcessBuilder program = program(List.of(arguments));
        program.environment().put("JDK_JAVA_OPTIONS", option);
        return run(program);
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
        List<String> command = new ArrayList<>(enter());
        config.path("Entrypoint").forEach(word -> command.add(word.textValue()));
        command.addAll(arguments);
        ProcessBuilder builder = new ProcessBuilder(command);
        builder.environment().clear();
        config.path("Env").forEach(variable -> {
            String[] parts = variable.textValue().split("=", 2);
            builder.environment().put(parts[0], parts[1]);
        });
        return builder;
    }

    /**
     * {@return the command that enters the image, to put before the program} Its outer process creates the process
     * namespace; when the starting thread ends, the kernel kills this process and so all processes in the namespace.
     * Its inner process enters the image and changes the user, after which a process gets no parent-death signal
     * itself.
     */
    private List<String> enter() throws IOException {
        String unshare = Prerequisite.UNSHARE.require().toString();
        boolean isRoot = Files.getAttribute(Path.of("/proc/self"), "unix:uid").equals(0);
        List<String> command = new ArrayList<>(List.of(unshare));
        if (!isRoot) {
            command.addAll(List.of("--user", "--map-root-user"));
        }
        command.addAll(List.of("--fork", "--kill-child", "--pid", "--mount-proc=" + root.resolve("proc")));
        requireNamespaces(command);
        command.addAll(List.of(unshare, "--fork", "--root=" + root, "--wd=/"));
        if (isRoot) {
            String[] user = config.path("User").textValue().split(":", 2);
            command.addAll(List.of("--setuid=" + user[0], "--setgid=" + user[1]));
        }
        return command;
    }

    private static void requireNamespaces(List<String> outer) throws IOException {
        List<String> attempt = new ArrayList<>(outer);
        attempt.add("true");
        Outcome outcome = run(new ProcessBuilder(attempt));
        if (outcome.code() != 0) {
            throw new AssertionError(
                    "this machine cannot start an image: run the test as root, or allow user namespaces"
                            + " (sysctl kernel.unprivileged_userns_clone=1; since Ubuntu 24.04 also"
                            + " kernel.apparmor_restrict_unprivileged_userns=0); " + outcome.err());
        }
    }

    private static void run(List<String> command) throws IOException {
        Outcome outcome = run(new ProcessBuilder(command));
        if (outcome.code() != 0) {
            throw new AssertionError(
                    String.join(" ", command) + " ended with " + outcome.code() + ": " + outcome.err());
        }
    }

    private static Outcome run(ProcessBuilder builder) throws IOException {
        Path out = Files.createTempFile("image", ".out");
        Path err = Files.createTempFile("image", ".err");
        try {
            Process process = builder.redirectOutput(out.toFile())
                    .redirectError(err.toFile())
                    .start();
            if (!process.waitFor(SECONDS, TimeUnit.SECONDS)) {
                process.destroyForcibly();
                throw new AssertionError(builder.command() + " still ran after " + SECONDS + " s");
            }
            return new Outcome(process.exitValue(), text(out), text(err));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new AssertionError("interrupted while " + builder.command() + " ran", e);
        } finally {
            Files.delete(out);
            Files.delete(err);
        }
    }

    private static String text(Path file) throws IOException {
        return Files.readString(file, StandardCharsets.UTF_8);
    }
}
