package dev.holdfast.it.bench.measure;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.holdfast.it.bench.cluster.ExpectedViolation;
import dev.holdfast.it.bench.cluster.PlannedChange;
import dev.holdfast.policies.engine.report.Notification;
import dev.holdfast.policies.rule.RuleKind;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/** Parser of the operator's log, which has one JSON object per line: finds violations. */
public final class OperatorLog {
    private static final ObjectMapper JSON = new ObjectMapper();

    private OperatorLog() {}

    /**
     * A log line about a violation that began or healed.
     *
     * @param at the time of the log line, to the microsecond
     */
    public record Violation(Instant at, PlannedChange.Step step, ExpectedViolation violation) {}

    /** {@return the lines about violations that began or healed, in order} */
    public static List<Violation> violations(List<String> lines) {
        return lines.stream()
                .filter(line -> line.contains("\"decision\""))
                .map(OperatorLog::json)
                .flatMap(json -> step(json).map(step -> new Violation(time(json), step, violation(json))).stream())
                .toList();
    }

    private static Optional<PlannedChange.Step> step(JsonNode json) {
        return switch (value(json, "decision")) {
            case "Started" -> Optional.of(PlannedChange.Step.BREAK);
            case "Ended" ->
                value(json, "reason").equals(Notification.End.HEALED.label())
                        ? Optional.of(PlannedChange.Step.HEAL)
                        : Optional.empty();
            default -> Optional.empty();
        };
    }

    private static ExpectedViolation violation(JsonNode json) {
        String rule = value(json, "rule");
        RuleKind kind = Arrays.stream(RuleKind.values())
                .filter(it -> it.label().equals(rule))
                .findFirst()
                .orElseThrow(() -> new IllegalStateException("the operator's log names a rule of no kind: " + rule));
        return new ExpectedViolation(value(json, "k8s.pod.uid"), kind);
    }

    static JsonNode json(String line) {
        try {
            return JSON.readTree(line);
        } catch (JsonProcessingException e) {
            throw new IllegalStateException("the operator's log has a line that is not JSON: " + line, e);
        }
    }

    static Instant time(JsonNode json) {
        return Instant.parse(value(json, "time"));
    }

    static String value(JsonNode json, String key) {
        return json.path(key).asText();
    }
}
