package dev.holdfast.it.bench;

import dev.holdfast.it.bench.measure.ProcessFigures;
import dev.holdfast.it.bench.measure.Summary;
import dev.holdfast.it.bench.peer.Descheduler;
import dev.holdfast.it.bench.report.Figure;
import dev.holdfast.it.bench.report.Report;
import dev.holdfast.it.bench.report.Unit;
import dev.holdfast.it.controlplane.ChildProcesses;
import dev.holdfast.it.controlplane.Program;
import dev.holdfast.it.scenario.OperatorProcess;
import io.fabric8.kubernetes.client.Config;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Base64;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.function.ToDoubleFunction;

/**
 * The reads of the scale bench: curl, the operator and the descheduler read the whole cluster one after the other. Each
 * is measured from the start of its process.
 */
final class ClusterReads {
    private static final int LOOK_SECONDS = 3;
    private static final int MOST_LOOKS = 100;
    private static final double MILLIS = 1_000;

    /** No pod of the cluster is smaller. */
    private static final long LEAST_BYTES = 1_000;

    /** kube-apiserver counts as busy if it uses at least this many CPU seconds per second. */
    private static final double BUSY = 0.1;

    private final BenchEnvironment environment;
    private final int pods;
    private final int violating;
    private final Set<String> nodes;
    private final boolean peer;
    private final List<ClusterRead> curl = new ArrayList<>();
    private final List<ClusterRead> holdfast = new ArrayList<>();
    private final List<ClusterRead> descheduler = new ArrayList<>();

    /**
     * @param pods how many pods the policy's status must count
     * @param violating how many of these pods violate a rule
     * @param nodes the names of the nodes of the violating pods
     * @param peer whether the descheduler reads too
     */
    ClusterReads(BenchEnvironment environment, int pods, int violating, Set<String> nodes, boolean peer) {
        this.environment = environment;
        this.pods = pods;
        this.violating = violating;
        this.nodes = Set.copyOf(nodes);
        this.peer = peer;
    }

    /**
     * One complete read of the cluster, measured from the start of the reader's process.
     *
     * @param seconds the duration; for the operator, until the policy's status counted all pods and all violations; for
     *     curl and the descheduler, until it ended
     * @param process the process at the end; all 0 for curl
     * @param serverCpuSeconds the CPU time of kube-apiserver during the read
     * @param found how many of the planned violations were found; 0 for curl, which looks for none. For the operator it
     *     is the number of violating pods. The descheduler stops at the first violating pod of a node, so for it these
     *     nodes are counted
     */
    private record ClusterRead(double seconds, ProcessFigures process, double serverCpuSeconds, int found) {}

