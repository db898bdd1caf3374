package dev.holdfast.it.image;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The container image that the build made, unpacked and started without a container engine. */
class ImageIT {
    static final Path TAR = Path.of("../../operator/target/holdfast-image.tar");

    @TempDir
    private static Path folder;

    private static UnpackedImage image;

    @BeforeAll
    static void unpack() throws IOException {
        image = UnpackedImage.of(TAR, folder);
    }

    @Test
    void itSaysItsVersion() throws IOException {
        RootFolder.Outcome version = image.start("version");

        assertThat(version.err()).isEmpty();
        assertThat(version.out()).contains(System.getProperty("project.version"));
        assertThat(version.code()).isZero();
    }

    @Test
    void itStartsFromWhatItsTrainingHasLeft() throws IOException {
        // In this mode the JVM exits if it cannot use the AOT cache.
        RootFolder.Outcome version = image.startWith("-XX:AOTMode=on", "version");

        assertThat(version.err()).isEqualTo("NOTE: Picked up JDK_JAVA_OPTIONS: -XX:AOTMode=on\n");
        assertThat(version.code()).isZero();
    }

    /**
     * All files of the image have the same time. Without the comparison of the jars, JDK 25.0.3 ran the old class here,
     * also with {@code -XX:AOTMode=on}.
     */
    @Test
    void withAnotherJarOfTheSameSizeItStartsWithoutTheCacheOnly() throws IOException {
        Path jar = image.root().resolve("app/classpath").resolve(ChangedJar.name());
        try (ChangedJar _ = new ChangedJar(jar)) {
            RootFolder.Outcome refused = image.start("version");
            RootFolder.Outcome withoutCache = image.startWith("-XX:AOTMode=off", "version");

            assertThat(refused.out()).isEmpty();
            assertThat(refused.err())
                    .isEqualTo("holdfast: /app/classpath/" + ChangedJar.name()
                            + " is not the jar of which the AOT cache was made, so the JVM may run old classes from"
                            + " /opt/holdfast/start.aot: build the image or archive again, or set the JVM option"
                            + " -XX:AOTMode=off\n");
            assertThat(refused.code()).isEqualTo(3);
            assertThat(withoutCache.out()).startsWith("holdfast unknown\n");
            assertThat(withoutCache.code()).isZero();
        }
    }

    @Test
    void itChecksADumpFromStandardInput() throws IOException {
        RootFolder.Outcome check =
                image.pipe(Path.of("../../docs/samples/shop.yaml"), "check", "-f", "-", "-o", "name");

        assertThat(check.out().lines())
                .containsExactly("pod/api-2", "pod/db-1", "pod/db-2", "pod/web-1", "pod/worker-1", "pod/worker-2");
        assertThat(check.err())
                .startsWith("holdfast: 6 violations; 11 pods on 4 nodes")
                .hasLineCount(1);
        assertThat(check.code()).isEqualTo(1);
    }

    @Test
    void aWarningOfItsJvmIsNotMixedWithTheResultsOfACommand() throws IOException {
        RootFolder.Outcome version = image.startWith("-XX:-UseCompressedOops", "version");

        assertThat(version.out()).startsWith("holdfast ").hasLineCount(2);
        assertThat(version.err()).contains("Unable to use AOT cache");
    }

    @Test
    void itSaysWhatItCanDo() throws IOException {
        RootFolder.Outcome help = image.start("--help");

        assertThat(help.err()).isEmpty();
        assertThat(help.out()).contains("run");
        assertThat(help.code()).isZero();
    }

    @Test
    void itRunsAsUser65532AndListensOnTwoPorts() {
        assertThat(image.config().path("User").textValue()).isEqualTo("65532:65532");
        assertThat(image.config().path("ExposedPorts").fieldNames())
                .toIterable()
                .containsExactlyInAnyOrder("8080/tcp", "8081/tcp");
        assertThat(image.config()
                        .path("Labels")
                        .path("org.opencontainers.image.version")
                        .textValue())
                .isEqualTo(System.getProperty("project.version"));
    }

    @Test
    void itHoldsTheApplicationItsRuntimeAndTheirLibrariesAndNoShell() throws IOException {
        assertThat(names(image.root())).containsOnly("app", "etc", "lib", "lib64", "opt", "proc");
        assertThat(names(image.root().resolve("opt"))).containsExactlyInAnyOrder("holdfast", "java");
        assertThat(names(image.root().resolve("etc"))).containsExactlyInAnyOrder("group", "nsswitch.conf", "passwd");
        assertThat(names(image.root().resolve("opt/java/bin"))).contains("java").doesNotContain("sh", "javac");
    }

    @Test
    void noFileRemembersWhenItWasBuilt() throws IOException {
        try (Stream<Path> files = Files.walk(image.root())) {
            assertThat(files.filter(Files::isRegularFile))
                    .isNotEmpty()
                    .allSatisfy(
                            file -> assertThat(Files.getLastModifiedTime(file).toInstant())
                                    .isEqualTo(Instant.ofEpochSecond(1)));
        }
    }

    private static List<String> names(Path folder) throws IOException {
        try (Stream<Path> files = Files.list(folder)) {
            return files.map(file -> file.getFileName().toString()).toList();
        }
    }
}
