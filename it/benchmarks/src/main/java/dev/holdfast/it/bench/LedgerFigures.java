package dev.holdfast.it.bench;

import dev.holdfast.it.bench.measure.LedgerContents;
import dev.holdfast.it.bench.measure.Summary;
import dev.holdfast.it.bench.report.Figure;
import dev.holdfast.it.bench.report.Target;
import dev.holdfast.it.bench.report.Unit;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.ToDoubleFunction;

/** The figures of the ledger bench with their targets. The target for memory applies to 150,000 pods. */
final class LedgerFigures {
    private static final double PERCENT = 100;
    private static final String LEDGER = "ledger";
    private static final String MEMORY = "memory";
    private static final String START = "start";
    private static final String P16 = "P16";

    /** An object is written at most once in 5 s. */
    private static final double MOST_WRITES = 12;

    private final LedgerMeasurements measured;
    private final List<Figure> figures = new ArrayList<>();

    LedgerFigures(LedgerMeasurements measured) {
        this.measured = measured;
    }

    /** {@return all figures, in the order of the report} */
    List<Figure> all() {
        contents(measured.contents());
        memory(measured.periods());
        period("without clocks", measured.periods().withoutClocks());
        period("clocks, quiet", measured.periods().quiet());
        period("clocks, changes", measured.periods().changing());
        starts(measured.starts());
        takeovers("killed", measured.killed(), 17);
        takeovers("ended gracefully", measured.ended(), 3);
        standby();
        return List.copyOf(figures);
    }

    private void contents(LedgerContents contents) {
        add(Figure.of(LEDGER, "violations", measured.periods().violating(), Unit.COUNT));
        Summary ofParts =
                Summary.of(contents.clocks().stream().map(Integer::doubleValue).toList());
        add(Figure.of(LEDGER, "clocks stored", contents.allClocks(), Unit.COUNT)
                .noting(String.format(
                        Locale.ROOT,
                        "%.0f to %.0f in each of %d parts",
                        ofParts.min(),
                        ofParts.max(),
                        ofParts.count())));
        double largest =
                contents.bytes().stream().mapToInt(Integer::intValue).max().orElse(0);
        add(Figure.of(LEDGER, "all data stored", contents.allBytes(), Unit.BYTES)
                .noting("the largest of " + contents.bytes().size() + " ConfigMaps has " + Unit.BYTES.print(largest)));
    }

    private void memory(LedgerMeasurements.Periods periods) {
        LedgerPeriod before = periods.withoutClocks();
        LedgerPeriod quiet = periods.quiet();
        resident("without clocks", before);
        resident("clocks, quiet", quiet);
        resident("clocks, changes", periods.changing());
        add(ratio(MEMORY, "resident, clocks relative to none, quiet", quiet.residentMiB(), before.residentMiB()));
        add(ratio(MEMORY, "peak, clocks relative to none, quiet", quiet.peakMiB(), before.peakMiB()));
        LedgerMeasurements.Starts starts = measured.starts();
        Figure full = peak("full ledger", starts.full());
        Figure none = peak("the same violations, no ledger", starts.none());
        add(peak("ledger and cluster without clocks", starts.empty()));
        add(none);
        add(full.against(Target.atMost(320, 256)));
        add(ratio(MEMORY, "peak after a start, full ledger relative to none", full.value(), none.value()));
        double peak = Math.max(
                periods.changing().peakMiB(),
                Summary.of(samples(starts.full(), LedgerStart::peakMiB)).max());
        add(Figure.of(MEMORY, "most of all, below the limit of the chart", peak, Unit.MEBIBYTES)
                .against(Target.atMost(AllViolating.limitMiB(measured.flags()))));
    }

    private void resident(String when, LedgerPeriod period) {
        add(Figure.of(MEMORY, "resident, " + when, period.residentMiB(), Unit.MEBIBYTES)
                .noting("peak since the start " + Unit.MEBIBYTES.print(period.peakMiB())));
    }

    private static Figure peak(String what, List<LedgerStart> starts) {
        return Figure.median(
                MEMORY, "peak after a start, " + what, samples(starts, LedgerStart::peakMiB), Unit.MEBIBYTES);
    }

