package dev.holdfast.it.bench.measure;

import dev.holdfast.it.controlplane.AuditRecord;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * What one user asked of the API server in a window of time.
 *
 * @param requests how many, by {@code verb resource}, or by path where there is no resource
 */
public record ApiCalls(double seconds, Map<String, Integer> requests) {
    private static final double MILLIS = 1e3;

    public ApiCalls {
        requests = Map.copyOf(requests);
    }

    /**
     * {@return the requests that the server received in the window} A watch is in the audit log only once it has ended:
     * the user must be gone by now.
     *
     * @param to not counted itself
     */
    public static ApiCalls of(List<AuditRecord> records, String user, Instant from, Instant to) {
        Map<String, Integer> requests = new TreeMap<>();
        records.stream()
                .filter(record -> record.user().equals(user))
                .filter(record ->
                        !record.received().isBefore(from) && record.received().isBefore(to))
                .forEach(record -> requests.merge(kind(record), 1, Integer::sum));
        return new ApiCalls(Duration.between(from, to).toMillis() / MILLIS, requests);
    }

    private static String kind(AuditRecord record) {
        String sub = record.subresource().isEmpty() ? "" : "/" + record.subresource();
        return record.verb() + " " + record.resource() + sub;
    }

    /** {@return those that are neither the renewal of a lease nor that of a watch} */
    public Map<String, Integer> beyondRenewals() {
        Map<String, Integer> beyond = new TreeMap<>(requests);
        beyond.keySet().removeIf(kind -> kind.equals("update leases") || kind.startsWith("watch "));
        return beyond;
    }
}
