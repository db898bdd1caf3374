package dev.holdfast.operator.app;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileTime;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Optional;
import java.util.SequencedMap;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class AotCacheTest {
    private static final String WHAT_TO_DO =
            ": build the image or archive again, or set the JVM option -XX:AOTMode=off";

    @TempDir
    private Path folder;

    private Path cache;
    private Path app;
    private Path library;

    @BeforeEach
    void record() throws IOException {
        cache = Files.createDirectories(folder.resolve("opt")).resolve("start.aot");
        Files.writeString(cache, "a cache");
        app = jar(folder.resolve("opt/app.jar"), "one");
        library = jar(Files.createDirectories(folder.resolve("libs")).resolve("library.jar"), "two");
        SequencedMap<String, Path> jars = new LinkedHashMap<>();
        jars.put("app.jar", app);
        jars.put(library.toString(), library);
        AotCache.record(cache, jars);
    }

    /** Writes a jar in which the size and time of the entry do not depend on its three bytes. */
    private static Path jar(Path file, String content) throws IOException {
        try (ZipOutputStream jar = new ZipOutputStream(Files.newOutputStream(file))) {
            jar.setLevel(0);
            ZipEntry entry = new ZipEntry("A.class");
            entry.setLastModifiedTime(FileTime.from(Instant.parse("2026-11-01T00:00:00Z")));
            jar.putNextEntry(entry);
            jar.write(content.getBytes(UTF_8));
        }
        Files.setLastModifiedTime(file, FileTime.from(Instant.EPOCH));
        return file;
    }

    private Optional<String> problem(String... jvmOptions) {
        return AotCache.problem(cache.toString(), () -> List.of(jvmOptions));
    }

    @Test
    void theJarsOfTheTrainingAreNoProblem() {
        assertThat(problem()).isEmpty();
    }

    @Test
    void aJarWithTheSameContentAndAnotherTimeIsNoProblem() throws IOException {
        Files.setLastModifiedTime(library, FileTime.from(Instant.parse("2026-11-28T00:00:00Z")));

        assertThat(problem()).isEmpty();
    }

    @Test
    void aClassOfTheSameSizeInAJarOfTheSameSizeAndTimeIsNamed() throws IOException {
        long before = Files.size(library);
        jar(library, "owt");
        assertThat(Files.size(library)).isEqualTo(before);

        assertThat(problem())
                .contains(library + " is not the jar of which the AOT cache was made, so the JVM may run old classes"
                        + " from " + cache + WHAT_TO_DO);
    }

    @Test
    void aJarBesideTheCacheIsFoundByItsName() throws IOException {
        jar(app, "eno");

        assertThat(problem())
                .contains(app + " is not the jar of which the AOT cache was made, so the JVM may run old classes from "
                        + cache + WHAT_TO_DO);
    }

    @Test
    void bytesAfterTheEndOfAJarAreAChange() throws IOException {
        Files.writeString(library, "more", StandardOpenOption.APPEND);

        assertThat(problem()).isPresent();
    }

    @Test
    void aFileThatIsTooShortForAJarIsAChange() throws IOException {
        Files.writeString(library, "short");

        assertThat(problem()).isPresent();
    }

    @Test
    void aJarThatIsGoneIsNamed() throws IOException {
        Files.delete(library);

        assertThat(problem())
                .contains(library + " does not exist, so the JVM may run old classes from " + cache + WHAT_TO_DO);
    }

    @Test
    void aCacheWithoutChecksumsIsNotUsed() throws IOException {
        Files.delete(folder.resolve("opt/start.aot.jars"));

        assertThat(problem()).isPresent();
    }

    @Test
    void withoutTheCacheAnyJarIsNoProblem() throws IOException {
        jar(library, "owt");
        Files.delete(cache);

        assertThat(problem()).isEmpty();
    }

    @Test
    void aJvmThatIsToldNotToUseTheCacheRunsAnyJar() throws IOException {
        jar(library, "owt");

        assertThat(problem("-XX:+UseSerialGC", "-XX:AOTMode=off")).isEmpty();
        assertThat(problem("-XX:AOTMode=on")).isPresent();
    }

    @Test
    void aProcessThatNamesNoCacheHasNone() {
        assertThat(AotCache.problem("", List::of)).isEmpty();
    }
}
