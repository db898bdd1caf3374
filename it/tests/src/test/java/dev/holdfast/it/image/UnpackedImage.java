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
 * The image, unpacked and started as a container engine does it: with its own root folder, process namespace and user.
 *
 * <p>If root runs the test, the program inside runs as the image's user. Any other user becomes root inside and keeps
 * its own id outside, because the kernel maps no other id for it.
 *
 * @param root the folder with the image's files
 * @param config the {@code config} object of the image configuration
 */
record UnpackedImage(Path root, JsonNode config) {
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final int SECONDS = 60;

    /** How a program of the image ended. */
    record Outcome(int code, String out, String err) {}

    /** {@return the image from a tar for {@code docker load}, unpacked in an empty folder} */
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
        // The mount point for what an engine mounts there.
        Files.createDirectories(root.resolve("proc"));
        JsonNode config =
                JSON.readTree(parts.resolve(manifest.path("Config").textValue()).toFile());
        return new UnpackedImage(root, config.path("config"));
    }

    /** Puts a file into the image, as an engine mounts it; all users can read it. */
    void mount(String path, String text) throws IOException {
        Path file = root.resolve(path);
        Files.createDirectories(file.getParent());
        Files.writeString(file, text);
    }

    /** {@return how the image's program ended with these arguments; fails if this machine cannot start it} */
    Outcome start(String... arguments) throws IOException {
        return run(program(List.of(arguments)));
    }

    /** {@return as {@link #start}, with one more JVM option} */
    Outcome startWith(String option, String... arguments) throws IOException {
        ProcessBuilder program = program(List.of(arguments));
        program.environment().put("JDK_JAVA_OPTIONS", option);
        return run(program);
    }

    /**
     * {@return the image's running program; it ends with this JVM at the latest. Fails if this machine cannot start it}
     *
     * @param environment besides that of the image
     * @param log takes the output
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
     * The outer program owns the process namespace. It dies with the thread that started it, and ends all processes
     * inside. The inner program enters the image and becomes its user; after the change of user, a process gets no
     * parent-death signal.
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
