package dev.holdfast.operator.publish;

import ch.qos.logback.classic.spi.ILoggingEvent;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import dev.holdfast.policies.engine.report.BrakeReport;
import dev.holdfast.policies.engine.report.ClockRestart;
import dev.holdfast.policies.engine.report.DynamicLabel;
import dev.holdfast.policies.engine.report.EngineActivity;
import dev.holdfast.policies.engine.report.Notification;
import dev.holdfast.policies.engine.report.Notification.End;
import dev.holdfast.policies.engine.report.UnknownAcknowledgement;
import dev.holdfast.policies.engine.report.ViolationReport;
import dev.holdfast.policies.plan.controls.OperatorLimits;
import dev.holdfast.policies.plan.move.Outcome;
import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Consumer;
import java.util.function.Supplier;
import java.util.regex.Pattern;
import java.util.stream.IntStream;

/** The words that users read in events, metrics, the log and the audit log, as the operator publishes them. */
public final class PublishedWords {
    private static final Instant NOW = Samples.SINCE.plusSeconds(602);
    private static final Pattern HELD =
            Pattern.compile("(?:Pod \\S+: )?(?:Not evicting|Would not evict) from \\S+ \\((\\w+)\\): .*");
    private static final JsonMapper JSON = JsonMapper.builder().build();

    private PublishedWords() {}

    /** {@return the eviction that gets the answer with this name} */
    public static List<Notification> answers(String name) {
        return AnswerWords.ALL.stream()
                .filter(answer -> EvictionAnswerLabel.label(answer).equals(name))
                .<Notification>map(answer -> new Notification.Answered(Samples.violation(), "p1", answer))
                .toList();
    }

