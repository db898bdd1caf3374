package dev.holdfast.it.bench.measure;

import dev.holdfast.it.controlplane.AuditRecord;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * The requests of one user to the API server in a period.
 *
 * @param requests the number of requests by {@code verb resource}, such as {@code list pods}, or by URL path if there
 *     is no resource
 */
public record ApiCalls(Map<String, Integer> requests) {
    public ApiCalls {
        requests = Map.copyOf(requests);
    }

    /**
     * {@return the requests that the API server received from a user in the period} The audit log contains a watch only
     * after its end, so the user's process must have ended.
     *
     * @param to the end of the period, exclusive
     */
    public static ApiCalls of(List<AuditRecord> records, String user, Instant from, Instant to) {
        Map<String, Integer> requests = new TreeMap<>();
        records.stream()
                .filter(record -> record.user().equals(user))
                .filter(record ->
                        !record.received().isBefore(from) && record.received().isBefore(to))
                .forEach(record -> requests.merge(kind(record), 1, Integer::sum));
        return new ApiCalls(requests);
    }

    private static String kind(AuditRecord record) {
        String sub = record.subresource().isEmpty() ? "" : "/" + record.subresource();
        return record.verb() + " " + record.resource() + sub;
    }

    /** {@return the requests, except those that a client repeats at intervals: updates of Leases, and watches} */
    public Map<String, Integer> beyondRenewals() {
        Map<String, Integer> beyond = new TreeMap<>(requests);
        beyond.keySet().removeIf(kind -> kind.equals("update leases") || kind.startsWith("watch "));
        return beyond;
    }
}
