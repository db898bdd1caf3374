package dev.holdfast.it.bench;

import dev.holdfast.it.bench.measure.ApiCalls;
import dev.holdfast.it.bench.measure.LedgerContents;
import dev.holdfast.it.bench.measure.LedgerWrites;
import dev.holdfast.it.bench.measure.Summary;
import dev.holdfast.it.bench.report.Figure;
import dev.holdfast.it.bench.report.Target;
import dev.holdfast.it.bench.report.Unit;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;

/**
 * All measurements of {@code it/bench ledger}, and the figures with their targets. The target for memory applies to
 * 150,000 pods.
 *
 * @param limitMiB the chart's memory limit
 * @param contents what the ledger held while all clocks ran and nothing changed
 * @param violating how many violations run a clock, except in the first period
 * @param withoutClocks one operator, which runs in all three periods, before there are clocks
 * @param quiet the same operator with clocks
 * @param changing the same operator with clocks while violations begin and heal
 * @param empty starts with a ledger without clocks, and without violations
 * @param full starts with a ledger of all clocks
 * @param none starts without a ledger, with the same violations
 * @param rounds how many takeovers of each kind were planned
 * @param killed the takeovers after the leader was killed
 * @param ended the takeovers after the leader got SIGTERM
 */
record LedgerMeasurements(
        double limitMiB,
        LedgerContents contents,
        int violating,
        Period withoutClocks,
        Period quiet,
        Period changing,
        List<Start> empty,
        List<Start> full,
        List<Start> none,
        int rounds,
        List<Takeover> killed,
        List<Takeover> ended) {
    private static final double PERCENT = 100;
    private static final String LEDGER = "ledger";
    private static final String MEMORY = "memory";
    private static final String START = "start";
    private static final String STANDBY = "standby";
    private static final String P16 = "P16";

    /** The kind of request that writes the ledger. */
    static final String WRITE = "update configmaps";

    /** An object is written at most once in 5 s. */
    private static final double MOST_WRITES = 12;

    LedgerMeasurements {
        empty = List.copyOf(empty);
        full = List.copyOf(full);
        none = List.copyOf(none);
        killed = List.copyOf(killed);
        ended = List.copyOf(ended);
    }

    /**
     * The operator during one period.
     *
     * @param violationsPerSecond how many violations began a second; as many healed
     * @param writes the writes of the ledger that a watch saw
     * @param calls the operator's requests, from the audit log
     * @param cores the operator's CPU seconds per second
     * @param residentMiB the most resident memory in the period
     * @param peakMiB the process's peak resident memory from its start to the end of the period
     */
    record Period(
            double violationsPerSecond,
            LedgerWrites writes,
            ApiCalls calls,
            double cores,
            double residentMiB,
            double peakMiB) {}

    /**
     * One start of the operator in the filled cluster.
     *
     * @param readySeconds from the start of the process to the first 200 from /readyz
     * @param recall how the ledger was recalled; empty for an operator that keeps none
     * @param peakMiB the peak of resident memory until some seconds after the start
     */
    record Start(double readySeconds, List<Recall> recall, double peakMiB) {
        Start {
            recall = List.copyOf(recall);
        }
    }

    /**
     * The times in seconds until a new leader knows the ledger.
     *
     * @param read from when it leads until it has read all ConfigMaps
     * @param recalled from when it leads until its first write of the ledger, which it makes once it has taken the
     * ledger over
     * @param startToRecalled the same from the start of the process
     */
    record Recall(double read, double recalled, double startToRecalled) {}

    /**
     * One takeover by the standby. All times are in seconds after the leader was killed or got SIGTERM.
     *
     * @param leading when the standby held the lease
     * @param read when it had read the ledger
     * @param recalled when its first write of the ledger showed that it had taken the ledger over
     * @param decided when its first plan had decided about a due violation
     * @param leaderMiB the resident memory of the leader before it ended
     * @param standbyMiB the resident memory of the standby at that time
     * @param leaderPeakMiB the peak of the leader's resident memory
     * @param standbyPeakMiB the peak of the standby's resident memory
     */
    record Takeover(
            double leading,
            double read,
            double recalled,
            double decided,
            double leaderMiB,
            double standbyMiB,
            double leaderPeakMiB,
            double standbyPeakMiB) {}

    /** {@return all figures, in the order of the report} */
    List<Figure> figures() {
        List<Figure> figures = new ArrayList<>(contentsFigures());
        figures.addAll(memory());
        figures.addAll(period("without clocks", withoutClocks));
        figures.addAll(period("clocks, quiet", quiet));
        figures.addAll(period("clocks, changes", changing));
        figures.addAll(starts());
        figures.addAll(takeovers("killed", killed, 17));
        figures.addAll(takeovers("ended gracefully", ended, 3));
        List<Takeover> all = Stream.concat(killed.stream(), ended.stream()).toList();
        if (!all.isEmpty()) {
            figures.addAll(standby(all));
        }
        return figures;
    }

    private List<Figure> contentsFigures() {
        Summary clocks =
                Summary.of(contents.clocks().stream().map(Integer::doubleValue).toList());
        Summary bytes =
                Summary.of(contents.bytes().stream().map(Integer::doubleValue).toList());
        return List.of(
                Figure.of(LEDGER, "violations", violating, Unit.COUNT),
                Figure.of(LEDGER, "clocks stored", contents.allClocks(), Unit.COUNT)
                        .noting(String.format(
                                Locale.ROOT,
                                "%.0f to %.0f in each of %d parts",
                                clocks.min(),
                                clocks.max(),
                                clocks.count())),
                Figure.of(LEDGER, "all data stored", contents.allBytes(), Unit.BYTES)
                        .noting("the largest of " + bytes.count() + " ConfigMaps has "
                                + Unit.BYTES.print(bytes.max())));
    }

    private List<Figure> memory() {
        Figure withLedger = peak("full ledger", full);
        Figure without = peak("the same violations, no ledger", none);
        double mostAfterStart = full.stream().mapToDouble(Start::peakMiB).max().orElseThrow();
        return List.of(
                resident("without clocks", withoutClocks),
                resident("clocks, quiet", quiet),
                resident("clocks, changes", changing),
                ratio(
                        MEMORY,
                        "resident, clocks relative to none, quiet",
                        quiet.residentMiB(),
                        withoutClocks.residentMiB()),
                ratio(MEMORY, "peak, clocks relative to none, quiet", quiet.peakMiB(), withoutClocks.peakMiB()),
                peak("ledger and cluster without clocks", empty),
                without,
                withLedger.against(Target.atMost(320, 256)),
                ratio(MEMORY, "peak after a start, full ledger relative to none", withLedger.value(), without.value()),
                Figure.of(
                                MEMORY,
                                "most of all, below the limit of the chart",
                                Math.max(changing.peakMiB(), mostAfterStart),
                                Unit.MEBIBYTES)
                        .against(Target.atMost(limitMiB)));
    }

    private static Figure resident(String when, Period period) {
        return Figure.of(MEMORY, "resident, " + when, period.residentMiB(), Unit.MEBIBYTES)
                .noting("peak since the start " + Unit.MEBIBYTES.print(period.peakMiB()));
    }

    private static Figure peak(String what, List<Start> starts) {
        return Figure.median(MEMORY, "peak after a start, " + what, starts, Start::peakMiB, Unit.MEBIBYTES);
    }

    private static List<Figure> period(String section, Period period) {
        LedgerWrites writes = period.writes();
        List<Figure> figures = new ArrayList<>();
        if (period.violationsPerSecond() > 0) {
            figures.add(Figure.of(section, "violations that begin a second", period.violationsPerSecond(), Unit.COUNT)
                    .noting("as many heal"));
        }
        figures.add(Figure.of(section, "writes a minute", writes.perMinute(), Unit.COUNT)
                .noting(String.format(
                        Locale.ROOT,
                        "%d in %.0f s; the audit log has %d",
                        writes.writes().size(),
                        writes.seconds(),
                        period.calls().requests().getOrDefault(WRITE, 0))));
        figures.add(Figure.of(section, "bytes written a minute", writes.bytesPerMinute(), Unit.BYTES));
        figures.add(Figure.of(section, "writes a minute of one ConfigMap, most", writes.mostOfOneAMinute(), Unit.COUNT)
                .against(Target.atMost(MOST_WRITES)));
        figures.add(Figure.of(section, "CPU of a core", period.cores() * PERCENT, Unit.PERCENT));
        return figures;
    }

    private List<Figure> starts() {
        Figure ofEmpty = ready("without clocks", empty);
        Figure ofFull = ready("full ledger", full);
        Figure ofNone = ready("the same violations, no ledger", none);
        List<Figure> figures = new ArrayList<>(List.of(
                ofEmpty,
                ofNone,
                ofFull,
                ratio(
                        START,
                        "start to ready, full ledger relative to one without clocks",
                        ofFull.value(),
                        ofEmpty.value()),
                ratio(START, "start to ready, full ledger relative to none", ofFull.value(), ofNone.value())));
        figures.addAll(recall("without clocks", empty));
        figures.addAll(recall("full ledger", full));
        return figures;
    }

    private static Figure ready(String what, List<Start> starts) {
        return Figure.median(START, "start to ready, " + what, starts, Start::readySeconds, Unit.SECONDS);
    }

    private static List<Figure> recall(String what, List<Start> starts) {
        List<Recall> recalls =
                starts.stream().flatMap(it -> it.recall().stream()).toList();
        String name = "leading to ledger ";
        return List.of(
                Figure.median(START, name + "read, " + what, recalls, Recall::read, Unit.SECONDS),
                Figure.median(START, name + "recalled, " + what, recalls, Recall::recalled, Unit.SECONDS),
                Figure.median(
                        START, "start to ledger recalled, " + what, recalls, Recall::startToRecalled, Unit.SECONDS));
    }

    private List<Figure> takeovers(String how, List<Takeover> takeovers, double goal) {
        Figure measured = Figure.of(P16, "leader " + how + ", takeovers measured", takeovers.size(), Unit.COUNT)
                .noting("of " + rounds)
                .against(Target.atLeast(rounds));
        if (takeovers.isEmpty()) {
            return List.of(measured);
        }
        String from = "leader " + how + " to ";
        Figure median = Figure.median(P16, from + "first decision", takeovers, Takeover::decided, Unit.SECONDS);
        double longest = takeovers.stream().mapToDouble(Takeover::decided).max().orElseThrow();
        return List.of(
                measured,
                Figure.median(P16, from + "lease of the standby", takeovers, Takeover::leading, Unit.SECONDS),
                Figure.median(P16, from + "ledger read", takeovers, Takeover::read, Unit.SECONDS),
                Figure.median(P16, from + "ledger recalled", takeovers, Takeover::recalled, Unit.SECONDS),
                Figure.of(P16, from + "first decision, longest", longest, Unit.SECONDS)
                        .noting("median " + Unit.SECONDS.print(median.value()) + ", " + median.note())
                        .against(Target.atMost(goal)));
    }

    private static List<Figure> standby(List<Takeover> all) {
        String of = "resident memory of the ";
        Figure leader = Figure.median(STANDBY, of + "leader", all, Takeover::leaderMiB, Unit.MEBIBYTES);
        Figure standby = Figure.median(STANDBY, of + "standby", all, Takeover::standbyMiB, Unit.MEBIBYTES);
        return List.of(
                leader,
                standby,
                ratio(STANDBY, "resident, standby relative to the leader", standby.value(), leader.value()),
                Figure.median(STANDBY, of + "leader, peak", all, Takeover::leaderPeakMiB, Unit.MEBIBYTES),
                Figure.median(STANDBY, of + "standby, peak", all, Takeover::standbyPeakMiB, Unit.MEBIBYTES));
    }

    private static Figure ratio(String section, String name, double value, double reference) {
        return Figure.of(section, name, value / reference, Unit.TIMES);
    }
}
