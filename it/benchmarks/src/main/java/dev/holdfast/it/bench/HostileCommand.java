package dev.holdfast.it.bench;

import dev.holdfast.it.bench.cluster.HostileKind;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** The command {@code it/bench hostile}. */
@Command(
        name = "hostile",
        description = "Measures the operator while the cluster gets 2,000 objects of each kind that the operator reads,"
                + " each as large as kube-apiserver and etcd accept, one kind after the other: whether it goes on, its"
                + " memory, and the time to report a change. About an hour, 20 GiB of memory and 10 GiB of disk by"
                + " default. Nothing else should run on the machine meanwhile.",
        sortOptions = false,
        mixinStandardHelpOptions = true)
final class HostileCommand implements Callable<Integer> {
    @Option(names = "--nodes", defaultValue = "5000", description = "Nodes. Default: ${DEFAULT-VALUE}.")
    private int nodes;

    @Option(names = "--pods", defaultValue = "150000", description = "Pods. Default: ${DEFAULT-VALUE}.")
    private int pods;

    @Option(
            names = "--objects",
            defaultValue = "2000",
            description = "Large objects of each kind. Default: ${DEFAULT-VALUE}.")
    private int objects;

    @Option(names = "--kinds", split = ",", description = "The kinds: ${COMPLETION-CANDIDATES}. Default: all.")
    private List<HostileKind> kinds = List.of(HostileKind.values());

    @Option(
            names = "--samples",
            defaultValue = "100",
            description = "Changes that break a rule, 20 a second including those that heal it. Default:"
                    + " ${DEFAULT-VALUE}.")
    private int samples;

    @Option(
            names = "--seed",
            defaultValue = "1",
            description = "Seed for the nodes of pods and the order of changes. Default: ${DEFAULT-VALUE}.")
    private long seed;

    private final Path root;
    private final InstantSource clock;

    HostileCommand(Path root, InstantSource clock) {
        this.root = root;
        this.clock = clock;
    }

    @Override
    public Integer call() throws InterruptedException {
        HostileOptions options = new HostileOptions(nodes, pods, objects, kinds, samples, seed);
        BenchRun bench = new HostileBench(root, options, clock, new Progress(System.err, clock))::run;
        return bench.print(root);
    }
}
