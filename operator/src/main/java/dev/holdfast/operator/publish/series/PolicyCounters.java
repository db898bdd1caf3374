package dev.holdfast.operator.publish.series;

import dev.holdfast.policies.engine.report.Notification.End;
import io.micrometer.core.instrument.Clock;
import io.micrometer.core.instrument.distribution.DistributionStatisticConfig;
import io.micrometer.core.instrument.distribution.TimeWindowMax;
import java.util.Collection;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicLongArray;
import java.util.concurrent.atomic.DoubleAdder;

/**
 * The counters of one policy, or of all policies that have no series of their own. About 1 KB, and 150 bytes for each
 * rule. Counting and reading take no lock.
 */
final class PolicyCounters {
    static final String STARTED = "holdfast_violations_started_total";
    static final String ENDED = "holdfast_violations_ended_total";
    static final String EVICTIONS = "holdfast_evictions_total";
    static final String FUTILE = "holdfast_evictions_futile_total";
    static final String DURATION = "holdfast_violation_duration_seconds";

    private static final double[] BUCKETS = {10, 60, 300, 600, 1_800, 3_600, 21_600, 86_400};

    /** {@return the number of series of a policy's counters, without those of its rules, for this number of answers} */
    static int series(int answers) {
        return answers + End.values().length + 1 + BUCKETS.length + 4;
    }

    private final SeriesLabels labels;
    private final List<String> answers;
    private final AtomicLongArray evictions;
    private final AtomicLong futile = new AtomicLong();
    private final Map<End, AtomicLong> ended = new EnumMap<>(End.class);
    private final AtomicLongArray durations = new AtomicLongArray(BUCKETS.length + 1);
    private final DoubleAdder durationSum = new DoubleAdder();
    private final TimeWindowMax durationMax;
    private final Map<String, AtomicLong> started = new ConcurrentSkipListMap<>();

    /** @param answers the names of all answers to eviction requests, sorted */
    PolicyCounters(SeriesLabels labels, List<String> answers, Clock clock) {
        this.labels = labels;
        this.answers = answers;
        for (End how : End.values()) {
            ended.put(how, new AtomicLong());
        }
        this.evictions = new AtomicLongArray(answers.size());
        this.durationMax = new TimeWindowMax(clock, DistributionStatisticConfig.DEFAULT);
    }

    SeriesLabels labels() {
        return labels;
    }

    /** Creates the counter of a rule as 0 if it is missing. */
    void addRule(String rule) {
        started.computeIfAbsent(rule, _ -> new AtomicLong());
    }

    void removeRule(String rule) {
        started.remove(rule);
    }

    boolean hasRule(String rule) {
        return started.containsKey(rule);
    }

    Collection<String> rules() {
        return started.keySet();
    }

    void started(String rule) {
        started.computeIfAbsent(rule, _ -> new AtomicLong()).incrementAndGet();
    }

    void ended(End how, double seconds) {
        Objects.requireNonNull(ended.get(how), "a counter").incrementAndGet();
        int bucket = 0;
        while (bucket < BUCKETS.length && seconds > BUCKETS[bucket]) {
            bucket++;
        }
        durations.incrementAndGet(bucket);
        durationSum.add(seconds);
        durationMax.record(seconds);
    }

    void answered(String answer) {
        evictions.incrementAndGet(answers.indexOf(answer));
    }

    void futile() {
        futile.incrementAndGet();
    }

    void writeStarted(MetricsText text) {
        started.forEach((rule, count) ->
                text.number(STARTED, labels.policy() + "," + MetricsText.label("rule", rule), count.get()));
    }

    void writeEnded(MetricsText text) {
        ended.forEach((how, count) ->
                text.number(ENDED, MetricsText.label("how", how.label()) + "," + labels.policy(), count.get()));
    }

    void writeEvictions(MetricsText text) {
        for (int i = 0; i < answers.size(); i++) {
            text.number(
                    EVICTIONS,
                    MetricsText.label("outcome", answers.get(i)) + "," + labels.policyAndNamespace(),
                    evictions.get(i));
        }
    }

    void writeFutile(MetricsText text) {
        text.number(FUTILE, labels.policy(), futile.get());
    }

    void writeDuration(MetricsText text) {
        long upTo = 0;
        for (int i = 0; i <= BUCKETS.length; i++) {
            upTo += durations.get(i);
            String limit = i < BUCKETS.length ? Double.toString(BUCKETS[i]) : "+Inf";
            text.whole(DURATION + "_bucket", labels.policy() + "," + MetricsText.label("le", limit), upTo);
        }
        text.whole(DURATION + "_count", labels.policy(), upTo);
        text.series(DURATION + "_sum", labels.policy(), durationSum.sum());
    }

    void writeLongest(MetricsText text) {
        text.series(DURATION + "_max", labels.policy(), durationMax.poll());
    }

    /** Writes the heading of each metric, and the series of all these counters. */
    static void write(Collection<PolicyCounters> all, MetricsText text) {
        text.metric(STARTED, MetricType.COUNTER, "Violations that began.");
        all.forEach(it -> it.writeStarted(text));
        text.metric(ENDED, MetricType.COUNTER, "Violations that ended, by how they ended.");
        all.forEach(it -> it.writeEnded(text));
        text.metric(
                EVICTIONS, MetricType.COUNTER, "Answers to eviction requests; a refused dry run counts as the answer.");
        all.forEach(it -> it.writeEvictions(text));
        text.metric(FUTILE, MetricType.COUNTER, "Evictions that did not help.");
        all.forEach(it -> it.writeFutile(text));
        text.metric(DURATION, MetricType.HISTOGRAM, "Duration of violations, observed when they end.");
        all.forEach(it -> it.writeDuration(text));
        text.metric(DURATION + "_max", MetricType.GAUGE, "Longest of the violations that ended in the last minutes.");
        all.forEach(it -> it.writeLongest(text));
    }
}
