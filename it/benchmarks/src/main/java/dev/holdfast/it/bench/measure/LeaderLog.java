package dev.holdfast.it.bench.measure;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.holdfast.policies.evaluate.Reason;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * What an operator's log says about its way to act: when it took the lease, read the ledger and first decided about a
 * violation as the leader. A time is empty if the log does not say it.
 */
public record LeaderLog(Optional<Instant> leading, Optional<Instant> read, Optional<Instant> decided) {
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final Set<String> DECISIONS = Set.of("Held", "WouldEvict", "Evicting");

    private static final String READ = "Read the ledger";

    /** The reasons of holds for which no plan was needed. */
    private static final Set<String> BEFORE_PLANS = Set.of(
            Reason.NOT_LEADER.label(),
            Reason.LEDGER_UNREAD.label(),
            Reason.LEDGER_UNWRITTEN.label(),
            Reason.VIEW_NOT_SYNCED.label());

    /**
     * {@return what the log says}
     *
     * @param policy the policy whose violations are decided about
     */
    public static LeaderLog of(List<String> lines, String policy) {
        Optional<Instant> leading = Optional.empty();
        Optional<Instant> read = Optional.empty();
        Optional<Instant> decided = Optional.empty();
        for (String line : lines) {
            if (!line.endsWith("}")) {
                // The operator is writing the line.
                continue;
            }
            if (leading.isEmpty()) {
                leading = message(line, "Leading");
            } else if (line.contains(READ) && read.isEmpty()) {
                read = message(line, READ);
            } else if (decided.isEmpty() && line.contains("\"decision\"")) {
                decided = decision(line, policy);
            }
        }
        return new LeaderLog(leading, read, decided);
    }

    private static Optional<Instant> message(String line, String message) {
        if (!line.contains(message)) {
            return Optional.empty();
        }
        JsonNode json = json(line);
        return json.path("message").asText().equals(message) ? Optional.of(time(json)) : Optional.empty();
    }

    private static Optional<Instant> decision(String line, String policy) {
        JsonNode json = json(line);
        boolean decides = DECISIONS.contains(json.path("decision").asText())
                && json.path("policy").asText().equals(policy)
                && !json.has("standby")
                && !BEFORE_PLANS.contains(json.path("reason").asText());
        return decides ? Optional.of(time(json)) : Optional.empty();
    }

    private static Instant time(JsonNode json) {
        return Instant.parse(json.path("time").asText());
    }

    private static JsonNode json(String line) {
        try {
            return JSON.readTree(line);
        } catch (JsonProcessingException e) {
            throw new IllegalStateException("the operator's log has a line that is not JSON: " + line, e);
        }
    }
}
