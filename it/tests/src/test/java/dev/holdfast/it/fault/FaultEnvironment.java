package dev.holdfast.it.fault;

import static dev.holdfast.it.scenario.StageDefaults.ON_SSD;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.holdfast.it.chart.InstalledChart;
import dev.holdfast.it.controlplane.AuditRecord;
import dev.holdfast.it.controlplane.AuditTrail;
import dev.holdfast.it.controlplane.ControlPlane;
import dev.holdfast.it.controlplane.TimeLimits;
import dev.holdfast.it.scenario.OperatorProcess;
import dev.holdfast.it.scenario.PodRemovals;
import dev.holdfast.it.scenario.Stage;
import dev.holdfast.it.shell.FeedCollector;
import dev.holdfast.operator.feed.ClusterFeed;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.ConfigBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import io.fabric8.kubernetes.client.internal.SSLUtils;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.security.GeneralSecurityException;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.Callable;

/**
 * A control plane with the chart installed and a proxy in front of it. Two clients use the proxy: an operator with the
 * rights of the chart's ServiceAccount, and, in this process, the same feeds with a {@link FeedCollector}.
 *
 * <p>On each stage a Deployment's pod must be on a node with {@code disk=ssd}; at first it is on {@code n1}.
 */
final class FaultEnvironment implements AutoCloseable {
    /** Long enough that also a slow test plays its fault before the pod is due. */
    static final Duration FORGIVENESS = Duration.ofSeconds(10);

    /**
     * How long an operator watches before it acts. Before that, a test that expects no eviction would prove nothing.
     */
    private static final Duration FIRST_WATCH = Duration.ofSeconds(30);

    private static final Duration POLL_INTERVAL = Duration.ofMillis(100);

    private final ControlPlane controlPlane = ControlPlane.start();
    private final InstantSource clock = InstantSource.system();
    private final KubernetesClient client =
            new KubernetesClientBuilder().withConfig(controlPlane.config()).build();
    private final InstalledChart chart =
            InstalledChart.install(controlPlane, "holdfast", "enforcement.enabled=true", Stage.MANY_STAGES);
    private final AuditTrail trail = controlPlane.auditTrail();
    private final FaultProxy proxy = new FaultProxy(controlPlane);
    private final Path kubeconfig = controlPlane.folder().resolve("through-the-proxy.kubeconfig");
    private final FeedCollector feedCollector = new FeedCollector();
    private final Map<String, PodRemovals> left = new LinkedHashMap<>();
    private final List<Stage> withShortPauses = new ArrayList<>();
    private final String name;
    private final ClusterFeed feed;
    private OperatorProcess operator;

    /** Since when the operator has been ready; absent if it was not at the last check. */
    private Optional<Instant> readySince = Optional.empty();

    /**
     * @param name of the file for the operator's output
     */
    FaultEnvironment(String name) {
        this.name = name;
        newToken();
        Config seen = new ConfigBuilder(ControlPlane.config(kubeconfig))
                .withUserAgent("sink")
                .build();
        feed = new ClusterFeed(seen, clock, feedCollector, (_, death) -> {
            throw new AssertionError(death);
        });
        feed.start();
        operator = startOperator();
        until("the operator is ready", () -> operator.isReady() && leads());
    }

