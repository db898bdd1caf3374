package dev.holdfast.it.image;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * The archive for users, unpacked and run where there is nothing but a shell, {@code readlink} and the libraries of C.
 */
class ArchiveIT {
    private static final long MOST_BYTES = 80_000_000;
    private static final Path SAMPLE = Path.of("../../docs/samples/shop.yaml");
    private static final Path POLICY = Path.of("../../docs/samples/keep.yaml");
    private static final String UNPRIVILEGED = "65532:65532";

    /** A library in the output of ldd: {@code NAME => PATH (0x1)}, or the loader as {@code PATH (0x1)}. */
    private static final Pattern LIBRARY = Pattern.compile("(?m)^\\s*(?:\\S+ => )?(/.*) \\(0x[0-9a-f]+\\)$");

    @TempDir
    private static Path folder;

    private static Path archive;
    private static RootFolder root;

    /** The unpacked archive, as a path in the root folder. */
    private static String home;

    @BeforeAll
    static void unpack() throws IOException {
        archive = archive();
        root = new RootFolder(RootFolder.create(folder.toRealPath().resolve("root")), UNPRIVILEGED);
        Path opt = Files.createDirectories(root.path().resolve("opt/with a space"));
        RootFolder.run(List.of("tar", "-xzf", archive.toString(), "-C", opt.toString()));
        home = "/opt/with a space/" + names(opt).getFirst();
        Path data = Files.createDirectories(root.path().resolve("data"));
        Files.copy(SAMPLE, data.resolve("shop.yaml"));
        Files.copy(POLICY, data.resolve("keep.yaml"));
        Path links = Files.createDirectories(root.path().resolve("links"));
        Files.createSymbolicLink(links.resolve("kubectl-holdfast"), Path.of("by-path"));
        Files.createSymbolicLink(links.resolve("by-path"), Path.of("../opt/with a space/newest/bin/holdfast"));
        Files.createSymbolicLink(opt.resolve("newest"), Path.of(home));
        copyTools();
    }

    private static Path archive() throws IOException {
        String name = "holdfast-" + System.getProperty("project.version") + "-linux-";
        try (Stream<Path> files = Files.list(Path.of("../../operator/target"))) {
            return files.filter(file -> file.getFileName().toString().startsWith(name))
                    .filter(file -> file.toString().endsWith(".tar.gz"))
                    .findFirst()
                    .orElseThrow(() -> new AssertionError("there is no " + name + "*: build it with mvn package"));
        }
    }

    /** Copies what a Linux system without Java has: the shell, readlink, and the libraries that these and Java need. */
    private static void copyTools() throws IOException {
        List<String> binaries = new ArrayList<>();
        Path bin = Files.createDirectories(root.path().resolve("bin"));
        for (String tool : List.of("sh", "readlink")) {
            Path file = Path.of(RootFolder.run(List.of("sh", "-c", "command -v " + tool))
                            .strip())
                    .toRealPath();
            Files.copy(file, bin.resolve(tool));
            binaries.add(file.toString());
        }
        try (Stream<Path> files = Files.walk(inRoot("/runtime"))) {
            files.map(Path::toString)
                    .filter(file -> file.endsWith(".so") || file.endsWith("/bin/java"))
                    .forEach(binaries::add);
        }
        for (String binary : binaries) {
            List<Path> libraries = LIBRARY.matcher(RootFolder.run(List.of("ldd", binary)))
                    .results()
                    .map(library -> Path.of(library.group(1)))
                    .filter(library -> !library.startsWith(root.path()))
                    .toList();
            for (Path library : libraries) {
                Path copy = root.path().resolve(library.toString().substring(1));
                if (!Files.exists(copy)) {
                    Files.createDirectories(copy.getParent());
                    Files.copy(library.toRealPath(), copy);
                }
            }
        }
    }

    private static Path inRoot(String path) {
        return root.path().resolve(home.substring(1) + path);
    }

    private static List<String> names(Path folder) throws IOException {
        try (Stream<Path> files = Files.list(folder)) {
            return files.map(file -> file.getFileName().toString()).sorted().toList();
        }
    }

