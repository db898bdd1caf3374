import dev.holdfast.operator.app.AotCache;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.FileTime;
import java.security.GeneralSecurityException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.SequencedMap;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Creates the AOT cache of the image. It starts the application once against a {@link TrainingApiServer fake API
 * server}, with the runtime and the flags of the image. The JVM then stores its loaded classes and profiles, and the
 * application starts in half of the time.
 *
 * <p>The JVM uses the cache only if the jars of the class path have the same names, order, sizes and modification times
 * as in training. So the jars are copied to paths that differ only in their beginning, with the modification time of
 * all files in the image. If the JVM rejects the cache, it starts without it. JDK 25.0.3 compares neither sizes nor
 * times, so the application compares the jars with their checksums beside the cache.
 *
 * <p>The operator's pom runs this in the JDK that compiles, after {@link ImageRoot}. Does nothing if nothing has
 * changed.
 */
final class Training {
    /** The modification time of every file in the image. */
    private static final FileTime IMAGE_TIME = FileTime.from(1, TimeUnit.SECONDS);

    private static final int MOST_SECONDS = 180;

    private final Path root;
    private final Path app;
    private final Path jar;
    private final Path libraries;
    private final Path image;

    /**
     * A training run.
     *
     * @param root the root file system of the image, with the runtime
     * @param app receives the copies of the jars; becomes {@code /app} in the image
     * @param jar the jar of the application
     * @param libraries the folder of all other jars
     * @param image the folder of this file
     */
    private Training(Path root, Path app, Path jar, Path libraries, Path image) {
        this.root = root;
        this.app = app;
        this.jar = jar;
        this.libraries = libraries;
        this.image = image;
    }

    static void main(String... args) throws IOException, GeneralSecurityException, InterruptedException {
        List<Path> paths = Arrays.stream(args).map(Path::of).toList();
        new Training(paths.get(0), paths.get(1), paths.get(2), paths.get(3), paths.get(4)).run();
    }

    private void run() throws IOException, GeneralSecurityException, InterruptedException {
        List<Path> jars = jars();
        Path made = app.resolveSibling("image-app.made");
        String recipe = recipe(jars);
        if (Files.exists(made) && Files.readString(made).equals(recipe)) {
            // Written again, so that its modification time is later than that of the jar.
            Files.writeString(made, recipe);
            return;
        }
        Files.deleteIfExists(made);
        copy(jars);
        Path options = options();
        train(options);
        Files.writeString(made, recipe);
    }

    /** {@return all jars, the application's first} */
    private List<Path> jars() throws IOException {
        List<Path> jars = new ArrayList<>(List.of(jar));
        try (Stream<Path> files = Files.list(libraries)) {
            files.sorted().forEach(jars::add);
        }
        return jars;
    }

    private String recipe(List<Path> jars) throws IOException {
        List<Path> all = new ArrayList<>(jars);
        all.add(root.resolve("opt/java/release"));
        try (Stream<Path> files = Files.list(image)) {
            files.sorted().forEach(all::add);
        }
        return Fingerprint.of(all);
    }

    private void copy(List<Path> jars) throws IOException {
        delete(app);
        for (Path each : jars) {
            Path copy = app.resolve(inApp(each));
            Files.createDirectories(copy.getParent());
            Files.copy(each, copy, StandardCopyOption.REPLACE_EXISTING);
            Files.setLastModifiedTime(copy, IMAGE_TIME);
        }
    }

    private String inApp(Path each) {
        return (each.equals(jar) ? "classpath/" : "libs/") + each.getFileName();
    }

    /** {@return a file with the JVM flags for the training} Also writes the file with the flags of the image. */
    private Path options() throws IOException {
        Path folder = Files.createDirectories(root.resolve("opt/holdfast"));
        String flags = Files.readString(image.resolve("jvm.options"));
        Files.writeString(
                folder.resolve("jvm.options"),
                flags + "-XX:AOTCache=/opt/holdfast/start.aot\n-Dholdfast.aotCache=/opt/holdfast/start.aot\n-cp "
                        + classPath(Path.of("/app")) + "\n");
        AotCache.record(folder.resolve("start.aot"), jarsBelow(Path.of("/app")));
        Path training = app.resolveSibling("image-app.aot").toAbsolutePath();
        AotCache.record(training, jarsBelow(app.toAbsolutePath()));
        return Files.writeString(
                app.resolveSibling("image-app.options"),
                flags + "-Dholdfast.aotCache=" + training + "\n-cp " + classPath(app.toAbsolutePath()) + "\n");
    }

