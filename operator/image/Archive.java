import dev.holdfast.operator.app.AotCache;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.FileTime;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.GeneralSecurityException;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.SequencedMap;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.jar.Attributes;
import java.util.jar.JarOutputStream;
import java.util.jar.Manifest;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import java.util.zip.ZipEntry;
import javax.tools.ToolProvider;

/**
 * Builds the archive for users: the command {@code bin/holdfast} with all its jars, the Java runtime of the image, an
 * AOT cache and completion scripts, as {@code NAME.tar.gz}.
 *
 * <p>The JVM uses the cache only if the jars have the same modification times as in training. So all files get the time
 * of the build, and tar keeps it. The folder may be unpacked anywhere: the paths of the jars may differ in their
 * beginning. The command compares the jars with their checksums beside the cache.
 *
 * <p>The operator's pom runs this in the JDK that compiles. Does nothing if nothing has changed, and on other systems
 * than Linux.
 */
final class Archive {
    private static final int MOST_SECONDS = 180;
    private static final List<String> SHELLS = List.of("bash", "zsh", "fish");
    private static final String MAIN = "dev.holdfast.operator.Main";

    private final Path imageRoot;
    private final Path jar;
    private final Path libraries;
    private final Path folder;
    private final FileTime time;
    private final Path image = Path.of("image");
    private final Path samples = Path.of("../docs/samples");
    private final Path license = Path.of("../LICENSE");

    /**
     * An archive.
     *
     * @param imageRoot the root file system of the image, with the runtime
     * @param jar the jar of the application
     * @param libraries the folder of all other jars
     * @param folder what will be archived, under its own name
     * @param time the modification time of all files
     */
    private Archive(Path imageRoot, Path jar, Path libraries, Path folder, Instant time) {
        this.imageRoot = imageRoot;
        this.jar = jar;
        this.libraries = libraries;
        this.folder = folder.toAbsolutePath();
        this.time = FileTime.from(time);
    }

    /**
     * Builds the archive beside the folder.
     *
     * @param args the root of the image, its modules, the jar, the folder of all other jars, the folder for the
     *     content, and the time of the build
     */
    static void main(String... args) throws IOException, GeneralSecurityException, InterruptedException {
        if (!System.getProperty("os.name").equals("Linux")) {
            System.out.println("no archive is built: it is for Linux only");
            return;
        }
        ImageRoot.main(args[0], args[1]);
        List<Path> paths = Arrays.stream(args).limit(5).map(Path::of).toList();
        new Archive(paths.get(0), paths.get(2), paths.get(3), paths.get(4), Instant.parse(args[5])).make();
    }

    private void make() throws IOException, GeneralSecurityException, InterruptedException {
        Path archive = folder.resolveSibling(folder.getFileName() + ".tar.gz");
        Path made = folder.resolveSibling("archive.made");
        String fingerprint = fingerprint();
        if (Files.exists(archive)
                && Files.exists(made)
                && Files.readString(made).equals(fingerprint)) {
            return;
        }
        Files.deleteIfExists(made);
        delete(folder);
        fill();
        setTimes();
        train();
        complete();
        setTimes();
        pack(archive);
        Files.writeString(made, fingerprint);
    }

    private String fingerprint() throws IOException {
        List<Path> inputs = new ArrayList<>(jars());
        inputs.add(imageRoot.resolve("opt/java/release"));
        inputs.add(license);
        inputs.addAll(files(image));
        inputs.addAll(files(samples));
        return Fingerprint.of(inputs) + "\n" + time;
    }

    /** {@return all jars, the application's first} */
    private List<Path> jars() throws IOException {
        List<Path> jars = new ArrayList<>(List.of(jar));
        jars.addAll(files(libraries));
        return jars;
    }

    private static List<Path> files(Path folder) throws IOException {
        try (Stream<Path> files = Files.list(folder)) {
            return files.filter(Files::isRegularFile).sorted().toList();
        }
    }

    private void fill() throws IOException {
        Files.createDirectories(folder);
        copyTree(imageRoot.resolve("opt/java"), folder.resolve("runtime"));
        Files.createDirectories(folder.resolve("bin"));
        Files.createDirectories(folder.resolve("lib"));
        Files.copy(license, folder.resolve("LICENSE"));
        Path script = Files.copy(image.resolve("archive.sh"), folder.resolve("bin/holdfast"));
        Files.setPosixFilePermissions(script, PosixFilePermissions.fromString("rwxr-xr-x"));
        // kubectl runs what has this name as its plugin.
        Files.createSymbolicLink(folder.resolve("bin/kubectl-holdfast"), Path.of("holdfast"));
        // And this for the words that complete a command line of the plugin.
        Files.createSymbolicLink(folder.resolve("bin/kubectl_complete-holdfast"), Path.of("holdfast"));
        Files.copy(image.resolve("archive.options"), folder.resolve("lib/jvm.options"));
        for (Path each : jars()) {
            Files.copy(each, folder.resolve("lib").resolve(each.getFileName()));
        }
        launcher();
    }

    private static void copyTree(Path from, Path to) throws IOException {
        try (Stream<Path> files = Files.walk(from)) {
            for (Path file : files.toList()) {
                // Keeps symbolic links and the right to execute.
                Files.copy(
                        file,
                        to.resolve(from.relativize(file)),
                        LinkOption.NOFOLLOW_LINKS,
                        StandardCopyOption.COPY_ATTRIBUTES);
            }
        }
    }

