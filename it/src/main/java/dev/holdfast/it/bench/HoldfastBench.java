package dev.holdfast.it.bench;

import static org.awaitility.Awaitility.await;

import dev.holdfast.it.bench.Site.Started;
import dev.holdfast.it.bench.cluster.BenchCluster;
import dev.holdfast.it.bench.cluster.Change;
import dev.holdfast.it.bench.cluster.Planted;
import dev.holdfast.it.bench.cluster.Planter;
import dev.holdfast.it.bench.measure.ApiCalls;
import dev.holdfast.it.bench.measure.BareWatch;
import dev.holdfast.it.bench.measure.Detection;
import dev.holdfast.it.bench.measure.OperatorLog;
import dev.holdfast.it.bench.measure.ProcessFigures;
import dev.holdfast.it.bench.measure.Told;
import dev.holdfast.it.bench.report.ChangeFigures;
import dev.holdfast.it.bench.report.HoldfastFigures;
import dev.holdfast.it.bench.report.OperatorBenchOptions;
import dev.holdfast.it.bench.report.Starts;
import dev.holdfast.it.scenario.OperatorProcess;
import dev.holdfast.policies.rule.RuleKind;
import io.fabric8.kubernetes.client.dsl.base.ResourceDefinitionContext;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.awaitility.core.ConditionTimeoutException;

/** Measures the operator. */
final class HoldfastBench {
    private static final Duration SYNC = Duration.ofMinutes(2);
    private static final Duration LAST_RECORDS = Duration.ofSeconds(30);
    private static final Duration AFTER_THE_LAST = Duration.ofSeconds(2);
    private static final Duration GLANCE = Duration.ofMillis(250);

    /** What the operator had to say of the changes is said by then: it sums up left-out events once a minute. */
    private static final Duration SETTLED = Duration.ofSeconds(70);

    private static final Duration LONGEST_SETTLING = Duration.ofMinutes(5);

    private static final ResourceDefinitionContext POLICIES = new ResourceDefinitionContext.Builder()
            .withGroup("holdfast.dev")
            .withVersion("v1alpha1")
            .withKind("ClusterPlacementPolicy")
            .withPlural("clusterplacementpolicies")
            .withNamespaced(false)
            .build();

    /** Enforces, so that all that enforcing needs is at work, but forgives longer than the bench lasts. */
    private static final String POLICY = """
        apiVersion: holdfast.dev/v1alpha1
        kind: ClusterPlacementPolicy
        metadata: {name: bench}
        spec:
          mode: Enforce
          podSelector: {}
          namespaceSelector: {matchLabels: {kubernetes.io/metadata.name: %s}}
          forgivenessSeconds: 86400
        """.formatted(BenchCluster.NAMESPACE);

    private final Site site;
    private final OperatorBenchOptions options;

    HoldfastBench(Site site, OperatorBenchOptions options) {
        this.site = site;
        this.options = options;
    }

    /** {@return how long each of the starts took, on a cluster with neither nodes nor pods nor policies} */
    Starts startOnEmpty() throws InterruptedException {
        List<Double> millis = new ArrayList<>();
        for (int i = 1; i <= options.starts(); i++) {
            Started started = site.startOperator("operator-start-" + i);
            site.stop(started.process());
            millis.add(started.millis());
        }
        return Starts.of(millis);
    }

