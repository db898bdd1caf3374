package dev.holdfast.it.bench;

import dev.holdfast.it.bench.LedgerMeasurements.Takeover;
import dev.holdfast.it.bench.measure.LeaderLog;
import dev.holdfast.it.bench.measure.ProcessFigures;
import dev.holdfast.it.scenario.OperatorProcess;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/**
 * A leader and a standby. The leader ends, the standby takes over, and another standby is started, round after round.
 */
final class Takeovers implements AutoCloseable {
    private static final Duration LONGEST_WAIT = Duration.ofMinutes(5);
    private static final Duration LONGEST_TAKEOVER = Duration.ofMinutes(1);

    /**
     * Each look reads a log of some MB, on the cores on which the standby takes over. The times are those in the log.
     */
    private static final Duration POLL_INTERVAL = Duration.ofSeconds(3);

    /** How long a standby has watched at least before the leader ends. */
    private static final Duration WATCHED = Duration.ofSeconds(35);

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

    /**
     * Starts a leader and a standby.
     *
     * @param due a policy whose violations are due all the time, so that each new leader decides about them
     */
    static Takeovers start(BenchEnvironment environment, BenchPolicy due) throws InterruptedException {
        OperatorProcess leader =
                environment.startOperator("operator-takeover-leader").process();
        try {
            environment.await(
                    "the leader recalls the ledger",
                    LONGEST_WAIT,
                    POLL_INTERVAL,
                    () -> LedgerStarts.recall(environment, leader).isPresent());
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
            environment.say("killing the leader, round " + round + " of " + rounds);
            killed.add(takeover(OperatorProcess::close));
            replaceStandby();
            environment.say("ending the leader gracefully, round " + round + " of " + rounds);
            ended.add(takeover(environment::stop));
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

    private Takeover takeover(Consumer<OperatorProcess> ending) {
        environment.await(
                "violations are due",
                LONGEST_WAIT,
                POLL_INTERVAL,
                () -> due.selected() > 0 && due.due() == due.selected());
        if (LeaderLog.of(standby.log(), due.name()).leading().isPresent()) {
            throw new IllegalStateException("the standby leads before the leader has ended");
        }
        ProcessFigures ofLeader = ProcessFigures.of(leader.pid());
        ProcessFigures ofStandby = ProcessFigures.of(standby.pid());
        Instant end = environment.clock().instant();
        ending.accept(leader);
        environment.await(
                "the standby decides about a due violation as the leader",
                LONGEST_TAKEOVER,
                POLL_INTERVAL,
                () -> LedgerStarts.recall(environment, standby).isPresent()
                        && decided().isPresent());
        LedgerStarts.Times times = LedgerStarts.recall(environment, standby).orElseThrow();
        return new Takeover(
                LedgerStarts.seconds(end, times.leading()),
                LedgerStarts.seconds(end, times.read()),
                LedgerStarts.seconds(end, times.recalled()),
                LedgerStarts.seconds(end, decided().orElseThrow()),
                ofLeader.residentMiB(),
                ofStandby.residentMiB(),
                ofLeader.peakMiB(),
                ofStandby.peakMiB());
    }

    private Optional<Instant> decided() {
        return LeaderLog.of(standby.log(), due.name()).decided();
    }

    @Override
    public void close() {
        leader.close();
        standby.close();
    }
}