    private void keepLog() {
        try {
            Files.write(Path.of("target", name + "-operator.log"), operator.log());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private OperatorProcess startOperator() {
        readySince = Optional.empty();
        return OperatorProcess.start(
                kubeconfig, chart.config(), controlPlane.folder().resolve("logs/operator.log"));
    }

    /** {@return whether the operator is ready, and has been since it watched long enough to act} */
    private boolean hasWatched() {
        if (!isReady() || !leads()) {
            readySince = Optional.empty();
            return false;
        }
        Instant since = readySince.orElseGet(this::now);
        readySince = Optional.of(since);
        return !now().isBefore(since.plus(FIRST_WATCH));
    }

    /** Stops the operator with SIGTERM, as Kubernetes does, and starts another one. */
    void restartOperator() {
        assertThat(operator.stop()).as("exit code after SIGTERM").isZero();
        operator = startOperator();
    }

    /**
     * Waits until the operator has ended by itself, and starts another one, as a kubelet does.
     *
     * @return the exit code of the first operator
     */
    int awaitEnd() {
        int code = operator.exitCode();
        operator = startOperator();
        return code;
    }

    /** {@return a new token; the operator and the feeds use it from now on} */
    String newToken() {
        String token = chart.token();
        String direct = controlPlane.config().getMasterUrl().replaceAll("/+$", "");
        Path written = controlPlane.kubeconfig("holdfast", token);
        try {
            Path beside = Files.writeString(
                    kubeconfig.resolveSibling("new.kubeconfig"),
                    Files.readString(written).replace(direct, proxy.url()));
            Files.move(beside, kubeconfig, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return token;
    }

    FaultProxy proxy() {
        return proxy;
    }

    ControlPlane controlPlane() {
        return controlPlane;
    }

    KubernetesClient client() {
        return client;
    }

    FeedCollector feedCollector() {
        return feedCollector;
    }

    String user() {
        return chart.user();
    }

    /** {@return how often the operator has listed a kind} */
    ListTraffic.Lists lists(String resource) {
        return proxy.listTraffic().lists(controlPlane.config().getUserAgent(), resource);
    }

    Instant now() {
        return clock.instant();
    }

    void until(String what, Callable<Boolean> condition) {
        await(what)
                .atMost(TimeLimits.STATE)
                .pollInterval(POLL_INTERVAL)
                .ignoreExceptions()
                .until(condition);
    }

    /** {@return a stage without violations} */
    Stage stage(String name) {
        Stage stage = unheld(name);
        hold(stage);
        return stage;
    }

    /**
     * {@return a stage without violations} Resets the feeds' backoff to short pauses: their watches resume at the
     * revision where they were cut.
     */
    Stage stageWithShortPauses(String name) {
        Stage stage = stage(name);
        withShortPauses.add(stage);
        // Not the watches of policies: their loss would also hold evictions for a while.
        proxy.cut(Requests.NODES.or(Requests.PODS).or(Requests.NAMESPACES).and(Requests.WATCHES));
        return stage;
    }

    /** Creates the policy of a stage, or changes it back. */
    void hold(Stage stage) {
        hold(stage, FORGIVENESS);
    }

    /** Creates the policy of a stage, or changes it. */
    void hold(Stage stage, Duration forgiveness) {
        stage.policy("""
            mode: Enforce
            podSelector: {}
            limits: {minReplicas: 0}
            forgivenessSeconds: %s
            """.formatted(forgiveness.toSeconds()));
        until(
                "the policy of " + stage.namespace() + " is evaluated",
                () -> stage.status("effective", "forgivenessSeconds").equals(Optional.of((int) forgiveness.toSeconds()))
                        && operator.metrics()
                                .contains("holdfast_policy_ready{policy=\"" + stage.namespace() + "/keep\"} 1.0"));
    }

    /** {@return a stage without a policy} */
    Stage unheld(String name) {
        until(
                "the environment is healthy before the test begins",
                () -> hasWatched() && feedCollector.synced().equals(FeedCollector.ALL));
        Stage stage = Stage.open(client, name).node("n1", "disk=ssd").node("n2", "disk=hdd");
        stage.deployment("web", 1, ON_SSD);
        until("the pod of " + name + " runs", () -> stage.places("web").equals(List.of("n1")));
        left.put(name, PodRemovals.NONE);
        return stage;
    }

    /**
     * Removes the label from the pod's node, sets it on the other node, and waits until the operator reports the
     * violation.
     */
    void breakRule(Stage stage) {
        stage.label("n2", "disk", "ssd").label("n1", "disk", "hdd");
        until("a violation in " + stage.namespace(), () -> violates(stage));
    }

    /** Sets the label on the pod's node again. */
    void heal(Stage stage) {
        stage.label("n1", "disk", "ssd");
    }

    boolean violates(Stage stage) {
        return operator.seesViolation(stage.namespace());
    }

    boolean leads() {
        return operator.metrics().contains("holdfast_leader 1.0");
    }

    boolean isReady() {
        return operator.isReady();
    }

    /** {@return whether the operator reports that a view is complete and watched} */
    boolean synced(String view) {
        return operator.metrics().contains("holdfast_cache_synced{view=\"" + view + "\"} 1.0");
    }

    /** {@return whether the operator has logged a line that contains all these parts} */
    boolean said(String... parts) {
        return times(parts) > 0;
    }

    /** {@return how many lines with all these parts the operator has logged} */
    long times(String... parts) {
        return operator.log().stream()
                .filter(line -> List.of(parts).stream().allMatch(line::contains))
                .count();
    }

    /** {@return the conditions of the stage's policy, as text} */
    String conditions(Stage stage) {
        return stage.status("conditions").map(String::valueOf).orElse("");
    }

    /** {@return the body of a GET that bypasses the proxy; each character is a byte} */
    String protobuf(String path) {
        HttpRequest request = HttpRequest.newBuilder(
                        URI.create(controlPlane.config().getMasterUrl().replaceAll("/+$", "") + path))
                .header("Accept", "application/vnd.kubernetes.protobuf")
                .header("Authorization", "Bearer " + controlPlane.config().getAutoOAuthToken())
                .build();
        try (HttpClient http = HttpClient.newBuilder()
                .sslContext(SSLUtils.sslContext(controlPlane.config()))
                .build()) {
            HttpResponse<byte[]> answer = http.send(request, HttpResponse.BodyHandlers.ofByteArray());
            assertThat(answer.statusCode()).isEqualTo(200);
            return new String(answer.body(), StandardCharsets.ISO_8859_1);
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException(e);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted", e);
        }
    }

    /** Lets time pass without an eviction request on the stage. */
    void noEvictionIsRequested(Stage stage, Duration time) {
        await("no eviction request in " + stage.namespace())
                .pollInterval(POLL_INTERVAL)
                .during(time)
                .atMost(time.plus(TimeLimits.STATE))
                .until(() -> evictionRequests(stage).isEmpty());
    }

    private List<AuditRecord> evictionRequests(Stage stage) {
        return trail.records().stream()
                .filter(record -> record.namespace().equals(stage.namespace()))
                .filter(AuditRecord::isEviction)
                .toList();
    }

    /**
     * As {@link #isWell}; in addition, a rule that breaks now leads to exactly one eviction.
     *
     * @return how long the recovery took, without the eviction
     */
    Duration recovers(Stage stage) {
        Duration back = isWell(stage);
        enforces(List.of(stage));
        return back;
    }

    /**
     * Waits until the operator has recovered: all views are complete, the store equals a fresh list, and nothing is
     * violated. No eviction was requested meanwhile.
     *
     * @return how long that took
     */
    Duration isWell(Stage stage) {
        Instant begun = clock.instant();
        until("the operator is ready again", this::isReady);
        until("all views are complete", () -> feedCollector.synced().equals(FeedCollector.ALL));
        until("the store equals a fresh list", () -> feedCollector.versions().equals(listed()));
        until("nothing violates in " + stage.namespace(), () -> !violates(stage));
        Duration back = Duration.between(begun, clock.instant());
        until("the operator leads", this::leads);
        assertThat(evictionRequests(stage))
                .as("evictions requested without a complete view")
                .isEmpty();
        assertThat(stage.places("web")).containsExactly("n1");
        return back;
    }

    /** A rule that breaks now leads to exactly one eviction on each of these stages. */
    private void enforces(List<Stage> stages) {
        stages.forEach(stage -> {
            left.put(
                    stage.namespace(),
                    PodRemovals.evicted(
                            stage.running("web"),
                            chart.user(),
                            stage.namespace() + "/keep",
                            "NodeAffinity",
                            "label disk of node " + stage.nodeName("n1") + " changed ssd -> hdd"));
            stage.label("n2", "disk", "ssd").label("n1", "disk", "hdd");
        });
        stages.forEach(stage -> await("the eviction that is due in " + stage.namespace())
                .atMost(TimeLimits.STATE)
                .pollInterval(POLL_INTERVAL)
                .untilAsserted(() ->
                        assertThat(PodRemovals.in(trail, stage.namespace())).isEqualTo(left.get(stage.namespace()))));
    }

    /** {@return the resource versions of all pods, nodes and namespaces, from a client that bypasses the proxy} */
    private Map<String, Long> listed() {
        Map<String, Long> versions = new TreeMap<>();
        client.pods()
                .inAnyNamespace()
                .list()
                .getItems()
                .forEach(it -> versions.put("pod " + it.getMetadata().getUid(), version(it)));
        client.nodes()
                .list()
                .getItems()
                .forEach(it -> versions.put("node " + it.getMetadata().getName(), version(it)));
        client.namespaces()
                .list()
                .getItems()
                .forEach(it -> versions.put("namespace " + it.getMetadata().getName(), version(it)));
        return versions;
    }

    private static long version(HasMetadata object) {
        return Long.parseLong(object.getMetadata().getResourceVersion());
    }

    /** At the end, only the expected pods have left the stages. */
    void noOtherEvictions() {
        left.forEach((namespace, expected) -> assertThat(PodRemovals.in(trail, namespace))
                .as("departures from " + namespace)
                .isEqualTo(expected));
    }

    /** Checks that the operator enforces the rule on each stage with short pauses, and closes. */
    void finish() {
        try {
            enforces(withShortPauses);
            noOtherEvictions();
        } finally {
            close();
        }
    }

    /** Ends everything and keeps the operator's output in {@code target}. */
    @Override
    public void close() {
        operator.close();
        keepLog();
        feed.close();
        proxy.close();
        client.close();
        controlPlane.close();
    }
}
