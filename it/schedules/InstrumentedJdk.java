import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import java.util.zip.ZipFile;

/**
 * Builds the Java runtime in which tests run under controlled schedules. Fray's plugin for jlink instruments the
 * classes of the JDK: locks, threads and waits.
 *
 * <p>Fray's own Maven plugin downloads a JDK and needs its jmods. This program links the runtime of the JDK that runs
 * it, which needs neither (JEP 493). Argument: the target folder. The class path must hold Fray's plugin for jlink with
 * what it needs, and Fray's native library. Does nothing if the folder was built by the same JDK with the same plugin.
 */
final class InstrumentedJdk {
    /** What the operator, its libraries, JUnit and Fray use of the JDK. */
    private static final String MODULES = "java.se,java.instrument,jdk.crypto.ec,jdk.httpserver,jdk.jfr,"
            + "jdk.management,jdk.naming.dns,jdk.net,jdk.unsupported,jdk.zipfs";

    private static final String LIBRARY = "libjvmti.so";

    private final Path folder;
    private final List<Path> jars;

    private InstrumentedJdk(Path folder, List<Path> jars) {
        this.folder = folder;
        this.jars = jars;
    }

    static void main(String... args) throws IOException, InterruptedException {
        List<Path> jars = Arrays.stream(System.getProperty("java.class.path").split(File.pathSeparator))
                .filter(it -> it.endsWith(".jar"))
                .map(Path::of)
                .toList();
        new InstrumentedJdk(Path.of(args[0]), jars).make();
    }

    private void make() throws IOException, InterruptedException {
        Path made = folder.resolve("made");
        String recipe = Runtime.version() + " " + MODULES + " " + jars + "\n";
        if (Files.exists(made) && Files.readString(made).equals(recipe)) {
            return;
        }
        Files.deleteIfExists(made);
        delete(folder.resolve("jdk"));
        Files.createDirectories(folder);
        link();
        try (ZipFile zip = new ZipFile(jar("fray-jvmti-").toFile());
                var library = zip.getInputStream(zip.getEntry(LIBRARY))) {
            Files.copy(library, folder.resolve(LIBRARY), StandardCopyOption.REPLACE_EXISTING);
        }
        Files.writeString(made, recipe);
    }

    private void link() throws IOException, InterruptedException {
        Path jlink = Path.of(System.getProperty("java.home"), "bin", "jlink");
        if (!Files.isExecutable(jlink)) {
            throw new IllegalStateException("this JDK has no jlink: install a full JDK 25");
        }
        String path = jars.stream()
                .filter(it -> !it.getFileName().toString().startsWith("fray-jvmti-"))
                .map(Path::toString)
                .collect(Collectors.joining(File.pathSeparator));
        int code = new ProcessBuilder(
                        jlink.toString(),
                        "-J-javaagent:" + jar("fray-instrumentation-jdk-"),
                        "-J--module-path=" + path,
                        "-J--add-modules=org.pastalab.fray.instrumentation.jdk",
                        "-J--class-path=" + path,
                        "--fray-instrumentation",
                        // Fray's libraries recognize their JDK by this.
                        "--release-info",
                        "add:IMPLEMENTOR=Fray",
                        "--add-modules=" + MODULES,
                        "--output=" + folder.resolve("jdk"))
                .inheritIO()
                .start()
                .waitFor();
        if (code != 0) {
            throw new IllegalStateException("jlink ended with " + code);
        }
    }

    private Path jar(String name) {
        return jars.stream()
                .filter(it -> it.getFileName().toString().startsWith(name))
                .findFirst()
                .orElseThrow(() -> new IllegalStateException("no " + name + "*.jar among " + jars));
    }

    private static void delete(Path tree) throws IOException {
        if (!Files.exists(tree)) {
            return;
        }
        try (Stream<Path> files = Files.walk(tree)) {
            files.sorted(Comparator.reverseOrder()).forEach(file -> {
                try {
                    Files.delete(file);
                } catch (IOException e) {
                    throw new UncheckedIOException(e);
                }
            });
        }
    }
}
