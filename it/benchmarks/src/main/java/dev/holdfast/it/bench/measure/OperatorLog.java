package dev.holdfast.it.bench.measure;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.holdfast.it.bench.cluster.ChangeStep;
import dev.holdfast.it.bench.cluster.ExpectedViolation;
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
     * @param changeStep whether the violation began or healed
     */
    public record Violation(Instant at, ChangeStep changeStep, ExpectedViolation expectedViolation) {}

    /** {@return the lines about violations that began or healed, in order} */
    public static List<Violation> read(List<String> lines) {
        return lines.stream().map(OperatorLog::read).flatMap(Optional::stream).toList();
    }

    private static Optional<Violation> read(String line) {
        if (!line.startsWith("{") || !line.contains("\"decision\"")) {
            return Optional.empty();
        }
        try {
            JsonNode json = JSON.readTree(line);
            return step(json).map(changeStep -> new Violation(time(json), changeStep, broken(json)));
        } catch (JsonProcessingException e) {
            throw new IllegalStateException("the operator's log has a line that is not JSON: " + line, e);
        }
    }

    private static Optional<ChangeStep> step(JsonNode json) {
        return switch (value(json, "decision")) {
            case "Started" -> Optional.of(ChangeStep.BREAK);
            case "Ended" ->
                value(json, "reason").equals(Notification.End.HEALED.label())
                        ? Optional.of(ChangeStep.HEAL)
                        : Optional.empty();
            default -> Optional.empty();
        };
    }

    private static Instant time(JsonNode json) {
        return Instant.parse(value(json, "time"));
    }

    private static ExpectedViolation broken(JsonNode json) {
        String rule = value(json, "rule");
        RuleKind kind = Arrays.stream(RuleKind.values())
                .filter(it -> it.label().equals(rule))
                .findFirst()
                .orElseThrow(() -> new IllegalStateException("the operator's log names a rule of no kind: " + rule));
        return new ExpectedViolation(value(json, "k8s.pod.uid"), kind);
    }

    private static String value(JsonNode json, String key) {
        return json.path(key).asText();
    }
}
