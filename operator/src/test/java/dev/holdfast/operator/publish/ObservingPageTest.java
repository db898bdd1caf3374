package dev.holdfast.operator.publish;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.spi.ILoggingEvent;
import com.fasterxml.jackson.databind.json.JsonMapper;
import dev.holdfast.operator.feed.FeedCounts;
import dev.holdfast.operator.publish.series.NamespaceViolations;
import dev.holdfast.policies.engine.protocol.View;
import dev.holdfast.policies.engine.report.BrakeReport;
import dev.holdfast.policies.engine.report.DynamicLabel;
import dev.holdfast.policies.engine.report.EngineActivity;
import dev.holdfast.policies.engine.report.Notification;
import dev.holdfast.policies.engine.report.Notification.End;
import dev.holdfast.policies.engine.report.UnknownAcknowledgement;
import dev.holdfast.policies.plan.controls.OperatorLimits;
import dev.holdfast.policies.plan.move.EvictionAnswer;
import dev.holdfast.policies.plan.move.Outcome;
import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.slf4j.event.KeyValuePair;

/** Tests that docs/observing.md lists exactly the metrics, the keys of the log and the keys of the audit log. */
class ObservingPageTest {
    private static final Path PAGE = Path.of("..", "docs", "observing.md");
    private static final Pattern TYPE = Pattern.compile("# TYPE (\\w+) (\\w+)");
    private static final Pattern LABEL = Pattern.compile("(\\w+)=");
    private static final Pattern QUOTED = Pattern.compile("`(\\w+)`");
    private static final Instant NOW = Samples.SINCE.plusSeconds(602);

    private static final List<Notification> ONE_OF_EACH = List.of(
            new Notification.Started(Samples.violation()),
            new Notification.Ended(Samples.violation(), End.HEALED),
            new Notification.Held(Samples.violation(), Samples.budget(NOW)),
            new Notification.AnnotationIgnored(Samples.audited(), "holdfast.dev/keep must be \"true\""),
            new Notification.WouldEvict(Samples.audited(), Optional.of("node-7")),
            new Notification.Evicting(Samples.violation(), "p1", Optional.of("node-7")),
            new Notification.Answered(Samples.violation(), "p1", new EvictionAnswer.Evicted()),
            new Notification.Answered(Samples.insteadOf(), "p2", new EvictionAnswer.Evicted()),
            new Notification.Moved(Samples.violation(), "p1", Outcome.BROKEN_AGAIN, Optional.of("node-7"), NOW));

    /** {@return the cells of each row of the tables in a section of the page, without the header rows} */
    private static List<List<String>> rows(String section) throws IOException {
        String page = Files.readString(PAGE);
        String after = page.substring(page.indexOf("## " + section + "\n"));
        int next = after.indexOf("\n## ");
        return (next < 0 ? after : after.substring(0, next))
                .lines()
                .filter(line -> line.startsWith("| `"))
                .map(line -> Stream.of(line.substring(1, line.length() - 1).split("\\|"))
                        .map(String::strip)
                        .toList())
                .toList();
    }

    private static Set<String> words(List<List<String>> rows) {
        return rows.stream().map(ObservingPageTest::word).collect(Collectors.toCollection(TreeSet::new));
    }

    @Test
    void metrics() throws IOException {
        PrometheusMeterRegistry registry = new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);
        Metrics metrics = new Metrics(registry, () -> NOW);
        metrics.build("1", "25");
        metrics.leader(Optional::empty);
        metrics.view(View.PODS, _ -> 1, _ -> 1);
        metrics.engine(_ -> 0, _ -> 0);
        metrics.clock(OptionalDouble::empty);
        metrics.event(EventWriteResult.WRITTEN);
        metrics.publish(Samples.report(Samples.POLICY));
        metrics.ready(Samples.POLICY, Metrics.Readiness.READY);
        ONE_OF_EACH.forEach(metrics::count);
        metrics.refresh(_ -> true);
        new NamespaceViolations(registry, () -> true).count(ONE_OF_EACH.getFirst());
        OperatorMetrics operatorMetrics = new OperatorMetrics(registry);
        operatorMetrics.activity(() -> EngineActivity.NONE, OperatorLimits.defaults());
        operatorMetrics.feeds(() -> Map.of("pods", FeedCounts.NONE));
        operatorMetrics.ledger(Optional::empty);
        operatorMetrics.refresh(OperatorMetricsTest.oneRequest());