    private void period(String section, LedgerPeriod period) {
        if (period.violationsPerSecond() > 0) {
            add(Figure.of(section, "violations that begin a second", period.violationsPerSecond(), Unit.COUNT)
                    .noting("as many heal"));
        }
        add(Figure.of(section, "writes a minute", period.writes().perMinute(), Unit.COUNT)
                .noting(String.format(
                        Locale.ROOT,
                        "%d in %.0f s; the audit log has %d",
                        period.writes().writes().size(),
                        period.writes().seconds(),
                        period.requests())));
        add(Figure.of(section, "bytes written a minute", period.writes().bytesPerMinute(), Unit.BYTES));
        add(Figure.of(
                        section,
                        "writes a minute of one ConfigMap, most",
                        period.writes().mostOfOneAMinute(),
                        Unit.COUNT)
                .against(Target.atMost(MOST_WRITES)));
        add(Figure.of(section, "CPU of a core", period.cores() * PERCENT, Unit.PERCENT));
    }

    private void starts(LedgerMeasurements.Starts starts) {
        Figure empty = ready("without clocks", starts.empty());
        Figure full = ready("full ledger", starts.full());
        Figure none = ready("the same violations, no ledger", starts.none());
        add(empty);
        add(none);
        add(full);
        add(ratio(START, "start to ready, full ledger relative to one without clocks", full.value(), empty.value()));
        add(ratio(START, "start to ready, full ledger relative to none", full.value(), none.value()));
        recall("without clocks", starts.empty());
        recall("full ledger", starts.full());
    }

    private static Figure ready(String what, List<LedgerStart> starts) {
        return Figure.median(
                START, "start to ready, " + what, samples(starts, LedgerStart::readySeconds), Unit.SECONDS);
    }

    private void recall(String what, List<LedgerStart> starts) {
        List<LedgerStart.Recall> recalls =
                starts.stream().flatMap(it -> it.recall().stream()).toList();
        add(seconds(START, "leading to ledger read, " + what, recalls, LedgerStart.Recall::read));
        add(seconds(START, "leading to ledger recalled, " + what, recalls, LedgerStart.Recall::recalled));
        add(seconds(START, "start to ledger recalled, " + what, recalls, LedgerStart.Recall::startToRecalled));
    }

    private void takeovers(String how, List<Takeover> takeovers, double goal) {
        add(Figure.of(P16, "leader " + how + ", takeovers measured", takeovers.size(), Unit.COUNT)
                .noting("of " + measured.rounds())
                .against(Target.atLeast(measured.rounds())));
        if (takeovers.isEmpty()) {
            return;
        }
        String from = "leader " + how + " to ";
        add(seconds(P16, from + "lease of the standby", takeovers, Takeover::leading));
        add(seconds(P16, from + "ledger read", takeovers, Takeover::read));
        add(seconds(P16, from + "ledger recalled", takeovers, Takeover::recalled));
        Figure median = seconds(P16, from + "first decision", takeovers, Takeover::decided);
        double longest = Summary.of(samples(takeovers, Takeover::decided)).max();
        add(Figure.of(P16, from + "first decision, longest", longest, Unit.SECONDS)
                .noting("median " + Unit.SECONDS.print(median.value()) + ", " + median.note())
                .against(Target.atMost(goal)));
    }

    private void standby() {
        List<Takeover> all = new ArrayList<>(measured.killed());
        all.addAll(measured.ended());
        if (all.isEmpty()) {
            return;
        }
        Figure leader = memory("leader", all, Takeover::leaderMiB);
        Figure standby = memory("standby", all, Takeover::standbyMiB);
        add(leader);
        add(standby);
        add(ratio("standby", "resident, standby relative to the leader", standby.value(), leader.value()));
        add(memory("leader, peak", all, Takeover::leaderPeakMiB));
        add(memory("standby, peak", all, Takeover::standbyPeakMiB));
    }

    private static Figure memory(String whose, List<Takeover> takeovers, ToDoubleFunction<Takeover> figure) {
        return Figure.median("standby", "resident memory of the " + whose, samples(takeovers, figure), Unit.MEBIBYTES);
    }

    private static <T> Figure seconds(String section, String name, List<T> from, ToDoubleFunction<T> figure) {
        return Figure.median(section, name, samples(from, figure), Unit.SECONDS);
    }

    private static Figure ratio(String section, String name, double value, double reference) {
        return Figure.of(section, name, value / reference, Unit.TIMES);
    }

    private static <T> List<Double> samples(List<T> from, ToDoubleFunction<T> figure) {
        return from.stream().map(figure::applyAsDouble).toList();
    }

    private void add(Figure figure) {
        figures.add(figure);
    }
}
