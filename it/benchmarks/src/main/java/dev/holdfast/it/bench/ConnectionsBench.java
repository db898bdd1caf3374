package dev.holdfast.it.bench;

import dev.holdfast.it.bench.connection.ClientBehavior;
import dev.holdfast.it.bench.connection.ServedPort.Scheme;
import dev.holdfast.it.bench.report.Figure;
import dev.holdfast.it.bench.report.Report;
import dev.holdfast.it.bench.report.RunInfo;
import java.io.IOException;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;

/**
 * The bench {@code it/bench connections}. For each behavior of clients it starts an operator as the chart starts it, and
 * measures it while the clients hold connections to all its ports open.
 */
final class ConnectionsBench {
    private final Path root;
    private final ConnectionsOptions options;
    private final InstantSource clock;
    private final Progress progress;

    /**
     * @param root the built repository; the files of the control plane stay in its folder it/target/bench
     */
    ConnectionsBench(Path root, ConnectionsOptions options, InstantSource clock, Progress progress) {
        this.root = root;
        this.options = options;
        this.clock = clock;
        this.progress = progress;
    }

    /** The raw samples of the report. */
    private record Outcomes(List<ConnectionsOutcome> outcomes) {}

    Report run() throws InterruptedException, IOException {
        RunInfo run = RunInfo.now("connections", root, options, clock);
        List<ConnectionsOutcome> outcomes = new ArrayList<>();
        for (Scheme metrics : options.metrics()) {
            outcomes.addAll(BenchEnvironment.use(
                    root, settings(metrics), clock, progress, (environment, _) -> play(environment, metrics)));
        }
        List<Figure> figures =
                outcomes.stream().flatMap(it -> it.figures().stream()).toList();
        return new Report(run, figures, new Outcomes(outcomes));
    }

    private static List<String> settings(Scheme metrics) {
        return switch (metrics) {
            case HTTP -> List.of();
            case HTTPS -> List.of("config.metrics.secure=true");
        };
    }

    private List<ConnectionsOutcome> play(BenchEnvironment environment, Scheme metrics)
            throws InterruptedException, IOException {
        MetricsReader reader = MetricsReader.create(environment, metrics);
        List<ConnectionsOutcome> outcomes = new ArrayList<>();
        for (ClientBehavior behavior : options.behaviors()) {
            outcomes.add(new ConnectionsRound(environment, options, metrics, behavior, reader).play());
        }
        return outcomes;
    }
}
