package dev.holdfast.it.bench.measure;

import com.fasterxml.jackson.databind.JsonNode;
import dev.holdfast.policies.evaluate.Reason;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;

/**
 * What an operator's log says about its way to act: when it took the lease, read the ledger and first decided about a
 * violation as the leader. A time is empty if the log does not say it.
 */
public record LeaderLog(Optional<Instant> leading, Optional<Instant> read, Optional<Instant> decided) {
    private static final Set<String> DECISIONS = Set.of("Held", "WouldEvict", "Evicting");

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
        // The operator may be writing the last line.
        List<String> whole = lines.stream().filter(line -> line.endsWith("}")).toList();
        List<String> asLeader =
                whole.stream().dropWhile(line -> !isMessage(line, "Leading")).toList();
        return new LeaderLog(
                first(asLeader, _ -> true),
                first(asLeader, line -> isMessage(line, "Read the ledger")),
                first(asLeader, line -> decides(line, policy)));
    }

    private static Optional<Instant> first(List<String> lines, Predicate<String> wanted) {
        return lines.stream().filter(wanted).findFirst().map(OperatorLog::json).map(OperatorLog::time);
    }

    private static boolean isMessage(String line, String message) {
        return line.contains(message)
                && OperatorLog.value(OperatorLog.json(line), "message").equals(message);
    }

    private static boolean decides(String line, String policy) {
        if (!line.contains("\"decision\"")) {
            return false;
        }
        JsonNode json = OperatorLog.json(line);
        return DECISIONS.contains(OperatorLog.value(json, "decision"))
                && OperatorLog.value(json, "policy").equals(policy)
                && !json.has("standby")
                && !BEFORE_PLANS.contains(OperatorLog.value(json, "reason"));
    }
}
