package dev.holdfast.it.bench;

import dev.holdfast.it.bench.ScaleMeasurements.AllViolating;
import dev.holdfast.it.bench.ScaleMeasurements.ClusterRead;
import dev.holdfast.it.bench.ScaleMeasurements.CurlRead;
import dev.holdfast.it.bench.ScaleMeasurements.Round;
import dev.holdfast.it.bench.cluster.FilledCluster;
import dev.holdfast.it.bench.measure.ProcessFigures;
import dev.holdfast.it.bench.peer.Descheduler;
import dev.holdfast.it.controlplane.ChildProcesses;
import dev.holdfast.it.controlplane.Program;
import dev.holdfast.it.scenario.OperatorProcess;
import io.fabric8.kubernetes.client.Config;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Base64;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;

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
    private static final int POLL_MILLIS = 20;

    /** The time between two reads of the policy. More reads would distort the measured CPU time of the API server. */
    private static final Duration POLICY_POLL_INTERVAL = Duration.ofMillis(100);

    private static final int LOOK_SECONDS = 3;
    private static final int MOST_LOOKS = 100;

    /** kube-apiserver counts as busy if it uses at least this many CPU seconds per second. */
    private static final double BUSY = 0.1;

    /** Runs the given number of rounds and returns their measurements. Every second round runs in reverse order. */
    List<Round> play(int rounds, boolean peer) throws InterruptedException, IOException {
        List<Round> played = new ArrayList<>();
        for (int round = 1; round <= rounds; round++) {
            awaitRest();
            environment.say("round " + round + " of " + rounds);
            if (round % 2 == 1) {
                CurlRead floor = curl();
                ClusterRead holdfast = holdfast("operator-round-" + round);
                played.add(new Round(floor, holdfast, peer ? List.of(descheduler(round)) : List.of()));
            } else {
                List<ClusterRead> descheduler = peer ? List.of(descheduler(round)) : List.of();
                ClusterRead holdfast = holdfast("operator-round-" + round);
                played.add(new Round(curl(), holdfast, descheduler));
            }
        }
        return played;
    }

    /** Waits until kube-apiserver is almost idle, for at most five minutes. */
    private void awaitRest() throws InterruptedException {
        for (int looks = 0; looks < MOST_LOOKS; looks++) {
            double before = serverSeconds();
            TimeUnit.SECONDS.sleep(LOOK_SECONDS);
            if (serverSeconds() - before < BUSY * LOOK_SECONDS) {
                return;
            }
        }
        environment.say("kube-apiserver is still busy");
    }

    /** {@return the CPU time that kube-apiserver has used} */
    private double serverSeconds() {
        return ProcessFigures.of(environment.controlPlane().pid(Program.KUBE_APISERVER))
                .cpuSeconds();
    }

    /** Lists all pods once with curl, in protobuf over HTTP/1.1, and discards them: the lower bound for a read. */
    private CurlRead curl() throws IOException, InterruptedException {
        Config connection = environment.controlPlane().config();
        Path folder = environment.controlPlane().folder();
        // In a file, because all users of the machine can read the command line.
        Path headers = Files.writeString(
                folder.resolve("curl-headers"),
                "Authorization: Bearer " + connection.getAutoOAuthToken()
                        + "\nAccept: application/vnd.kubernetes.protobuf\n");
        Path authority = Files.write(
                folder.resolve("curl-authority.crt"), Base64.getMimeDecoder().decode(connection.getCaCertData()));
        Path errors = folder.resolve("logs/curl.log");
        // The API server takes curl's default User-Agent for an interactive user, and indents its answers.
        List<String> command = new ArrayList<>(
                List.of("curl", "--silent", "--show-error", "--fail", "--http1.1", "--user-agent", "bench"));
        command.addAll(List.of("--cacert", authority.toString(), "--header", "@" + headers));
        command.addAll(List.of("--output", "/dev/null", "--write-out", "%{time_total} %{size_download}"));
        command.add(connection.getMasterUrl() + "api/v1/pods");
        double server = serverSeconds();
        Process curl = ChildProcesses.start(new ProcessBuilder(command).redirectError(errors.toFile()));
        String written = new String(curl.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        if (curl.waitFor() != 0) {
            throw new IllegalStateException("curl, which must be on the PATH, failed: " + Files.readString(errors));
        }
        String[] figures = written.split(" ", 2);
        return new CurlRead(Double.parseDouble(figures[0]), Long.parseLong(figures[1]), serverSeconds() - server);
    }

    private ClusterRead holdfast(String name) {
        BenchPolicy policy = BenchPolicy.create(environment.client(), FilledCluster.namespaces());
        double server = serverSeconds();
        BenchEnvironment.Launched launched = environment.launchOperator(name);
        try (OperatorProcess operator = launched.process()) {
            awaitComplete(policy);
            double seconds = environment.since(launched.at());
            ProcessFigures figures = ProcessFigures.of(operator.pid());
            double ofServer = serverSeconds() - server;
            environment.stop(operator);
            policy.delete();
            return new ClusterRead(seconds, figures.peakMiB(), figures.cpuSeconds(), ofServer, violating, 0);
        }
    }

    /** Starts the operator with a policy that every pod violates, until a minute after all violations are due. */
    AllViolating allViolating() throws InterruptedException {
        environment.say("every pod violates a rule that no node satisfies");
        BenchPolicy policy = BenchPolicy.impossible(environment.client(), FilledCluster.namespaces());
        try (OperatorProcess operator =
                environment.launchOperator("operator-all-violating").process()) {
            await(pods + " violations are due", () -> policy.due() == pods);
            environment.stayQuiet(1);
            ProcessFigures figures = ProcessFigures.of(operator.pid());
            environment.stop(operator);
            policy.delete();
            return new AllViolating(pods, figures.peakMiB(), environment.limitMiB());
        }
    }

    /** Waits until the policy's status counts all pods and exactly the violating ones. */
    void awaitComplete(BenchPolicy policy) {
        await(
                "the policy's status counts " + violating + " violating pods of " + pods,
                () -> policy.selected() == pods && policy.violating() == violating);
    }

    private void await(String what, Callable<Boolean> isSo) {
        environment.await(what, TIMEOUT, POLICY_POLL_INTERVAL, isSo);
    }

    private ClusterRead descheduler(int round) throws InterruptedException {
        double server = serverSeconds();
        Instant start = environment.clock().instant();
        try (Descheduler once =
                Descheduler.once(environment.controlPlane(), environment.client(), "descheduler-round-" + round)) {
            ProcessFigures last = ProcessFigures.of(once.pid());
            while (once.runs()) {
                last = figures(once, last);
                TimeUnit.MILLISECONDS.sleep(POLL_MILLIS);
            }
            double seconds = environment.since(start);
            Set<String> found = once.stoppedAt();
            Set<String> unplanted = new HashSet<>(found);
            unplanted.removeAll(nodes);
            return new ClusterRead(
                    seconds,
                    last.peakMiB(),
                    last.cpuSeconds(),
                    serverSeconds() - server,
                    found.size() - unplanted.size(),
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
}
