package dev.holdfast.crds;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;

class CrdFileTest {
    /** The most bytes of a CRD: {@code kubectl apply} stores it in an annotation, which has at most 262144 bytes. */
    private static final int MAX_BYTES = 250 * 1024;

    @Test
    void theCheckedInFilesAreWhatTheRecordsSay() throws IOException {
        List<CrdFile> generated = CrdGeneration.files();

        if (Boolean.getBoolean("holdfast.crds.write")) {
            write(generated);
        }

        assertThat(checkedIn(generated))
                .as("The CRD files differ from the records. To write them anew, run: crds/generate")
                .isEqualTo(generated);
    }

    @Test
    void theFilesOnTheClasspathAreTheCheckedInOnes() throws IOException {
        assertThat(CrdFile.all()).isEqualTo(checkedIn(CrdFile.all()));
    }

    @Test
    void eachFileFitsWhereKubectlKeepsIt() {
        assertThat(CrdFile.all())
                .allSatisfy(file -> assertThat(file.yaml().getBytes(StandardCharsets.UTF_8).length)
                        .isLessThan(MAX_BYTES));
    }

    private static void write(List<CrdFile> files) throws IOException {
        for (CrdFile file : files) {
            Files.writeString(path(file), file.yaml());
        }
    }

    private static List<CrdFile> checkedIn(List<CrdFile> files) throws IOException {
        return files.stream()
                .map(file -> new CrdFile(file.name(), read(path(file))))
                .toList();
    }

    private static String read(Path path) {
        try {
            return Files.exists(path) ? Files.readString(path) : "";
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static Path path(CrdFile file) {
        return Path.of("src/main/resources/META-INF/holdfast", file.name() + ".yaml");
    }
}