    /** {@return all figures} Takes the quiet minutes and some. */
    HoldfastFigures measure(Starts startOnEmpty, BenchCluster cluster) throws InterruptedException, IOException {
        site.client()
                .load(new ByteArrayInputStream(POLICY.getBytes(StandardCharsets.UTF_8)))
                .create();
        site.progress().say("starting the operator on the full cluster");
        Started started = site.startOperator("operator");
        try (OperatorProcess operator = started.process()) {
            awaitSync();
            ProcessFigures afterSync = ProcessFigures.of(operator.pid());
            ChangeFigures changes = change(operator, cluster);
            ProcessFigures afterChanges = ProcessFigures.of(operator.pid());
            settle();
            Instant from = site.clock().instant();
            site.stayQuiet(options.quietMinutes());
            Instant to = site.clock().instant();
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
                    quiet(from, to));
        }
    }

    private void awaitSync() {
        try {
            await().atMost(SYNC)
                    .pollInterval(GLANCE)
                    .until(() -> pods("selected") == options.pods() && pods("violating") == 0);
        } catch (ConditionTimeoutException e) {
            throw new BenchException(
                    "the operator says that of " + pods("selected") + " pods " + pods("violating")
                            + " violate a rule, where none of " + options.pods() + " does",
                    e);
        }
    }

    private int pods(String count) {
        Object value = site.client()
                .genericKubernetesResources(POLICIES)
                .withName("bench")
                .require()
                .get("status", "pods", count);
        return value instanceof Number number ? number.intValue() : -1;
    }

    private ChangeFigures change(OperatorProcess operator, BenchCluster cluster)
            throws InterruptedException, IOException {
        List<Change> changes = cluster.changes()
                .inTurns(List.of(RuleKind.values()), options.samples(), Planter.APART, new Random(options.seed()));
        int before = operator.log().size();
        site.progress().say(changes.size() + " changes that break something, and as many that heal");
        try (BareWatch pods = site.watch("pods");
                BareWatch nodes = site.watch("nodes")) {
            List<Planted> planted = new Planter(cluster, site.clock()).steadily(changes, options.perSecond());
            List<Told> told = told(operator, before, planted);
            Map<String, Instant> watched = new HashMap<>(pods.seen());
            watched.putAll(nodes.seen());
            Detection detection = Detection.of(planted, watched, told);
            if (!detection.faults().isEmpty()) {
                throw new BenchException(detection.faults().size()
                        + " of the violations planted and recorded do not match; the first: "
                        + detection.faults().getFirst());
            }
            return ChangeFigures.of(detection.samples());
        }
    }

    /** {@return what it recorded since, once it is as much as was planted, and a while later, or too late} */
    private static List<Told> told(OperatorProcess operator, int before, List<Planted> planted) {
        int expected =
                planted.stream().mapToInt(one -> one.change().broken().size()).sum();
        try {
            await().atMost(LAST_RECORDS)
                    .pollInterval(GLANCE)
                    .until(() -> since(operator, before).size() >= expected);
        } catch (ConditionTimeoutException _) {
            return since(operator, before);
        }
        // Whatever is recorded beyond that would come now.
        await().pollDelay(AFTER_THE_LAST).until(() -> true);
        return since(operator, before);
    }

    private static List<Told> since(OperatorProcess operator, int before) {
        List<String> log = operator.log();
        return OperatorLog.read(log.subList(before, log.size()));
    }

    /** Waits until the changes have left no more to be said; the quiet minutes show it if that is never so. */
    private void settle() {
        site.progress().say("waiting until nothing is left to be said of the changes");
        String user = site.chart().user();
        Instant begun = site.clock().instant();
        try {
            await().atMost(LONGEST_SETTLING).pollInterval(Duration.ofSeconds(1)).until(() -> {
                Instant now = site.clock().instant();
                Instant from = now.minus(SETTLED);
                return !begun.isAfter(from)
                        && ApiCalls.of(site.trail().records(), user, from, now)
                                .beyondRenewals()
                                .isEmpty();
            });
        } catch (ConditionTimeoutException _) {
            site.progress().say("it does not fall quiet by itself");
        }
    }

    private ApiCalls quiet(Instant from, Instant to) throws InterruptedException {
        ApiCalls calls = site.calls(site.chart().user(), from, to);
        if (calls.requests().getOrDefault("update leases", 0) == 0) {
            throw new BenchException("the audit log shows no renewal of the lease in the quiet minutes");
        }
        return calls;
    }
}
