package dev.holdfast.it.bench;

import static org.awaitility.Awaitility.await;

import dev.holdfast.it.bench.Site.Started;
import dev.holdfast.it.bench.cluster.BenchCluster;
import dev.holdfast.it.bench.cluster.Planter;
import dev.holdfast.it.bench.measure.ProcessFigures;
import dev.holdfast.it.bench.report.ChangeFigures;
import dev.holdfast.it.bench.report.HoldfastFigures;
import dev.holdfast.it.bench.report.OperatorBenchOptions;
import dev.holdfast.it.bench.report.Starts;
import dev.holdfast.it.scenario.OperatorProcess;
import dev.holdfast.policies.rule.RuleKind;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Random;
import org.awaitility.core.ConditionTimeoutException;

/** Measures the operator. */
final class HoldfastBench {
    private static final Duration SYNC = Duration.ofMinutes(2);
    private static final Duration GLANCE = Duration.ofMillis(250);

    private final Site site;
    private final OperatorBenchOptions options;

    HoldfastBench(Site site, OperatorBenchOptions options) {
        this.site = site;
        this.options = options;
    }

    /** {@return all figures} Takes the quiet minutes and some. */
    HoldfastFigures measure(Starts startOnEmpty, BenchCluster cluster) throws InterruptedException, IOException {
        BenchPolicy policy = BenchPolicy.create(
                site.client(), "{matchLabels: {kubernetes.io/metadata.name: " + BenchCluster.NAMESPACE + "}}");
        site.progress().say("starting the operator on the full cluster");
        Started started = site.startOperator("operator");
        try (OperatorProcess operator = started.process()) {
            awaitSync(policy);
            ProcessFigures afterSync = ProcessFigures.of(operator.pid());
            ChangeFigures changes = new ChangeBench(site)
                    .measure(
                            operator,
                            cluster.changes()
                                    .inTurns(
                                            List.of(RuleKind.values()),
                                            options.samples(),
                                            Planter.APART,
                                            new Random(options.seed())),
                            options.perSecond());
            ProcessFigures afterChanges = ProcessFigures.of(operator.pid());
            Quiet.Minutes quiet = Quiet.pass(site, options.quietMinutes());
            ProcessFigures afterQuiet = ProcessFigures.of(operator.pid());
            if (!operator.isReady()) {
                throw new BenchException("the operator was not ready any more at the end of the quiet minutes");
            }
            site.stop(operator);
            return new HoldfastFigures(
                    site.launch().flags(),
                    startOnEmpty,
                    started.millis(),
                    afterSync,
                    afterChanges,
                    afterQuiet,
                    changes,
                    Quiet.calls(site, quiet));
        }
    }

    private void awaitSync(BenchPolicy policy) {
        try {
            await().atMost(SYNC)
                    .pollInterval(GLANCE)
                    .until(() -> policy.selected() == options.pods() && policy.violating() == 0);
        } catch (ConditionTimeoutException e) {
            throw new BenchException(
                    "the operator says that of " + policy.selected() + " pods " + policy.violating()
                            + " violate a rule, where none of " + options.pods() + " does",
                    e);
        }
    }
}
