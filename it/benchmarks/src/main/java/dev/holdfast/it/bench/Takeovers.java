package dev.holdfast.it.bench;

import dev.holdfast.it.bench.measure.LeaderLog;
import dev.holdfast.it.bench.measure.ProcessFigures;
import dev.holdfast.it.scenario.OperatorProcess;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;

/** A leader and a standby. The leader ends, the standby takes over, and another standby is started, round after round. */
final class Takeovers implements AutoCloseable {
    private static final Duration LONGEST_WAIT = Duration.ofMinutes(5);
    private static final Duration LONGEST_TAKEOVER = Duration.ofMinutes(1);
    /** Each look reads a log of some MB, on the cores on which the standby takes over. The times are those in the log. */
    private static final Duration POLL_INTERVAL = Duration.ofSeconds(3);

    /** How long a standby has watched at least before the leader ends. */
    private static final Duration WATCHED = Duration.ofSeconds(35);

    private static final double NANOS = 1e9;

    private final BenchEnvironment environment;
    private final BenchPolicy due;
    private OperatorProcess leader;
    private OperatorProcess standby;
    private int operators;

    private Takeovers(BenchEnvironment environment, BenchPolicy due, OperatorProcess leader, OperatorProcess standby) {
        this.environment = environment;
        this.due = due;
        this.leader = leader;
        this.standby = standby;
    }

    /** How a leader ends. */
    private enum End {
        KILLED,
        STOPPED
    }

    /**
     * Starts a leader and a standby.
     *
     * @param due a policy whose violations are due all the time, so that each new leader decides about them
     */
    static Takeovers start(BenchEnvironment environment, BenchPolicy due) throws InterruptedException {
        OperatorProcess leader =
                environment.startOperator("operator-takeover-leader").process();
        try {
            await(
                    "the leader recalls the ledger",
                    environment,
                    () -> new LedgerRecall(environment, leader).times().isPresent());
            return new Takeovers(environment, due, leader, startStandby(environment, 0));
        } catch (RuntimeException | InterruptedException e) {
            leader.close();
            throw e;
        }
    }

    private static OperatorProcess startStandby(BenchEnvironment environment, int number) throws InterruptedException {
        OperatorProcess started =
                environment.startOperator("operator-takeover-standby-" + number).process();
        TimeUnit.NANOSECONDS.sleep(WATCHED.toNanos());
        return started;
    }

    /** Measures this many takeovers of each kind, alternately, and adds each that was measured to the end. */
    void play(int rounds, List<Takeover> killed, List<Takeover> ended) throws InterruptedException {
        for (int round = 1; round <= rounds; round++) {
            environment.progress().say("killing the leader, round " + round + " of " + rounds);
            killed.add(takeover(End.KILLED));
            replaceStandby();
            environment.progress().say("ending the leader gracefully, round " + round + " of " + rounds);
            ended.add(takeover(End.STOPPED));
            if (round < rounds) {
                replaceStandby();
            }
        }
    }

    private void replaceStandby() throws InterruptedException {
        operators++;
        leader = standby;
        standby = startStandby(environment, operators);
    }

    private Takeover takeover(End how) throws InterruptedException {
        await("violations are due", environment, () -> due.selected() > 0 && due.due() == due.selected());
        if (LeaderLog.of(standby.log(), due.name()).leading().isPresent()) {
            throw new BenchException("the standby leads before the leader has ended");
        }
        ProcessFigures ofLeader = ProcessFigures.of(leader.pid());
        ProcessFigures ofStandby = ProcessFigures.of(standby.pid());
        Instant end = environment.clock().instant();
        switch (how) {
            case KILLED -> leader.close();
            case STOPPED -> environment.stop(leader);
        }
        LedgerRecall.Times times = awaitRecall(end);
        Instant decided = LeaderLog.of(standby.log(), due.name()).decided().orElseThrow();
        return new Takeover(
                seconds(end, times.leading()),
                seconds(end, times.read()),
                seconds(end, times.recalled()),
                seconds(end, decided),
                ofLeader.residentMiB(),
                ofStandby.residentMiB(),
                ofLeader.peakMiB(),
                ofStandby.peakMiB());
    }

    private LedgerRecall.Times awaitRecall(Instant end) throws InterruptedException {
        LedgerRecall recall = new LedgerRecall(environment, standby);
        Instant latest = end.plus(LONGEST_TAKEOVER);
        while (environment.clock().instant().isBefore(latest)) {
            Optional<LedgerRecall.Times> times = recall.times();
            if (times.isPresent()
                    && LeaderLog.of(standby.log(), due.name()).decided().isPresent()) {
                return times.get();
            }
            TimeUnit.NANOSECONDS.sleep(POLL_INTERVAL.toNanos());
        }
        throw new BenchException("the standby did not decide about a due violation as the leader within "
                + LONGEST_TAKEOVER.toSeconds() + " s: " + LeaderLog.of(standby.log(), due.name()));
    }

    private static void await(String what, BenchEnvironment environment, BooleanSupplier isTrue)
            throws InterruptedException {
        Instant latest = environment.clock().instant().plus(LONGEST_WAIT);
        while (!isTrue.getAsBoolean()) {
            if (environment.clock().instant().isAfter(latest)) {
                throw new BenchException(
                        "waited for " + LONGEST_WAIT.toSeconds() + " s until " + what + ", which did not happen");
            }
            TimeUnit.NANOSECONDS.sleep(POLL_INTERVAL.toNanos());
        }
    }

    private static double seconds(Instant from, Instant to) {
        return Duration.between(from, to).toNanos() / NANOS;
    }

    @Override
    public void close() {
        leader.close();
        standby.close();
    }
}
