package dev.holdfast.operator.publish;

import com.fasterxml.jackson.core.JsonFactoryBuilder;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.json.JsonMapper;
import dev.holdfast.policies.engine.report.BoundPod;
import dev.holdfast.policies.engine.report.Notification;
import dev.holdfast.policies.engine.report.ViolationReport;
import dev.holdfast.policies.model.Controller;
import java.time.InstantSource;
import java.util.LinkedHashMap;
import java.util.Map;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The audit log of evictions. The log has one JSON line for each eviction request, one for each answer (a refused dry
 * run counts as the answer), and one for the end of each move. The lines go to the logger {@code audit}. The keys are
 * API: see the table in the documentation.
 */
public final class AuditLog {
    /** Escapes all characters beyond ASCII: some readers end a line at separators such as U+0085 and U+2028. */
    private static final JsonMapper JSON = JsonMapper.builder(
                    new JsonFactoryBuilder().highestNonEscapedChar(127).build())
            .build();

    private final Logger log = LoggerFactory.getLogger("audit");
    private final InstantSource clock;

    /** Creates an audit log that takes the time of its lines from the clock. */
    public AuditLog(InstantSource clock) {
        this.clock = clock;
    }

    /** Writes a line if the notification is about an eviction. */
    public void write(Notification notification) {
        if (notification instanceof Notification.OfEviction eviction) {
            write(line(eviction));
        }
    }

    private Map<String, Object> line(Notification.OfEviction eviction) {
        return switch (eviction) {
            case Notification.Evicting(var violation, String plan, var target) -> {
                Map<String, Object> line = line("Requested", plan, violation);
                target.ifPresent(node -> line.put("target", node));
                yield line;
            }
            case Notification.Answered(var violation, String plan, var answer) -> {
                Map<String, Object> line = line("Answered", plan, violation);
                line.put("answer", EvictionAnswerLabel.label(answer));
                line.put("message", answer.message());
                yield line;
            }
            case Notification.Moved(var violation, String plan, var outcome, var toNode, var evictedAt, var _) -> {
                Map<String, Object> line = line("Ended", plan, violation);
                line.put("outcome", outcome.label());
                toNode.ifPresent(node -> line.put("toNode", node));
                line.put("evictedAt", evictedAt.toString());
                yield line;
            }
        };
    }

    private Map<String, Object> line(String event, String plan, ViolationReport violation) {
        Map<String, Object> line = new LinkedHashMap<>();
        line.put("time", clock.instant().toString());
        line.put("event", event);
        line.put("plan", plan);
        line.put("policy", violation.policy().toString());
        line.put("rule", violation.rule());
        line.put("ruleIdentity", violation.key().rule().hash());
        line.put("demand", violation.demand());
        line.put("cause", violation.cause().label());
        line.put("causeDetail", violation.cause().describe());
        line.put("breach", violation.violationDetail().describe());
        line.put("since", violation.since().toString());
        line.put("forgivenessSeconds", violation.forgiveness().toSeconds());
        line.put("deadline", violation.deadline().toString());
        BoundPod victim = violation.victim();
        line.put("namespace", victim.name().namespace());
        line.put("pod", victim.name().name());
        line.put("podUid", victim.uid());
        line.put("node", victim.node());
        victim.controller().map(AuditLog::name).ifPresent(name -> line.put("controller", name));
        if (violation.isSubstitute()) {
            line.put("insteadOf", violation.pod().toString());
        }
        return line;
    }

    private static String name(Controller controller) {
        return controller.kind() + "/" + controller.name();
    }

    private void write(Map<String, Object> line) {
        try {
            log.info("{}", JSON.writeValueAsString(line));
        } catch (JsonProcessingException e) {
            throw new IllegalStateException("a map of strings and numbers is always JSON", e);
        }
    }
}