    /** {@return the copies of the jars, by the paths that they have if the application is in the folder} */
    private SequencedMap<String, Path> jarsBelow(Path folder) throws IOException {
        SequencedMap<String, Path> byPath = new LinkedHashMap<>();
        for (Path each : jars()) {
            byPath.put(folder.resolve(inApp(each)).toString(), app.resolve(inApp(each)));
        }
        return byPath;
    }

    private String classPath(Path folder) throws IOException {
        return jars().stream()
                .map(each -> folder.resolve(inApp(each)).toString())
                .collect(Collectors.joining(":"));
    }

    private void train(Path options) throws IOException, GeneralSecurityException, InterruptedException {
        Path scratch = Files.createTempDirectory("holdfast-training");
        Path cache = root.resolve("opt/holdfast/start.aot").toAbsolutePath();
        Path log = app.resolveSibling("image-training.log");
        try (TrainingApiServer server = new TrainingApiServer(
                image.resolve("../src/test/resources/dev/holdfast/operator/decode/golden"), scratch)) {
            Path token = Files.writeString(scratch.resolve("token"), "training");
            Path authority = Files.write(scratch.resolve("ca.crt"), server.authority());
            Path config = Files.writeString(
                    scratch.resolve("config.yaml"),
                    "{http: {port: " + freePort() + "}, metrics: {port: " + freePort() + "}}\n");
            ProcessBuilder pod = new ProcessBuilder(List.of(
                            root.resolve("opt/java/bin/java").toString(),
                            "@" + options,
                            "-XX:AOTCacheOutput=" + cache,
                            "-Dkubernetes.auth.serviceAccount.token=" + token,
                            "-Dkubernetes.certs.ca.file=" + authority,
                            "dev.holdfast.operator.Main",
                            "run",
                            "--config=" + config))
                    .redirectErrorStream(true)
                    .redirectOutput(log.toFile());
            // As in a pod: reading a kubeconfig would load hundreds of further classes.
            pod.environment().remove("KUBECONFIG");
            pod.environment().put("HOME", scratch.toString());
            pod.environment().put("KUBERNETES_SERVICE_HOST", "127.0.0.1");
            pod.environment().put("KUBERNETES_SERVICE_PORT", Integer.toString(server.port()));
            Process process = pod.start();
            Thread watchdog = Thread.ofVirtual().start(() -> {
                try {
                    server.awaitReport();
                    // Includes what follows soon after the start: a scrape, the first lease renewals, the first checks.
                    TimeUnit.SECONDS.sleep(3);
                    process.destroy();
                } catch (InterruptedException _) {
                    process.destroyForcibly();
                }
            });
            if (!process.waitFor(MOST_SECONDS, TimeUnit.SECONDS)) {
                process.destroyForcibly();
            }
            watchdog.interrupt();
            if (process.waitFor() != 0 || !Files.exists(cache)) {
                throw new IllegalStateException("the training run of the image ended with " + process.exitValue()
                        + " and without a cache; see the log " + log);
            }
        } finally {
            delete(scratch);
        }
    }

    private static int freePort() throws IOException {
        try (ServerSocket socket = new ServerSocket(0)) {
            return socket.getLocalPort();
        }
    }

    private static void delete(Path folder) throws IOException {
        if (!Files.exists(folder)) {
            return;
        }
        try (Stream<Path> files = Files.walk(folder)) {
            files.sorted(Comparator.reverseOrder()).forEach(file -> {
                try {
                    Files.delete(file);
                } catch (IOException e) {
                    throw new UncheckedIOException("delete " + file, e);
                }
            });
        }
    }
}
