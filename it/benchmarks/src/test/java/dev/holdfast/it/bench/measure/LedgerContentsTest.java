package dev.holdfast.it.bench.measure;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.ConfigMapBuilder;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.List;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.Test;

/** What is read from the ConfigMaps of the ledger. */
class LedgerContentsTest {
    private static ConfigMap map(String name) {
        return new ConfigMapBuilder()
                .withNewMetadata()
                .withName(name)
                .endMetadata()
                .build();
    }

    private static ConfigMap map(String name, byte[] data) {
        return new ConfigMapBuilder(map(name))
                .addToBinaryData("ledger.json.gz", Base64.getEncoder().encodeToString(data))
                .build();
    }

    private static byte[] zipped(String text) throws IOException {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (GZIPOutputStream gzip = new GZIPOutputStream(bytes)) {
            gzip.write(text.getBytes(StandardCharsets.UTF_8));
        }
        return bytes.toByteArray();
    }

    @Test
    void clocksAndBytesAreCountedInTheOrderOfNames() throws IOException {
        byte[] journal = zipped("{\"ledger\":{}}");
        byte[] two = zipped("{\"clocks\":[{},{}]}");
        byte[] none = zipped("{\"clocks\":[]}");

        LedgerContents contents = LedgerContents.of(List.of(
                map("holdfast-ledger-3", none),
                map("holdfast-ledger-2", two),
                map("holdfast-ledger-0", journal),
                map("holdfast-ledger-7"),
                map("holdfast-config", two)));

        assertThat(contents)
                .isEqualTo(new LedgerContents(List.of(journal.length, two.length, none.length, 0), List.of(2, 0)));
        assertThat(contents.allClocks()).isEqualTo(2);
        assertThat(contents.allBytes()).isEqualTo(journal.length + two.length + none.length);
    }
}