    /** {@return the values of a label in all series of a metric} */
    public static List<String> series(String metric, String label, Consumer<Metrics> telling) {
        PrometheusMeterRegistry registry = new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);
        Metrics metrics = new Metrics(registry, () -> NOW);
        telling.accept(metrics);
        metrics.refresh(_ -> true);
        return values(scrape(registry, metrics), metric, label);
    }

    /** {@return the metrics of policies alone, as a scrape shows them} */
    public static String policies(Metrics metrics) {
        ByteArrayOutputStream text = new ByteArrayOutputStream();
        metrics.writePolicies(text);
        return text.toString(StandardCharsets.UTF_8);
    }

    /** {@return all metrics, as a scrape shows them} */
    static String scrape(PrometheusMeterRegistry registry, Metrics metrics) {
        return registry.scrape() + policies(metrics);
    }

    /** {@return the causes in the metric of clock restarts, after one restart} */
    public static List<String> restarts(ClockRestart cause) {
        PrometheusMeterRegistry registry = new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);
        EngineActivity activity = new EngineActivity(0, 0, 0, Map.of(), 0, 0, 0, Optional.empty(), Map.of(cause, 1L));
        Supplier<EngineActivity> supplier = () -> activity;
        new OperatorMetrics(registry).activity(supplier, OperatorLimits.defaults());
        return values(registry.scrape(), "holdfast_clock_restarts_total", "cause");
    }

    private static List<String> values(String scrape, String metric, String label) {
        Pattern sample = Pattern.compile("(?m)^" + metric + "\\{(?:.*,)?" + label + "=\"([^\"]*)\".*} (?!0\\.0$)");
        return sample.matcher(scrape).results().map(series -> series.group(1)).toList();
    }

    /** {@return the values of a key in the log at level INFO} */
    public static List<String> logged(String key, List<Notification> notifications) {
        NotificationLog log = new NotificationLog(() -> true, () -> NOW);
        return LoggedLines.of("holdfast", () -> notifications.forEach(log::log)).stream()
                .flatMap(line -> line.getKeyValuePairs().stream())
                .filter(pair -> pair.key.equals(key))
                .map(pair -> String.valueOf(pair.value))
                .toList();
    }

    /** {@return the values of a key in the audit log} */
    public static List<String> audited(String key, List<Notification> notifications) {
        AuditLog audit = new AuditLog(() -> NOW);
        return LoggedLines.of("audit", () -> notifications.forEach(audit::write)).stream()
                .map(line -> json(line).path(key).asText())
                .toList();
    }

    private static JsonNode json(ILoggingEvent line) {
        try {
            return JSON.readTree(line.getFormattedMessage());
        } catch (JsonProcessingException e) {
            throw new AssertionError(line.getFormattedMessage(), e);
        }
    }

    /** {@return the holds that the messages of the events with this reason name} */
    public static List<String> heldInEvents(String reason, List<Notification> notifications) {
        return written(recorder -> notifications.forEach(recorder::record)).stream()
                .filter(event -> event.reason().label().equals(reason))
                .map(event -> HELD.matcher(event.message())
                        .results()
                        .map(held -> held.group(1))
                        .findFirst()
                        .orElse(event.message()))
                .toList();
    }

    /** {@return the reason of the event that the recorder writes last, after an occurrence that leads to this event} */
    public static List<String> events(EventReason reason) {
        return List.of(written(recorder -> happens(reason, recorder))
                .getLast()
                .reason()
                .label());
    }

    private static List<EventDraft> written(Consumer<EventRecorder> telling) {
        List<EventDraft> written = new CopyOnWriteArrayList<>();
        EventRecorder recorder = new EventRecorder(
                (event, _) -> written.add(event),
                _ -> Optional.of("policy-uid"),
                _ -> Optional.empty(),
                () -> true,
                () -> NOW,
                _ -> {},
                (thread, why) -> {
                    throw new AssertionError(thread.getName() + " died", why);
                });
        telling.accept(recorder);
        recorder.start();
        recorder.close();
        return written;
    }

    private static void happens(EventReason reason, EventRecorder recorder) {
        ViolationReport violation = Samples.violation();
        switch (reason) {
            case PLACEMENT_VIOLATED -> recorder.record(new Notification.Started(violation));
            case PLACEMENT_ANNOTATION_IGNORED -> recorder.record(new Notification.AnnotationIgnored(violation, "bad"));
            case PLACEMENT_HEALED -> recorder.record(new Notification.Ended(violation, End.HEALED));
            case PLACEMENT_WOULD_EVICT -> recorder.record(new Notification.WouldEvict(violation, Optional.empty()));
            case PLACEMENT_EVICTING -> recorder.record(new Notification.Evicting(violation, "p1", Optional.empty()));
            case PLACEMENT_EVICTED -> answers("Evicted").forEach(recorder::record);
            case PLACEMENT_EVICTION_BLOCKED -> recorder.record(new Notification.Held(violation, Samples.budget(NOW)));
            case PLACEMENT_MOVED -> recorder.record(moved(Outcome.MOVED));
            case PLACEMENT_EVICTION_FUTILE -> recorder.record(moved(Outcome.BROKEN_AGAIN));
            case PLACEMENT_NOT_REPLACED -> recorder.record(moved(Outcome.GONE));
            case ENFORCEMENT_FROZEN -> recorder.record(Samples.breaker(BrakeReport.Change.OPENED), "holdfast");
            case ENFORCEMENT_RESUMED -> recorder.record(Samples.backlog(BrakeReport.Change.HEALED), "holdfast");
            case ACKNOWLEDGEMENT_UNKNOWN ->
                recorder.record(new UnknownAcknowledgement(Optional.empty(), "open now: nothing"), "holdfast");
            case DYNAMIC_LABEL -> recorder.record(new DynamicLabel("load", "label load is dynamic"), "holdfast");
            case POD_TOO_COMPLEX -> recorder.record(Samples.tooComplex());
            // A policy may write 30 events at once; each of these notifications leads to three.
            case PLACEMENT_EVENTS_LEFT_OUT ->
                IntStream.range(0, 11).forEach(_ -> recorder.record(new Notification.Started(violation)));
        }
    }

    /** {@return the end of a move} */
    public static Notification moved(Outcome outcome) {
        return new Notification.Moved(Samples.violation(), "p1", outcome, Optional.of("node-7"), Samples.SINCE);
    }
}
