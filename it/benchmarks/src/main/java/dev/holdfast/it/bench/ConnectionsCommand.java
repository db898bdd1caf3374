package dev.holdfast.it.bench;

import dev.holdfast.it.bench.connection.ClientBehavior;
import dev.holdfast.it.bench.connection.ServedPort.Scheme;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** The command {@code it/bench connections}. */
@Command(
        name = "connections",
        description = "Measures the operator while clients hold 1,000 connections to each of its ports open: the time"
                + " of its probes, whether a scrape gets through, and its memory. About four minutes.",
        sortOptions = false,
        mixinStandardHelpOptions = true)
final class ConnectionsCommand implements Callable<Integer> {
    @Option(
            names = "--connections",
            defaultValue = "1000",
            description = "Connections to each port. Default: ${DEFAULT-VALUE}.")
    private int connections;

    @Option(
            names = "--seconds",
            defaultValue = "6",
            description = "Seconds for which connections are held and opened again. Default: ${DEFAULT-VALUE}.")
    private int seconds;

    @Option(
            names = "--behaviors",
            split = ",",
            description = "What clients do: ${COMPLETION-CANDIDATES}. Default: all, one after the other.")
    private List<ClientBehavior> behaviors = List.of(ClientBehavior.values());

    @Option(
            names = "--metrics",
            split = ",",
            description = "How metrics are served: ${COMPLETION-CANDIDATES}. Default: both, one after the other.")
    private List<Scheme> metrics = List.of(Scheme.values());

    private final Path root;
    private final InstantSource clock;

    ConnectionsCommand(Path root, InstantSource clock) {
        this.root = root;
        this.clock = clock;
    }

    @Override
    public Integer call() throws InterruptedException {
        ConnectionsOptions options = new ConnectionsOptions(connections, seconds, behaviors, metrics);
        BenchRun bench = new ConnectionsBench(root, options, clock, new Progress(System.err, clock))::run;
        return bench.print(root);
    }
}
