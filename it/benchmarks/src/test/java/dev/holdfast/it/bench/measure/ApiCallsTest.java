package dev.holdfast.it.bench.measure;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.it.controlplane.AuditRecord;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** How requests of an audit log are counted. */
class ApiCallsTest {
    private static final Instant NOON = Instant.parse("2026-11-20T12:00:00Z");

    private static AuditRecord record(int second, String user, String verb, String resource, String subresource) {
        return new AuditRecord(
                NOON.plusSeconds(second),
                user,
                "",
                verb,
                "",
                resource,
                subresource,
                "holdfast",
                "holdfast",
                "",
                AuditRecord.Effect.REAL,
                200,
                Map.of());
    }

    private static ApiCalls minute(AuditRecord... records) {
        return ApiCalls.of(List.of(records), "holdfast", NOON, NOON.plusSeconds(60));
    }

    @Test
    void requestsOfTheUserInTheWindowAreCountedByKind() {
        ApiCalls calls = minute(
                record(-1, "holdfast", "list", "pods", ""),
                record(0, "holdfast", "update", "leases", ""),
                record(2, "holdfast", "update", "leases", ""),
                record(3, "somebody", "update", "leases", ""),
                record(4, "holdfast", "watch", "pods", ""),
                record(5, "holdfast", "patch", "placementpolicies", "status"),
                record(6, "holdfast", "get", "/version", ""),
                record(60, "holdfast", "list", "pods", ""));

        assertThat(calls)
                .isEqualTo(new ApiCalls(
                        60,
                        Map.of(
                                "update leases",
                                2,
                                "watch pods",
                                1,
                                "patch placementpolicies/status",
                                1,
                                "get /version",
                                1)));
    }

    @Test
    void renewalsOfLeaseAndWatchesAreNotCounted() {
        ApiCalls calls = minute(
                record(0, "holdfast", "update", "leases", ""),
                record(1, "holdfast", "watch", "pods", ""),
                record(2, "holdfast", "watch", "nodes", ""));

        assertThat(calls.beyondRenewals()).isEmpty();
    }

    @Test
    void aListOrAReadOfTheLeaseIs() {
        ApiCalls calls = minute(
                record(0, "holdfast", "get", "leases", ""),
                record(1, "holdfast", "list", "pods", ""),
                record(2, "holdfast", "create", "selfsubjectaccessreviews", ""));

        assertThat(calls.beyondRenewals())
                .isEqualTo(Map.of("get leases", 1, "list pods", 1, "create selfsubjectaccessreviews", 1));
    }
}