    /** Runs a program of the root folder in its folder {@code /data}. */
    private static RootFolder.Outcome run(String program, String... arguments) throws IOException {
        return runWith("", program, arguments);
    }

    /** As {@link #run}, with JVM options. */
    private static RootFolder.Outcome runWith(String options, String program, String... arguments) throws IOException {
        List<String> command = new ArrayList<>(List.of("/bin/sh", "-c", "cd /data && exec \"$0\" \"$@\"", program));
        command.addAll(List.of(arguments));
        ProcessBuilder builder = root.program(command);
        builder.environment().put("PATH", "/links:/bin");
        builder.environment().put("HOLDFAST_JAVA_OPTIONS", options);
        builder.environment().put("JDK_JAVA_OPTIONS", "-XX:NoSuchOption");
        builder.environment().put("JAVA_TOOL_OPTIONS", "-XX:NoSuchOption");
        return RootFolder.run(builder);
    }

    /** {@return what the same command does from the class path of this test, with a JDK} */
    private static RootFolder.Outcome fromClasses(String... arguments) throws IOException {
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-cp",
                System.getProperty("java.class.path"),
                "dev.holdfast.operator.Main"));
        command.addAll(List.of(arguments));
        return RootFolder.run(new ProcessBuilder(command));
    }

    private static String holdfast() {
        return home + "/bin/holdfast";
    }

    @Test
    void itSaysItsVersion() throws IOException {
        RootFolder.Outcome version = run(holdfast(), "version");

        assertThat(version.err()).isEmpty();
        assertThat(version.out()).startsWith("holdfast " + System.getProperty("project.version") + "\n");
        assertThat(version.code()).isZero();
    }

    @ParameterizedTest
    @ValueSource(strings = {"/bin/holdfast", "/bin/kubectl-holdfast"})
    void itChecksADumpAsTheSourceTreeDoes(String program) throws IOException {
        RootFolder.Outcome check = run(home + program, "check", "-f", "shop.yaml");

        assertThat(check).isEqualTo(fromClasses("check", "-f", SAMPLE.toString()));
        assertThat(check.code()).isEqualTo(1);
        assertThat(check.out()).contains("web-1");
    }

    @Test
    void asAPluginOfKubectlItIsFoundThroughSymbolicLinks() throws IOException {
        RootFolder.Outcome check = run("kubectl-holdfast", "check", "-f", "shop.yaml");

        assertThat(check).isEqualTo(fromClasses("check", "-f", SAMPLE.toString()));
    }

    @Test
    void itPlaysAChange() throws IOException {
        RootFolder.Outcome change = run(
                holdfast(), "what-if", "-f", "shop.yaml", "--policy", "keep.yaml", "--label", "node/node-2", "disk-");

        assertThat(change)
                .isEqualTo(fromClasses(
                        "what-if",
                        "-f",
                        SAMPLE.toString(),
                        "--policy",
                        POLICY.toString(),
                        "--label",
                        "node/node-2",
                        "disk-"));
    }

    @Test
    void itPlaysTheScenesOfTheDemo() throws IOException {
        RootFolder.Outcome demo = run(holdfast(), "demo", "--simulated");

        assertThat(demo).isEqualTo(fromClasses("demo", "--simulated"));
        assertThat(demo.code()).isZero();
    }

    @Test
    void itStartsFromWhatItsTrainingHasLeft() throws IOException {
        // In this mode the JVM exits if it cannot use the AOT cache.
        RootFolder.Outcome version = runWith("-XX:AOTMode=on", holdfast(), "version");

        assertThat(version.err()).isEmpty();
        assertThat(version.code()).isZero();
    }

    @Test
    void withAJarOfAnotherTimeItStartsWithoutTheCacheAndSaysNothing() throws IOException {
        Path jar = inRoot("/lib/holdfast.jar");
        FileTime time = Files.getLastModifiedTime(jar);
        Files.setLastModifiedTime(jar, FileTime.from(Instant.EPOCH));
        try {
            assertThat(runWith("-XX:AOTMode=on", holdfast(), "version").code())
                    .as("with the cache only")
                    .isNotZero();
            assertThat(run(holdfast(), "check", "-f", "shop.yaml"))
                    .isEqualTo(fromClasses("check", "-f", SAMPLE.toString()));
        } finally {
            Files.setLastModifiedTime(jar, time);
        }
    }

    /** The first outcome is why the jars are compared: JDK 25.0.3 runs the old class. */
    @Test
    void withAnotherJarOfTheSameSizeAndTimeItStartsWithoutTheCacheOnly() throws IOException {
        String lib = home + "/lib/";
        try (ChangedJar _ = new ChangedJar(inRoot("/lib/" + ChangedJar.name()))) {
            RootFolder.Outcome unguarded = runWith("-Dholdfast.aotCache= -XX:AOTMode=on", holdfast(), "version");
            RootFolder.Outcome refused = run(holdfast(), "version");
            RootFolder.Outcome withoutCache = runWith("-XX:AOTMode=off", holdfast(), "version");

            assertThat(unguarded.out()).startsWith("holdfast " + System.getProperty("project.version") + "\n");
            assertThat(refused)
                    .isEqualTo(new RootFolder.Outcome(
                            3,
                            "",
                            "holdfast: " + lib + ChangedJar.name()
                                    + " is not the jar of which the AOT cache was made, so the JVM may run old classes"
                                    + " from " + lib + "holdfast.aot: build the image or archive again, or set the JVM"
                                    + " option -XX:AOTMode=off\n"));
            assertThat(withoutCache.out()).startsWith("holdfast unknown\n");
        }
    }

    @Test
    void withAnotherJarItStartsIfTheCacheIsDeleted() throws IOException {
        Path cache = inRoot("/lib/holdfast.aot");
        byte[] content = Files.readAllBytes(cache);
        FileTime time = Files.getLastModifiedTime(cache);
        Files.delete(cache);
        try (ChangedJar _ = new ChangedJar(inRoot("/lib/" + ChangedJar.name()))) {
            assertThat(run(holdfast(), "version").out()).startsWith("holdfast unknown\n");
        } finally {
            Files.write(cache, content);
            Files.setLastModifiedTime(cache, time);
        }
    }

    @Test
    void kubectlAsksItForTheNamesThatComplete() throws IOException {
        String program = home + "/bin/kubectl_complete-holdfast";

        assertThat(run(program, "explain", "-n", "shop", "-f", "shop.yaml", "pod/web")
                        .out())
                .isEqualTo("pod/web-1\npod/web-2\n:4\n");
        assertThat(run(program, "check", "-n", "").err()).isEmpty();
    }

    @Test
    void itHasTheCommandItsRuntimeAndCompletionScripts() throws IOException {
        assertThat(names(inRoot(""))).containsExactly("LICENSE", "bin", "lib", "runtime", "share");
        assertThat(names(inRoot("/bin"))).containsExactly("holdfast", "kubectl-holdfast", "kubectl_complete-holdfast");
        assertThat(names(inRoot("/share/completion")))
                .containsExactly("holdfast.bash", "holdfast.fish", "holdfast.zsh");
        for (String shell : List.of("bash", "zsh", "fish")) {
            assertThat(inRoot("/share/completion/holdfast." + shell))
                    .hasContent(fromClasses("completion", shell).out());
        }
    }

    @Test
    void itIsSmall() {
        assertThat(archive.toFile()).satisfies(file -> assertThat(file.length()).isLessThan(MOST_BYTES));
    }

    @Test
    void itTellsNothingOfTheBuildMachine() throws IOException {
        String listing =
                RootFolder.run(List.of("tar", "--utc", "--full-time", "--numeric-owner", "-tvzf", archive.toString()));

        assertThat(listing.lines())
                .hasSizeGreaterThan(50)
                .allSatisfy(line -> assertThat(line).containsPattern("^\\S+ 0/0 +\\d+ 2026-11-01 00:00:00 "));
    }
}
