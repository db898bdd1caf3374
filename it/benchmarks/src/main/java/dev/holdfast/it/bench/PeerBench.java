package dev.holdfast.it.bench;

import static org.awaitility.Awaitility.await;

import dev.holdfast.it.bench.cluster.BenchCluster;
import dev.holdfast.it.bench.cluster.Change;
import dev.holdfast.it.bench.cluster.Patches;
import dev.holdfast.it.bench.cluster.Planted;
import dev.holdfast.it.bench.cluster.Planter;
import dev.holdfast.it.bench.cluster.Step;
import dev.holdfast.it.bench.measure.ApiCalls;
import dev.holdfast.it.bench.measure.BareWatch;
import dev.holdfast.it.bench.measure.Detection;
import dev.holdfast.it.bench.measure.ProcessFigures;
import dev.holdfast.it.bench.measure.Sample;
import dev.holdfast.it.bench.measure.Summary;
import dev.holdfast.it.bench.measure.Told;
import dev.holdfast.it.bench.peer.Descheduler;
import dev.holdfast.it.bench.report.OperatorBenchOptions;
import dev.holdfast.it.bench.report.PeerFigures;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import org.awaitility.core.ConditionTimeoutException;

/** Measures the descheduler on the same cluster. */
final class PeerBench {
    private static final Duration SYNC = Duration.ofMinutes(2);
    private static final Duration GLANCE = Duration.ofMillis(100);

    /** A change that it has not noticed after so many looks it does not notice at all. */
    private static final int LOOKS = 3;

    private final Site site;
    private final OperatorBenchOptions options;

    PeerBench(Site site, OperatorBenchOptions options) {
        this.site = site;
        this.options = options;
    }

    /** {@return all figures} Takes some seconds a sample, and its quiet minutes. */
    PeerFigures measure(BenchCluster cluster) throws InterruptedException, IOException {
        site.progress().say("starting the descheduler");
        try (Descheduler peer = Descheduler.start(site.controlPlane(), site.client())) {
            await("its second look").atMost(SYNC).until(() -> peer.cycles() >= 2);
            ProcessFigures afterSync = ProcessFigures.of(peer.pid());
            site.progress().say(options.peerSamples() + " changes, one by one");
            List<Optional<Sample>> samples = new ArrayList<>();
            List<String> missed = new ArrayList<>();
            Random random = new Random(options.seed());
            List<Change> changes =
                    cluster.changes().inTurns(Descheduler.KINDS, options.peerSamples(), Planter.APART, random);
            for (int i = 0; i < changes.size(); i++) {
                // At any moment between two of its looks.
                TimeUnit.MILLISECONDS.sleep(random.nextLong(Descheduler.INTERVAL.toMillis()));
                Change change = changes.get(i);
                Optional<Sample> sample =
                        sample(peer, new Planter(new Patches(site.client()), site.clock()), i, change);
                samples.add(sample);
                if (sample.isEmpty()) {
                    missed.add(change.broken().iterator().next().rule().label());
                }
            }
            ProcessFigures afterChanges = ProcessFigures.of(peer.pid());
            Instant from = site.clock().instant();
            site.stayQuiet(options.peerQuietMinutes());
            Instant to = site.clock().instant();
            peer.stop();
            return figures(
                    samples.stream().flatMap(Optional::stream).toList(),
                    missed,
                    afterSync,
                    afterChanges,
                    site.calls(Descheduler.user(), from, to));
        }
    }

    private Optional<Sample> sample(Descheduler peer, Planter planter, int number, Change change)
            throws InterruptedException, IOException {
        try (BareWatch pods = site.watch("pods");
                BareWatch nodes = site.watch("nodes")) {
            Planted planted = planter.plant(number, change, Step.BREAK);
            Optional<Instant> noticed = noticed(peer, change, planted.sent());
            var _ = planter.plant(number, change, Step.HEAL);
            Map<String, Instant> watched = new HashMap<>(pods.seen());
            watched.putAll(nodes.seen());
            return noticed.map(at -> sample(planted, watched, at));
        }
    }

    private static Sample sample(Planted planted, Map<String, Instant> watched, Instant noticed) {
        List<Told> told = planted.change().broken().stream()
                .map(broken -> new Told(noticed, Step.BREAK, broken))
                .toList();
        Detection detection = Detection.of(List.of(planted), watched, told);
        return detection.samples().stream()
                .findFirst()
                .orElseThrow(() -> new BenchException(detection.faults().getFirst()));
    }

    private static Optional<Instant> noticed(Descheduler peer, Change change, Instant after) {
        try {
            return await().atMost(Descheduler.INTERVAL.multipliedBy(LOOKS))
                    .pollInterval(GLANCE)
                    .until(() -> peer.named(BenchCluster.NAMESPACE, change.pods(), after), Optional::isPresent);
        } catch (ConditionTimeoutException _) {
            return Optional.empty();
        }
    }

    private PeerFigures figures(
            List<Sample> samples,
            List<String> missed,
            ProcessFigures afterSync,
            ProcessFigures afterChanges,
            ApiCalls quiet) {
        if (samples.isEmpty()) {
            throw new BenchException("the descheduler noticed none of the changes; its log is in "
                    + site.controlPlane().folder().resolve("logs"));
        }
        return new PeerFigures(
                "descheduler",
                Descheduler.version(),
                Descheduler.INTERVAL.toSeconds(),
                afterSync,
                afterChanges,
                Summary.of(samples.stream().map(Sample::watched).toList()),
                Summary.of(samples.stream().map(Sample::recorded).toList()),
                missed,
                samples,
                quiet);
    }
}
