package dev.holdfast.it.fault;

import static dev.holdfast.it.scenario.StageDefaults.ON_SSD;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.holdfast.it.chart.InstalledChart;
import dev.holdfast.it.controlplane.AuditRecord;
import dev.holdfast.it.controlplane.AuditTrail;
import dev.holdfast.it.controlplane.ControlPlane;
import dev.holdfast.it.scenario.Departures;
import dev.holdfast.it.scenario.OperatorProcess;
import dev.holdfast.it.scenario.Stage;
import dev.holdfast.it.shell.Sink;
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
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.Callable;

/**
 * A control plane with the chart installed, and before it a proxy, through which two look: the operator with the rights
 * of the chart's ServiceAccount, and beside it, in this process, the same feeds into a {@link Sink}.
 *
 * <p>On each stage a Deployment's pod must be on a node with {@code disk=ssd}; it is at first on {@code n1}.
 */
final class FaultEnvironment implements AutoCloseable {
    static final Duration FORGIVENESS = Duration.ofSeconds(5);

    private static final Duration PATIENCE = Duration.ofSeconds(90);
    private static final Duration GLANCE = Duration.ofMillis(100);

    private final ControlPlane controlPlane = ControlPlane.start();
    private final InstantSource clock = InstantSource.system();
    private final KubernetesClient client =
            new KubernetesClientBuilder().withConfig(controlPlane.config()).build();
    private final InstalledChart chart =
            InstalledChart.install(controlPlane, "holdfast", "enforcement.enabled=true", Stage.MANY_STAGES);
    private final AuditTrail trail = controlPlane.auditTrail();
    private final FaultProxy proxy = new FaultProxy(controlPlane);
    private final Path kubeconfig = controlPlane.folder().resolve("through-the-proxy.kubeconfig");
    private final Sink sink = new Sink();
    private final Map<String, Departures> left = new LinkedHashMap<>();
    private final String name;
    private final ClusterFeed feed;
    private OperatorProcess operator;

