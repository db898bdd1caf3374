package dev.holdfast.operator.offline.dump;

import static dev.holdfast.operator.offline.dump.Archives.file;
import static dev.holdfast.operator.offline.dump.Archives.gzip;
import static dev.holdfast.operator.offline.dump.Archives.header;
import static dev.holdfast.operator.offline.dump.Archives.joined;
import static dev.holdfast.operator.offline.dump.Archives.padded;
import static dev.holdfast.operator.offline.dump.Archives.tar;
import static dev.holdfast.operator.offline.dump.Archives.zip;
import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.params.provider.Arguments.argumentSet;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Archives of must-gathers and support bundles. */
class ArchiveTest {
    private static final String NODE = "{apiVersion: v1, kind: Node, metadata: {name: n1}}\n";
    private static final String POD =
            "{apiVersion: v1, kind: Pod, metadata: {name: web-1, namespace: shop}, spec: {nodeName: n1}}\n";
    private static final byte[] END = new byte[1024];

    @TempDir
    private Path folder;

    /** A must-gather: objects, logs, a file without objects, and an empty one. */
    private static Map<String, String> files() {
        Map<String, String> files = new LinkedHashMap<>();
        files.put("./must-gather.local.1/cluster-scoped-resources/core/nodes/n1.yaml", "---\n" + NODE);
        files.put("./must-gather.local.1/events.html", "<html>");
        files.put("./must-gather.local.1/namespaces/shop/core/pods.yaml", POD);
        files.put("./must-gather.local.1/namespaces/shop/core/secrets.yaml", "");
        files.put("./must-gather.local.1/namespaces/shop/core/._pods.yaml", "\0\5\26\7Mac OS X");
        files.put("./must-gather.local.1/namespaces/shop/pods/web-1/main.log", "E1127 oh no");
        files.put("./must-gather.local.1/object_count.json", "{\"pods\": 1}");
        files.put("./must-gather.local.1/timestamp", "2026-11-27 09:00:00");
        return files;
    }

    private static Dump read(byte[] file) throws DumpException {
        return new DumpReader(_ -> {}).read(List.of(new DumpFile("gather", () -> new ByteArrayInputStream(file))));
    }

    private static List<Object> content(Dump dump, String name) {
        return List.of(
                dump.objects(),
                dump.counts(),
                dump.warnings().stream().map(it -> it.replace(name, "gather")).toList());
    }

    static Stream<Arguments> forms() throws IOException {
        byte[] tar = tar(files());
        return Stream.of(
                argumentSet("tar", tar),
                argumentSet("tar in gzip", gzip(tar)),
                argumentSet("zip", zip(files())),
                argumentSet("zip in gzip", gzip(zip(files()))));
    }

    @ParameterizedTest
    @MethodSource("forms")
    void anArchiveIsReadLikeItsFolder(byte[] archive) throws Exception {
        for (Map.Entry<String, String> file : files().entrySet()) {
            Path path = folder.resolve(file.getKey()).normalize();
            Files.createDirectories(path.getParent());
            Files.writeString(path, file.getValue());
        }
        Dump ofFolder =
                new DumpReader(_ -> {}).read(DumpFile.of(folder.toString(), new ByteArrayInputStream(new byte[0])));

        List<Object> content = content(read(archive), "gather");

        assertThat(content).isEqualTo(content(ofFolder, folder.toString()));
        assertThat(ofFolder.counts()).isEqualTo(Map.of("Node", 1, "Pod", 1));
        assertThat(ofFolder.warnings()).hasSize(2);
    }

    static Stream<Arguments> names() {
        String longName = "a/".repeat(80) + "pods.yaml";
        return Stream.of(
                argumentSet(
                        "a long name of GNU tar",
                        joined(file('L', "././@LongLink", longName + "\0"), file('0', "a", POD)),
                        longName),
                argumentSet(
                        "a name as an attribute of pax",
                        joined(file('x', "PaxHeaders/a", "171 path=" + longName + "\n"), file('0', "a", POD)),
                        longName),
                argumentSet(
                        "attributes of the whole archive",
                        joined(file('g', "pax_global_header", "52 comment=abc\n"), file('0', "a.yaml", POD)),
                        "a.yaml"),
                argumentSet(
                        "a size as an attribute of pax",
                        joined(
                                file('x', "p", "12 size=%s\n".formatted(POD.length())),
                                header('0', "a.yaml", "00000000000"),
                                padded(POD.getBytes(UTF_8))),
                        "a.yaml"),
                argumentSet(
                        "a path out of the folder, which nothing unpacks",
                        file('0', "../../etc/pods.yaml", POD),
                        "../../etc/pods.yaml"),
                argumentSet(
                        "links, folders and devices before it",
                        joined(
                                header('5', "a/", "00000000000"),
                                header('2', "a/link.yaml", "00000000000"),
                                header('1', "a/hard.yaml", "00000000000"),
                                header('3', "a/device.yaml", "00000000000"),
                                file('0', "a.yaml", POD)),
                        "a.yaml"),
                argumentSet("a file of an archive before POSIX", file('\0', "a.yaml", POD), "a.yaml"));
    }

