package dev.holdfast.it.bench;

import dev.holdfast.it.bench.measure.LeaderLog;
import dev.holdfast.it.bench.measure.ProcessFigures;
import dev.holdfast.it.bench.report.Figure;
import dev.holdfast.it.bench.report.Report;
import dev.holdfast.it.bench.report.Unit;
import dev.holdfast.it.scenario.OperatorProcess;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.stream.Stream;

/**
 * A leader and a standby. The leader ends, the standby takes over, and another standby is started, round after round.
 */
final class Takeovers implements AutoCloseable {
    /**
     * Each look reads a log of some MB, on the cores on which the standby takes over. The times are those in the log.
     */
    private static final Duration POLL_INTERVAL = Duration.ofSeconds(3);

    /** How long a standby has watched at least before the leader ends. */
    private static final Duration WATCHED = Duration.ofSeconds(35);

    private final BenchEnvironment environment;
    private final BenchPolicy due;
    private final Deque<OperatorProcess> running = new ArrayDeque<>();
    private final List<Takeover> killed = new ArrayList<>();
    private final List<Takeover> ended = new ArrayList<>();
    private int operators;

    /** @param due a policy whose violations are due all the time, so that each new leader decides about them */
    Takeovers(BenchEnvironment environment, BenchPolicy due) {
        this.environment = environment;
        this.due = due;
    }

    /**
     * One takeover by the standby. All times are in seconds after the leader was killed or got SIGTERM.
     *
     * @param leading when the standby held the lease
     * @param read when it had read the ledger
     * @param decided when its first plan had decided about a due violation
     * @param leaderMiB the resident memory of the leader before it ended
     * @param standbyMiB the resident memory of the standby at that time
     */
    private record Takeover(double leading, double read, double decided, double leaderMiB, double standbyMiB) {}

    /** Measures this many takeovers of each kind, alternately. */
    void play(int rounds) throws InterruptedException {
        OperatorProcess first = start();
        environment.await(
                "the leader reads the ledger",
                POLL_INTERVAL,
                () -> LeaderLog.of(first.log(), "").read().isPresent());
        for (int round = 1; round <= rounds; round++) {
            environment.say("killing the leader, round " + round + " of " + rounds);
            killed.add(takeover(OperatorProcess::close));
            environment.say("ending the leader gracefully, round " + round + " of " + rounds);
            ended.add(takeover(environment::stop));
        }
    }

    private OperatorProcess start() {
        OperatorProcess started = environment
                .startOperator(
                        "operator-takeover-" + operators++, environment.chart().config())
                .process();
        running.add(started);
        return started;
    }

    /** Starts a standby, ends the leader, and waits until the standby has decided about a due violation. */
    private Takeover takeover(Consumer<OperatorProcess> ending) throws InterruptedException {
        OperatorProcess leader = running.element();
        OperatorProcess standby = start();
        TimeUnit.NANOSECONDS.sleep(WATCHED.toNanos());
        environment.await(
                "violations are due",
                POLL_INTERVAL,
                () -> due.count("selected") > 0 && due.count("due") == due.count("selected"));
        if (log(standby).leading().isPresent()) {
            throw new IllegalStateException("the standby leads before the leader has ended");
        }
        double leaderMiB = ProcessFigures.of(leader.pid()).residentMiB();
        double standbyMiB = ProcessFigures.of(standby.pid()).residentMiB();
        Instant end = environment.clock().instant();
        ending.accept(running.remove());
        environment.await(
                "the standby decides about a due violation as the leader",
                POLL_INTERVAL,
                () -> log(standby).read().isPresent() && log(standby).decided().isPresent());
        LeaderLog log = log(standby);
        return new Takeover(
                BenchEnvironment.seconds(end, log.leading().orElseThrow()),
                BenchEnvironment.seconds(end, log.read().orElseThrow()),
                BenchEnvironment.seconds(end, log.decided().orElseThrow()),
                leaderMiB,
                standbyMiB);
    }

    private LeaderLog log(OperatorProcess operator) {
        return LeaderLog.of(operator.log(), due.name());
    }

    /** Adds the figures of all takeovers to the report. */
    void report(int rounds, Report report) {
        report(report, "killed", rounds, report.raw("killed", killed), 17);
        report(report, "ended gracefully", rounds, report.raw("ended", ended), 3);
        List<Takeover> all = Stream.concat(killed.stream(), ended.stream()).toList();
        if (!all.isEmpty()) {
            Figure leader =
                    Figure.median("standby", "resident memory of the leader", all, Takeover::leaderMiB, Unit.MEBIBYTES);
            Figure standby = Figure.median(
                    "standby", "resident memory of the standby", all, Takeover::standbyMiB, Unit.MEBIBYTES);
            String name = "resident memory, standby relative to the leader";
            report.add(leader, standby, Figure.ratio("standby", name, standby.value(), leader.value()));
        }
    }

    private static void report(Report report, String how, int rounds, List<Takeover> takeovers, double goal) {
        String from = "leader " + how + " to ";
        report.add(Figure.of("P16", "leader " + how + ", takeovers measured", takeovers.size(), Unit.COUNT)
                .atLeast(rounds));
        if (!takeovers.isEmpty()) {
            Figure median = Figure.median("P16", "", takeovers, Takeover::decided, Unit.SECONDS);
            double longest =
                    takeovers.stream().mapToDouble(Takeover::decided).max().orElseThrow();
            report.add(
                    Figure.median("P16", from + "lease of the standby", takeovers, Takeover::leading, Unit.SECONDS),
                    Figure.median("P16", from + "ledger read", takeovers, Takeover::read, Unit.SECONDS),
                    Figure.of("P16", from + "first decision, longest", longest, Unit.SECONDS)
                            .noting("median " + Unit.SECONDS.print(median.value()) + ", " + median.note())
                            .atMost(goal));
        }
    }

    @Override
    public void close() {
        running.forEach(OperatorProcess::close);
    }
}