        Set<String> served = TYPE.matcher(PublishedWords.scrape(registry, metrics))
                .results()
                .map(type -> type.group(1) + " " + type.group(2))
                .collect(Collectors.toCollection(TreeSet::new));

        Set<String> documented = rows("Metrics").stream()
                .map(row -> word(row) + " " + row.get(1))
                .collect(Collectors.toCollection(TreeSet::new));
        assertThat(documented).isEqualTo(served);
    }

    private static String word(List<String> row) {
        return row.getFirst().replace("`", "");
    }

    @Test
    void labelsOfMetrics() throws IOException {
        PrometheusMeterRegistry registry = new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);
        Metrics metrics = new Metrics(registry, () -> NOW);
        metrics.publish(Samples.report(Samples.POLICY));
        ONE_OF_EACH.forEach(metrics::count);
        metrics.refresh(_ -> true);
        new NamespaceViolations(registry, () -> true).count(ONE_OF_EACH.getFirst());
        OperatorMetrics operatorMetrics = new OperatorMetrics(registry);
        operatorMetrics.activity(() -> EngineActivity.NONE, OperatorLimits.defaults());
        operatorMetrics.feeds(() -> Map.of("pods", FeedCounts.NONE));
        operatorMetrics.ledger(Optional::empty);
        operatorMetrics.refresh(OperatorMetricsTest.oneRequest());
        Pattern sample = Pattern.compile("(?m)^(holdfast_(?:violations|evictions)(?:_\\w+)?)(?:\\{(.*)})? ");

        Set<String> served = sample.matcher(PublishedWords.scrape(registry, metrics))
                .results()
                .map(it -> it.group(1) + " " + all(LABEL, Objects.requireNonNullElse(it.group(2), "")))
                .collect(Collectors.toCollection(TreeSet::new));

        Set<String> documented = rows("Metrics").stream()
                .filter(row ->
                        word(row).startsWith("holdfast_violations") || word(row).startsWith("holdfast_evictions"))
                .map(row -> word(row) + " " + all(QUOTED, row.get(2)))
                .collect(Collectors.toCollection(TreeSet::new));
        assertThat(documented).isEqualTo(served);
    }

    private static List<String> all(Pattern pattern, String text) {
        return pattern.matcher(text).results().map(it -> it.group(1)).sorted().toList();
    }

    /** {@return the keys and values of one log line of each kind} */
    private static List<KeyValuePair> logged() {
        NotificationLog log = new NotificationLog(() -> false, () -> NOW);
        return LoggedLines.of("holdfast", () -> {
                    ONE_OF_EACH.forEach(log::log);
                    for (BrakeReport.Change change : BrakeReport.Change.values()) {
                        log.log(Samples.breaker(change));
                        log.log(Samples.backlog(change));
                    }
                    log.log(new UnknownAcknowledgement(Optional.of(Samples.POLICY), "nothing is held under b@1"));
                    log.log(new DynamicLabel("load", "label load is dynamic"));
                    log.log(Samples.tooComplex());
                    for (int i = 0; i < 200; i++) {
                        log.log(ONE_OF_EACH.getFirst());
                    }
                    log.sumUp();
                })
                .stream()
                .flatMap(line -> line.getKeyValuePairs().stream())
                .toList();
    }

    @Test
    void keysOfTheLog() throws IOException {
        Set<String> written = logged().stream().map(pair -> pair.key).collect(Collectors.toCollection(TreeSet::new));

        assertThat(words(rows("Log"))).isEqualTo(written);
    }

    @Test
    void decisionsOfTheLog() throws IOException {
        Set<String> written = logged().stream()
                .filter(pair -> pair.key.equals("decision"))
                .map(pair -> String.valueOf(pair.value))
                .collect(Collectors.toCollection(TreeSet::new));

        List<String> row = rows("Log").stream()
                .filter(it -> word(it).equals("decision"))
                .findFirst()
                .orElseThrow();
        assertThat(all(QUOTED, row.get(1))).containsExactlyElementsOf(written);
    }

    @Test
    void keysOfTheAuditLog() throws IOException {
        AuditLog audit = new AuditLog(() -> NOW);
        JsonMapper json = JsonMapper.builder().build();
        Set<String> written = new TreeSet<>();
        for (ILoggingEvent line : LoggedLines.of("audit", () -> ONE_OF_EACH.forEach(audit::write))) {
            json.readTree(line.getFormattedMessage()).fieldNames().forEachRemaining(written::add);
        }

        assertThat(words(rows("Audit log"))).isEqualTo(written);
    }
}