    /** Lets each reader read this many times. Every second round runs in reverse order. */
    void play(int rounds) throws InterruptedException, IOException {
        for (int round = 1; round <= rounds; round++) {
            awaitRest();
            environment.say("round " + round + " of " + rounds);
            if (round % 2 == 1) {
                curl.add(curl());
                holdfast.add(holdfast("operator-round-" + round));
            }
            if (peer) {
                descheduler.add(descheduler("descheduler-round-" + round));
            }
            if (round % 2 == 0) {
                holdfast.add(holdfast("operator-round-" + round));
                curl.add(curl());
            }
        }
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
    private ClusterRead curl() throws IOException, InterruptedException {
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
        String[] answer = new String(curl.getInputStream().readAllBytes(), StandardCharsets.UTF_8).split(" ", -1);
        if (curl.waitFor() != 0) {
            throw new IllegalStateException("curl, which must be on the PATH, failed: " + Files.readString(errors));
        }
        if (Long.parseLong(answer[1]) < LEAST_BYTES * pods) {
            throw new IllegalStateException("curl read " + answer[1] + " bytes, which are not " + pods + " pods");
        }
        return new ClusterRead(Double.parseDouble(answer[0]), new ProcessFigures(0, 0, 0), serverSeconds() - server, 0);
    }

    private ClusterRead holdfast(String name) {
        BenchPolicy policy = BenchPolicy.create(environment.client());
        double server = serverSeconds();
        BenchEnvironment.Launched launched = environment.launchOperator(name);
        try (OperatorProcess operator = launched.process()) {
            environment.awaitComplete(policy, pods, violating);
            double seconds = environment.since(launched.at());
            ProcessFigures process = ProcessFigures.of(operator.pid());
            double ofServer = serverSeconds() - server;
            environment.stop(operator);
            policy.delete();
            return new ClusterRead(seconds, process, ofServer, violating);
        }
    }

    private ClusterRead descheduler(String name) throws InterruptedException {
        Path log = environment.controlPlane().folder().resolve("logs/" + name + ".log");
        double server = serverSeconds();
        Instant start = environment.clock().instant();
        Process process = Descheduler.start(environment.controlPlane(), environment.client(), log);
        ProcessFigures last = ProcessFigures.untilEnd(process);
        double seconds = environment.since(start);
        if (process.exitValue() != 0) {
            throw new IllegalStateException(
                    "the descheduler ended with exit code " + process.exitValue() + "; its log is " + log);
        }
        Set<String> found = new HashSet<>(Descheduler.stoppedAt(log));
        found.retainAll(nodes);
        return new ClusterRead(seconds, last, serverSeconds() - server, found.size());
    }

    /**
     * Adds the figures of all reads to the report.
     *
     * @param peakMiB the operator's peak of resident memory after it had listed everything twice
     */
    void report(Report report, double peakMiB) {
        double floor = median(curl, ClusterRead::seconds);
        double ofServer = median(curl, ClusterRead::serverCpuSeconds);
        double peak =
                holdfast.stream().mapToDouble(read -> read.process().peakMiB()).reduce(peakMiB, Math::max);
        Figure first = Figure.median(
                "P7", "start to first complete evaluation, median", holdfast, ClusterRead::seconds, Unit.SECONDS);
        reads(report, "curl, a list of all pods", "", report.raw("curl", curl));
        reads(report, "Holdfast", "pods in violation found", report.raw("holdfast", holdfast));
        reads(report, "descheduler", "nodes with such pods found", report.raw("descheduler", descheduler));
        report.add(
                first.atMost(10),
                Figure.ratio("P7", "first evaluation relative to curl's list", first.value(), floor),
                Figure.of("P8", "peak of resident memory, everything listed twice", peak, Unit.MEBIBYTES)
                        .atMost(320),
                Figure.ratio(
                                "P14",
                                "kube-apiserver's CPU for a start relative to one list",
                                median(holdfast, ClusterRead::serverCpuSeconds),
                                ofServer)
                        .atMost(1.2));
        if (peer) {
            double run = median(descheduler, ClusterRead::seconds);
            double ofPeer = median(descheduler, read -> read.process().peakMiB());
            report.add(
                    Figure.ratio("P7", "first evaluation relative to the descheduler's run", first.value(), run)
                            .atMost(0.33),
                    Figure.ratio("P8", "the descheduler's peak relative to that", ofPeer, peak)
                            .atLeast(12));
        }
    }

    private static void reads(Report report, String reader, String found, List<ClusterRead> reads) {
        if (reads.isEmpty()) {
            return;
        }
        String by = reader + ", ";
        report.add(
                Figure.median("reads", by + "time", reads, ClusterRead::seconds, Unit.SECONDS),
                Figure.median(
                        "reads", by + "CPU of kube-apiserver", reads, ClusterRead::serverCpuSeconds, Unit.SECONDS));
        if (!found.isEmpty()) {
            report.add(
                    Figure.median(
                            "reads", by + "CPU", reads, read -> read.process().cpuSeconds(), Unit.SECONDS),
                    Figure.median(
                            "reads",
                            by + "peak of resident memory",
                            reads,
                            read -> read.process().peakMiB(),
                            Unit.MEBIBYTES),
                    Figure.median("reads", by + found, reads, ClusterRead::found, Unit.COUNT));
        }
    }

    /** Adds the ratio of the descheduler's run to the time until the operator has recorded a change. */
    void compareWith(double recordedMillis, Report report) {
        if (peer) {
            double run = median(descheduler, ClusterRead::seconds);
            report.add(Figure.ratio(
                            "P6",
                            "descheduler run relative to a recorded change, medians",
                            run,
                            recordedMillis / MILLIS)
                    .atLeast(100));
        }
    }

    private static double median(List<ClusterRead> reads, ToDoubleFunction<ClusterRead> number) {
        return Summary.of(reads.stream().map(number::applyAsDouble).toList()).p50();
    }
}