    /** @param name of the file that keeps what the operator printed */
    FaultEnvironment(String name) {
        this.name = name;
        newToken();
        Config seen = new ConfigBuilder(Config.fromKubeconfig(kubeconfig.toFile()))
                .withUserAgent("sink")
                .build();
        feed = new ClusterFeed(seen, clock, sink, (_, death) -> {
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
        return OperatorProcess.start(
                kubeconfig, chart.config(), controlPlane.folder().resolve("logs/operator.log"));
    }

    /** Ends the operator as Kubernetes does, and starts another one. */
    void restartOperator() {
        assertThat(operator.stop()).as("exit code after SIGTERM").isZero();
        operator = startOperator();
    }

    /**
     * Starts another operator once this one has ended by itself, as a kubelet does.
     *
     * @return its exit code
     */
    int awaitEnd() {
        int code = operator.exitCode();
        operator = startOperator();
        return code;
    }

    /** {@return the token that both use from now on} */
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

    Sink sink() {
        return sink;
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
        await(what).atMost(PATIENCE).pollInterval(GLANCE).ignoreExceptions().until(condition);
    }

    /** {@return a stage on which all is well} */
    Stage stage(String name) {
        Stage stage = unheld(name);
        hold(stage);
        return stage;
    }

    /** {@return a stage on which all is well} The feeds' pauses are short again: their watches go on where they were cut. */
    Stage stageWithShortPauses(String name) {
        Stage stage = stage(name);
        // Not those of the policies, which would be down for a while: that holds evictions too.
        proxy.cut(Requests.NODES.or(Requests.PODS).or(Requests.NAMESPACES).and(Requests.WATCHES));
        return stage;
    }

    /** Makes the policy of a stage. */
    void hold(Stage stage) {
        stage.policy("""
            mode: Enforce
            podSelector: {}
            limits: {minReplicas: 0}
            forgivenessSeconds: %s
            """.formatted(FORGIVENESS.toSeconds()));
        until(
                "the policy of " + stage.namespace() + " is evaluated",
                () -> operator.metrics()
                        .contains("holdfast_policy_ready{policy=\"" + stage.namespace() + "/keep\"} 1.0"));
    }

    /** {@return a stage without a policy} */
    Stage unheld(String name) {
        until(
                "all is well before it begins",
                () -> isReady() && leads() && sink.synced().equals(Sink.ALL));
        Stage stage = Stage.open(client, name).node("n1", "disk=ssd").node("n2", "disk=hdd");
        stage.deployment("web", 1, ON_SSD);
        until("the pod of " + name + " runs", () -> stage.places("web").equals(List.of("n1")));
        left.put(name, Departures.NONE);
        return stage;
    }

    /** Takes the pod's node its label, gives it to the other one, and waits until the operator knows. */
    void breakRule(Stage stage) {
        stage.label("n2", "disk", "ssd").label("n1", "disk", "hdd");
        until("a violation in " + stage.namespace(), () -> violates(stage));
    }

    /** Gives the pod's node its label back. */
    void heal(Stage stage) {
        stage.label("n1", "disk", "ssd");
    }

    boolean violates(Stage stage) {
        return operator.metrics()
                .lines()
                .filter(it -> it.startsWith("holdfast_violations{"))
                .filter(it -> it.contains("policy=\"" + stage.namespace() + "/keep\""))
                .anyMatch(it -> !it.endsWith(" 0.0"));
    }

    boolean leads() {
        return operator.metrics().contains("holdfast_leader 1.0");
    }

    boolean isReady() {
        return operator.isReady();
    }

    /** {@return whether the operator says of a view that it is complete and followed} */
    boolean synced(String view) {
        return operator.metrics().contains("holdfast_cache_synced{view=\"" + view + "\"} 1.0");
    }

    /** {@return whether the operator has logged a line with all of this in it} */
    boolean said(String... parts) {
        return times(parts) > 0;
    }

    /** {@return how many lines the operator has logged with all of this in them} */
    long times(String... parts) {
        return operator.log().stream()
                .filter(line -> List.of(parts).stream().allMatch(line::contains))
                .count();
    }

    /** {@return what the conditions of the stage's policy say, as text} */
    String conditions(Stage stage) {
        return stage.status("conditions").map(String::valueOf).orElse("");
    }

    /** {@return the body of an answer of the API server to a GET, past the proxy, each character a byte} */
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

    /** Lets time pass, in which nobody is asked to leave the stage. */
    void nobodyIsAskedToLeave(Stage stage, Duration time) {
        await("nobody is asked to leave " + stage.namespace())
                .pollInterval(GLANCE)
                .during(time)
                .atMost(time.plus(PATIENCE))
                .until(() -> evictionRequests(stage).isEmpty());
    }

    private List<AuditRecord> evictionRequests(Stage stage) {
        return trail.records().stream()
                .filter(record -> record.namespace().equals(stage.namespace()))
                .filter(AuditRecord::isEviction)
                .toList();
    }

    /**
     * All is well again as {@link #isWell} says, and a rule that is broken now leads to exactly one eviction.
     *
     * @return how long that took, up to the breaking of the rule
     */
    Duration recovers(Stage stage) {
        Duration back = isWell(stage);
        enforces(List.of(stage));
        return back;
    }

    /**
     * All is well again: all views are there, the store is what a fresh list says, nothing violates and nobody was asked to
     * leave.
     *
     * @return how long that took
     */
    Duration isWell(Stage stage) {
        Instant begun = clock.instant();
        until("the operator is ready again", this::isReady);
        until("all views are there", () -> sink.synced().equals(Sink.ALL));
        until("the store is what a list says", () -> sink.versions().equals(listed()));
        until("nothing violates in " + stage.namespace(), () -> !violates(stage));
        Duration back = Duration.between(begun, clock.instant());
        until("the operator leads", this::leads);
        assertThat(evictionRequests(stage)).as("evictions asked for, blindly").isEmpty();
        assertThat(stage.places("web")).containsExactly("n1");
        return back;
    }

    /** On each of these stages a rule that is broken now leads to exactly one eviction. */
    void enforces(List<Stage> stages) {
        stages.forEach(stage -> {
            left.put(
                    stage.namespace(),
                    Departures.evicted(
                            stage.running("web"),
                            chart.user(),
                            stage.namespace() + "/keep",
                            "NodeAffinity",
                            "label disk of node " + stage.nodeName("n1") + " changed ssd -> hdd"));
            stage.label("n2", "disk", "ssd").label("n1", "disk", "hdd");
        });
        stages.forEach(stage -> await("the eviction that is due in " + stage.namespace())
                .atMost(PATIENCE)
                .pollInterval(GLANCE)
                .untilAsserted(() ->
                        assertThat(Departures.in(trail, stage.namespace())).isEqualTo(left.get(stage.namespace()))));
    }

    /** {@return the versions of all pods, nodes and namespaces, as another client lists them, past the proxy} */
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

    /** In the end nobody has left any stage but those that had to. */
    void nobodyElseLeft() {
        left.forEach((namespace, expected) -> assertThat(Departures.in(trail, namespace))
                .as("who left " + namespace)
                .isEqualTo(expected));
    }

    /** Ends all; what the operator printed stays in {@code target}. */
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
