package dev.holdfast.it.bench;

import dev.holdfast.it.bench.cluster.FilledCluster;
import dev.holdfast.it.bench.measure.ProcessFigures;
import dev.holdfast.it.bench.peer.Descheduler;
import dev.holdfast.it.scenario.OperatorProcess;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;

/**
 * The rounds of the scale bench: in each, curl, the operator and the descheduler read the whole cluster one after the
 * other. Each is measured from the start of its process.
 *
 * @param pods how many pods the policy's status must count
 * @param violating how many of these pods violate a rule
 * @param nodes the names of the nodes of the violating pods
 */
record ScaleRounds(BenchEnvironment environment, int pods, int violating, Set<String> nodes) {
    private static final Duration TIMEOUT = Duration.ofMinutes(5);
    private static final Duration POLL_INTERVAL = Duration.ofMillis(20);

    /** The time between two reads of the policy. More reads would distort the measured CPU time of the API server. */
    private static final Duration POLICY_POLL_INTERVAL = Duration.ofMillis(100);

    private static final double NANOS = 1e9;

    /** Runs the given number of rounds and returns their measurements. */
    List<ScaleRound> play(int rounds, boolean peer) throws InterruptedException, IOException {
        List<ScaleRound> played = new ArrayList<>();
        for (int round = 1; round <= rounds; round++) {
            ServerTime.awaitRest(environment);
            environment.progress().say("round " + round + " of " + rounds);
            played.add(round % 2 == 1 ? forward(round, peer) : backward(round, peer));
        }
        return played;
    }

    private ScaleRound forward(int round, boolean peer) throws InterruptedException, IOException {
        CurlRead floor = new CurlFloor(environment).read();
        ClusterRead holdfast = holdfast("operator-round-" + round);
        return new ScaleRound(floor, holdfast, peer ? List.of(descheduler(round)) : List.of());
    }

    private ScaleRound backward(int round, boolean peer) throws InterruptedException, IOException {
        List<ClusterRead> descheduler = peer ? List.of(descheduler(round)) : List.of();
        ClusterRead holdfast = holdfast("operator-round-" + round);
        return new ScaleRound(new CurlFloor(environment).read(), holdfast, descheduler);
    }

    private ClusterRead holdfast(String name) throws InterruptedException {
        BenchPolicy policy = BenchPolicy.create(environment.client(), FilledCluster.namespaces());
        ServerTime server = ServerTime.now(environment);
        BenchEnvironment.Launched launched = environment.launchOperator(name);
        try (OperatorProcess operator = launched.process()) {
            awaitComplete(policy);
            double seconds = since(launched.at());
            ProcessFigures figures = ProcessFigures.of(operator.pid());
            double serverSeconds = server.since();
            environment.stop(operator);
            policy.delete();
            return new ClusterRead(seconds, figures.peakMiB(), figures.cpuSeconds(), serverSeconds, violating, 0);
        }
    }

    /** Starts the operator with a policy that every pod violates, until a minute after all violations are due. */
    AllViolating allViolating() throws InterruptedException, IOException {
        environment.progress().say("every pod violates a rule that no node satisfies");
        BenchPolicy policy = BenchPolicy.impossible(environment.client(), FilledCluster.namespaces());
        BenchEnvironment.Launched launched = environment.launchOperator("operator-all-violating");
        try (OperatorProcess operator = launched.process()) {
            await(policy, pods, () -> policy.due() == pods);
            environment.stayQuiet(1);
            ProcessFigures figures = ProcessFigures.of(operator.pid());
            environment.stop(operator);
            policy.delete();
            return new AllViolating(
                    pods,
                    figures.peakMiB(),
                    AllViolating.limitMiB(environment.launch().flags()));
        }
    }

    /** Waits until the policy's status counts all pods and exactly the violating ones. */
    void awaitComplete(BenchPolicy policy) throws InterruptedException {
        await(policy, violating, () -> policy.selected() == pods && policy.violating() == violating);
    }

    private void await(BenchPolicy policy, int expected, BooleanSupplier isComplete) throws InterruptedException {
        Instant latest = environment.clock().instant().plus(TIMEOUT);
        while (!isComplete.getAsBoolean()) {
            if (environment.clock().instant().isAfter(latest)) {
                throw new BenchException("the operator reports that of " + policy.selected() + " pods "
                        + policy.violating() + " violate a rule, " + policy.due() + " of them are due, but " + expected
                        + " of " + pods + " do; its logs are in "
                        + environment.controlPlane().folder().resolve("logs"));
            }
            TimeUnit.NANOSECONDS.sleep(POLICY_POLL_INTERVAL.toNanos());
        }
    }

    private ClusterRead descheduler(int round) throws InterruptedException {
        ServerTime server = ServerTime.now(environment);
        Instant start = environment.clock().instant();
        try (Descheduler once =
                Descheduler.once(environment.controlPlane(), environment.client(), "descheduler-round-" + round)) {
            ProcessFigures last = ProcessFigures.of(once.pid());
            while (once.runs()) {
                last = figures(once, last);
                TimeUnit.NANOSECONDS.sleep(POLL_INTERVAL.toNanos());
            }
            double seconds = since(start);
            Set<String> stoppedAt = once.stoppedAt();
            Set<String> unplanted = new HashSet<>(stoppedAt);
            unplanted.removeAll(nodes);
            return new ClusterRead(
                    seconds,
                    last.peakMiB(),
                    last.cpuSeconds(),
                    server.since(),
                    stoppedAt.size() - unplanted.size(),
                    unplanted.size());
        }
    }

    /** {@return the memory and CPU time of the process now; the last known figures if the process has ended} */
    private static ProcessFigures figures(Descheduler running, ProcessFigures last) {
        try {
            return ProcessFigures.of(running.pid());
        } catch (IllegalStateException _) {
            return last;
        }
    }

    private double since(Instant start) {
        return Duration.between(start, environment.clock().instant()).toNanos() / NANOS;
    }
}
