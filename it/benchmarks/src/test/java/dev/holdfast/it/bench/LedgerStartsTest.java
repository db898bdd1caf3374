package dev.holdfast.it.bench;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.it.controlplane.AuditRecord;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Which request of the audit log shows that a ledger was recalled. */
class LedgerStartsTest {
    private static final Instant NOON = Instant.parse("2026-11-20T12:00:00Z");

    private static AuditRecord record(int second, String user, String verb, String name, int code) {
        return new AuditRecord(
                NOON.plusSeconds(second),
                user,
                "",
                verb,
                "",
                "configmaps",
                "",
                "holdfast",
                name,
                "",
                AuditRecord.Effect.REAL,
                code,
                Map.of());
    }

    @Test
    void theFirstWriteThatSucceededAfterTheInstant() {
        List<AuditRecord> records = List.of(
                record(0, "holdfast", "update", "holdfast-ledger-7", 200),
                record(2, "holdfast", "get", "holdfast-ledger-0", 200),
                record(3, "holdfast", "update", "holdfast-ledger-2", 409),
                record(4, "somebody", "update", "holdfast-ledger-2", 200),
                record(5, "holdfast", "update", "holdfast", 200),
                record(6, "holdfast", "update", "holdfast-ledger-3", 200),
                record(7, "holdfast", "update", "holdfast-ledger-4", 200));

        assertThat(LedgerStarts.firstWrite(records, "holdfast", NOON.plusSeconds(1)))
                .contains(NOON.plusSeconds(6));
        assertThat(LedgerStarts.firstWrite(records, "holdfast", NOON.plusSeconds(8)))
                .isEmpty();
    }
}