    /** Writes {@code lib/holdfast.jar}, which puts all other jars on the class path in a fixed order. */
    private void launcher() throws IOException {
        Path classes = Files.createTempDirectory("holdfast-archive");
        try {
            int code = ToolProvider.getSystemJavaCompiler()
                    .run(
                            null,
                            null,
                            null,
                            "-d",
                            classes.toString(),
                            "-proc:none",
                            "-cp",
                            jars().stream().map(Path::toString).collect(Collectors.joining(":")),
                            image.resolve("CommandTraining.java").toString());
            if (code != 0) {
                throw new IllegalStateException("javac ended with " + code);
            }
            Manifest manifest = new Manifest();
            Attributes attributes = manifest.getMainAttributes();
            attributes.put(Attributes.Name.MANIFEST_VERSION, "1.0");
            attributes.put(Attributes.Name.MAIN_CLASS, MAIN);
            attributes.put(
                    Attributes.Name.CLASS_PATH,
                    jars().stream().map(each -> each.getFileName().toString()).collect(Collectors.joining(" ")));
            try (OutputStream file = Files.newOutputStream(folder.resolve("lib/holdfast.jar"));
                    JarOutputStream launcher = new JarOutputStream(file)) {
                entry(launcher, "META-INF/MANIFEST.MF");
                manifest.write(launcher);
                for (Path each : files(classes)) {
                    entry(launcher, each.getFileName().toString());
                    Files.copy(each, launcher);
                }
            }
        } finally {
            delete(classes);
        }
    }

    private void entry(JarOutputStream launcher, String name) throws IOException {
        ZipEntry entry = new ZipEntry(name);
        // Without a time zone, so that the jar is the same on each machine.
        entry.setTimeLocal(LocalDateTime.ofInstant(time.toInstant(), ZoneOffset.UTC));
        launcher.putNextEntry(entry);
    }

    private void setTimes() throws IOException {
        try (Stream<Path> files = Files.walk(folder)) {
            for (Path file : files.toList()) {
                if (!Files.isSymbolicLink(file)) {
                    Files.setLastModifiedTime(file, time);
                }
            }
        }
    }

    private void train() throws IOException, GeneralSecurityException, InterruptedException {
        Path cache = folder.resolve("lib/holdfast.aot");
        AotCache.record(cache, jarsByName());
        Path scratch = Files.createTempDirectory("holdfast-archive");
        try (TrainingApiServer server = new TrainingApiServer(
                image.resolve("../src/test/resources/dev/holdfast/operator/decode/golden"), scratch)) {
            Path kubeconfig = kubeconfig(server, scratch);
            Path log = folder.resolveSibling("archive-training.log");
            run(
                    log,
                    folder.resolve("runtime/bin/java").toString(),
                    "@" + folder.resolve("lib/jvm.options"),
                    "-XX:AOTCacheOutput=" + cache,
                    "-Dholdfast.aotCache=" + cache,
                    "-cp",
                    folder.resolve("lib/holdfast.jar").toString(),
                    "CommandTraining",
                    samples.toString(),
                    kubeconfig.toString());
            if (!Files.exists(cache)) {
                throw new IllegalStateException("the training run left no cache; see " + log);
            }
        } finally {
            delete(scratch);
        }
    }

    /** {@return the jars of the archive by their names in the folder of the cache} */
    private SequencedMap<String, Path> jarsByName() throws IOException {
        SequencedMap<String, Path> byName = new TreeMap<>();
        for (Path file : files(folder.resolve("lib"))) {
            if (file.toString().endsWith(".jar")) {
                byName.put(file.getFileName().toString(), file);
            }
        }
        return byName;
    }

    private static Path kubeconfig(TrainingApiServer server, Path scratch) throws IOException {
        Path authority = Files.write(scratch.resolve("ca.crt"), server.authority());
        return Files.writeString(scratch.resolve("kubeconfig"), """
            apiVersion: v1
            kind: Config
            clusters:
            - name: training
              cluster: {server: "https://127.0.0.1:%d", certificate-authority: "%s"}
            users:
            - name: training
              user: {token: training}
            contexts:
            - name: training
              context: {cluster: training, user: training}
            current-context: training
            """.formatted(server.port(), authority));
    }

    /** Writes the completion scripts, and so shows that the command works. */
    private void complete() throws IOException, InterruptedException {
        Path completion = Files.createDirectories(folder.resolve("share/completion"));
        for (String shell : SHELLS) {
            run(
                    completion.resolve("holdfast." + shell),
                    folder.resolve("bin/holdfast").toString(),
                    "completion",
                    shell);
        }
    }

    private void pack(Path archive) throws IOException, InterruptedException {
        run(
                archive.resolveSibling("archive-tar.log"),
                "tar",
                "--create",
                "--gzip",
                "--format=ustar",
                "--sort=name",
                "--owner=0",
                "--group=0",
                "--numeric-owner",
                "--mode=u=rwX,go=rX",
                "--mtime=@" + time.to(TimeUnit.SECONDS),
                "--file=" + archive,
                "--directory=" + folder.getParent(),
                folder.getFileName().toString());
    }

    private static void run(Path output, String... command) throws IOException, InterruptedException {
        ProcessBuilder builder = new ProcessBuilder(command).redirectOutput(output.toFile());
        // Options for all Java programs would have to be the same at each start.
        Map<String, String> environment = builder.environment();
        List.of("JAVA_TOOL_OPTIONS", "JDK_JAVA_OPTIONS", "_JAVA_OPTIONS").forEach(environment::remove);
        Process process = builder.redirectErrorStream(true).start();
        if (!process.waitFor(MOST_SECONDS, TimeUnit.SECONDS)) {
            process.destroyForcibly();
        }
        if (process.waitFor() != 0) {
            throw new IllegalStateException(
                    command[0] + " ended with " + process.exitValue() + "; see its output in " + output);
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
