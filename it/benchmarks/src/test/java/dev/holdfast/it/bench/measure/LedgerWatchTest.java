package dev.holdfast.it.bench.measure;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.it.controlplane.AuditRecord;
import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.ConfigMapBuilder;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.Test;

/** What is counted of the ledger and of requests. */
class LedgerWatchTest {
    private static final Instant NOON = Instant.parse("2026-11-20T12:00:00Z");

    private static LedgerWatch.Write write(int second, String name) {
        return new LedgerWatch.Write(NOON.plusSeconds(second), name, 100);
    }

    private static ConfigMap map(String name, String text) throws IOException {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (GZIPOutputStream gzip = new GZIPOutputStream(bytes)) {
            gzip.write(text.getBytes(StandardCharsets.UTF_8));
        }
        return new ConfigMapBuilder()
                .withNewMetadata()
                .withName(name)
                .endMetadata()
                .addToBinaryData("ledger.json.gz", Base64.getEncoder().encodeToString(bytes.toByteArray()))
                .build();
    }

    @Test
    void theConfigMapThatIsWrittenMostOftenCountsFromItsFirstWriteToItsLast() {
        assertThat(LedgerWatch.mostOfOneAMinute(
                        List.of(write(0, "a"), write(0, "b"), write(6, "a"), write(12, "a"), write(20, "b"))))
                .isEqualTo(10);
        assertThat(LedgerWatch.mostOfOneAMinute(List.of(write(1, "a")))).isZero();
    }

    @Test
    void clocksOfAllPartsAreCounted() throws IOException {
        LedgerContents contents = LedgerContents.of(List.of(
                map("holdfast-ledger-0", "{\"ledger\":{}}"),
                map("holdfast-ledger-2", "{\"clocks\":[{},{}]}"),
                map("holdfast-ledger-3", "{\"clocks\":[{}]}"),
                map("holdfast-config", "{\"clocks\":[{}]}")));

        assertThat(contents.clocks()).isEqualTo(3);
    }

    private static AuditRecord record(int second, String user, String verb, String resource) {
        AuditRecord.Effect real = AuditRecord.Effect.REAL;
        return new AuditRecord(
                NOON.plusSeconds(second), user, "", verb, "", resource, "", "ns", "name", "", real, 200, Map.of());
    }

    @Test
    void requestsOfTheUserInThePeriodAreCountedByKind() {
        ApiCalls calls = ApiCalls.of(
                List.of(
                        record(-1, "holdfast", "list", "pods"),
                        record(0, "holdfast", "update", "leases"),
                        record(3, "somebody", "update", "leases"),
                        record(4, "holdfast", "watch", "pods"),
                        record(5, "holdfast", "get", "leases"),
                        record(60, "holdfast", "list", "pods")),
                "holdfast",
                NOON,
                NOON.plusSeconds(60));

        assertThat(calls.requests()).isEqualTo(Map.of("update leases", 1, "watch pods", 1, "get leases", 1));
        assertThat(calls.beyondRenewals()).isEqualTo(Map.of("get leases", 1));
    }
}