    @ParameterizedTest
    @MethodSource("names")
    void aFileIsFoundByItsName(byte[] file, String name) throws Exception {
        assertThat(read(joined(file, END)).count("Pod")).isEqualTo(1);

        byte[] damaged = joined(
                new String(file, ISO_8859_1).replace("kind: Pod", "kind: {od").getBytes(ISO_8859_1), END);
        assertThatThrownBy(() -> read(damaged)).hasMessageStartingWith("gather/" + name + ":");
    }

    static Stream<Arguments> damaged() throws IOException {
        byte[] tar = tar(files());
        byte[] zip = zip(files());
        byte[] wrong = tar(Map.of("a.yaml", POD, "b.yaml", NODE));
        wrong[1024 + 3] ^= 1;
        String truncated = "gather: the archive ends too early: it is truncated";
        return Stream.of(
                argumentSet("a tar archive that ends between two files", Arrays.copyOf(tar, 1024), truncated),
                argumentSet("a tar archive that ends in a header", Arrays.copyOf(tar, 1200), truncated),
                argumentSet(
                        "a tar archive that ends in a file",
                        Arrays.copyOf(tar, 520),
                        "gather/must-gather.local.1/cluster-scoped-resources/core/nodes/n1.yaml: the archive ends too"
                                + " early: it is truncated"),
                argumentSet(
                        "a tar archive in gzip that ends early",
                        Arrays.copyOf(gzip(tar), 30),
                        "gather: the compressed data ends too early: the file is truncated"),
                argumentSet(
                        "a zip archive that ends in its list of files", Arrays.copyOf(zip, zip.length - 30), truncated),
                argumentSet(
                        "a header that was changed",
                        wrong,
                        "gather: the archive is damaged: a header of a file has a wrong checksum"),
                argumentSet(
                        "a size that is no number",
                        joined(header('0', "a.yaml", "0000000009x"), END),
                        "gather: the archive is damaged: a file has a size that is no number"),
                argumentSet(
                        "a negative size",
                        joined(file('x', "p", "11 size=-5\n"), file('0', "a.yaml", POD), END),
                        "gather: the archive is damaged: a file has the size -5"),
                argumentSet(
                        "a file of 8 GiB of which nothing is there",
                        joined(header('0', "a.log", "77777777777"), END),
                        truncated),
                argumentSet(
                        "attributes of 8 GiB",
                        joined(header('x', "p", "77777777777"), END),
                        "gather: the archive is damaged: the attributes of a file have 8589934591 bytes"),
                argumentSet(
                        "a sparse file that would be read",
                        joined(file('S', "a.yaml", POD), END),
                        "gather/a.yaml: it is a sparse file in an archive: unpack it and give the folder"),
                argumentSet(
                        "an archive without files that are read",
                        tar(Map.of("a.log", "oh no")),
                        "gather: the archive has no file that ends in .json, .yaml, .yml or .gz"),
                argumentSet(
                        "an archive with nothing but another archive",
                        tar(Map.of("inner.tar.gz", "x")),
                        "gather: an archive within an archive is not read: unpack inner.tar.gz"),
                argumentSet(
                        "an empty zip archive",
                        zip(Map.of()),
                        "gather: the archive has no file that ends in .json, .yaml, .yml or .gz"));
    }

    @ParameterizedTest
    @MethodSource("damaged")
    void anArchiveThatCannotBeReadIsRefused(byte[] archive, String message) {
        assertThatThrownBy(() -> read(archive))
                .isInstanceOf(DumpException.class)
                .hasMessage(message);
    }

    @Test
    void aSparseFileThatIsNotReadIsSkipped() throws Exception {
        byte[] sparse = header('S', "a.log", "00000000003");
        byte[] content = padded("abc".getBytes(UTF_8));

        assertThat(read(joined(sparse, content, file('0', "a.yaml", POD), END)).count("Pod"))
                .isEqualTo(1);
    }

    /** One file of 30 MB of zeros, which 30 kB of gzip stand for. */
    @Test
    void aLargeFileThatIsNotReadTakesNoMemory() throws Exception {
        byte[] zeros = new byte[30_000_000];
        byte[] archive = gzip(joined(
                header('0', "core.dump", Archives.octal(11, zeros.length)),
                padded(zeros),
                file('0', "a.yaml", POD),
                END));

        assertThat(archive).hasSizeLessThan(40_000);
        assertThat(read(archive).count("Pod")).isEqualTo(1);
    }
}
