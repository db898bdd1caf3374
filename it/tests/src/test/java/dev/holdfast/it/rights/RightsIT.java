package dev.holdfast.it.rights;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.holdfast.it.chart.InstalledChart;
import dev.holdfast.it.controlplane.AccountToken;
import dev.holdfast.it.controlplane.AuditRecord;
import dev.holdfast.it.controlplane.AuditTrail;
import dev.holdfast.it.controlplane.ControlPlane;
import dev.holdfast.it.controlplane.TimeLimits;
import dev.holdfast.it.scenario.OperatorProcess;
import dev.holdfast.it.scenario.Stage;
import io.fabric8.kubernetes.api.model.Event;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.Callable;
import okhttp3.tls.HeldCertificate;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/**
 * The chart grants exactly the rights that the operator uses. The test runs an operator that uses all its features, and
 * compares its requests in the API server's audit log with its rights.
 */
@Execution(ExecutionMode.CONCURRENT)
@Order(7)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class RightsIT {
    private static final HeldCertificate AUTHORITY =
            new HeldCertificate.Builder().certificateAuthority(0).build();

    private final ControlPlane controlPlane = ControlPlane.start();
    private final Path certificate = write(
            new HeldCertificate.Builder()
                    .addSubjectAlternativeName("127.0.0.1")
                    .rsa2048()
                    .signedBy(AUTHORITY)
                    .build(),
            controlPlane.folder().resolve("certificate"));
    private final AuditTrail trail = controlPlane.auditTrail();
    private final KubernetesClient admin =
            new KubernetesClientBuilder().withConfig(controlPlane.config()).build();

    @AfterAll
    void end() {
        admin.close();
        controlPlane.close();
    }

    @Test
    @Execution(ExecutionMode.SAME_THREAD)
    void byDefaultItWatchesReportsAndHoldsItsLeaseAndAsksForNothingElse() {
        InstalledChart chart = InstalledChart.installWithOwnLease(controlPlane, "observing");

        run(chart, (stage, _) -> seesTheSameBreachTwice(stage));

        usesAllItsRightsAndNoOthers(chart);
    }

    @Test
    @Execution(ExecutionMode.SAME_THREAD)
    void withEnforcementItAlsoLooksAtAPodAndItsNodeAndEvictsAndAsksForNothingElse() {
        InstalledChart chart = InstalledChart.install(
                controlPlane,
                "enforcing",
                "enforcement.enabled=true",
                "config.metrics.secure=true",
                "metricsCertificate.secretName=metrics",
                Stage.MANY_STAGES);
        assertThat(chart.config()).as("the lease of the whole cluster").contains("namespace: kube-system");

        run(chart, (stage, operator) -> {
            servesMetricsToThoseWhoMayRead(stage, operator);
            seesTheSameBreachTwice(stage);
            stage.label("n2", "disk", "ssd");
            until("the pod has moved", () -> stage.places("web").equals(List.of("n2")));
        });

        usesAllItsRightsAndNoOthers(chart);
    }

    /** What a test does in its namespace while the operator runs. */
    private interface Happening {
        void on(Stage stage, OperatorProcess operator);
    }

    /**
     * Starts the chart's operator, runs the steps of a test, and stops the operator, so that the audit log has all its
     * watches.
     */
    private void run(InstalledChart chart, Happening happening) {
        Stage stage = Stage.open(admin, "watched-by-" + chart.namespace())
                .node("n1", "disk=ssd")
                .node("n2", "disk=hdd")
                .apply("""
                    apiVersion: v1
                    kind: PersistentVolume
                    metadata: {name: data-$NS}
                    spec:
                      capacity: {storage: 1Gi}
                      accessModes: [ReadWriteMany]
                      hostPath: {path: /data}
                      claimRef: {namespace: $NS, name: data}
                      nodeAffinity: {required: {nodeSelectorTerms: [
                        {matchExpressions: [{key: pool, operator: In, values: [$NS]}]}]}}
                    """)
                .apply("""
                    apiVersion: v1
                    kind: PersistentVolumeClaim
                    metadata: {name: data}
                    spec:
                      storageClassName: ""
                      volumeName: data-$NS
                      accessModes: [ReadWriteMany]
                      resources: {requests: {storage: 1Gi}}
                    """)
                .deployment("web", 1, """
                    nodeSelector: {pool: $NS, disk: ssd}
                    volumes: [{name: data, persistentVolumeClaim: {claimName: data}}]
                    """)
                .policy("""
                    mode: Enforce
                    podSelector: {}
                    limits: {minReplicas: 0}
                    forgivenessSeconds: 1
                    """)
                .apply("""
                    apiVersion: holdfast.dev/v1alpha1
                    kind: ClusterPlacementPolicy
                    metadata: {name: of-no-pod-$NS}
                    spec: {podSelector: {matchLabels: {app: none}}}
                    """)
                .apply("""
                    apiVersion: holdfast.dev/v1alpha1
                    kind: EnforcementPause
                    metadata: {name: of-no-namespace-$NS}
                    spec: {reason: nothing, namespaceSelector: {matchLabels: {none: such}}}
                    """);
        until("the pod runs", () -> stage.running("web").size() == 1);
        try (OperatorProcess operator = OperatorProcess.start(
                chart.kubeconfig(),
                mounted(chart.config()),
                controlPlane.folder().resolve("logs/operator.log"))) {
            until("the operator is ready", operator::isReady);
            happening.on(stage, operator);
            until(
                    "the operator has read the volume",
                    () -> requests(chart).stream()
                            .anyMatch(request -> request.resource().equals("persistentvolumes")));
            assertThat(operator.stop()).as("exit code after SIGTERM").isZero();
        }
        stage.deletePolicy();
    }

    /**
     * {@return the configuration with the folder that, in place of the kubelet, has the Secret with the certificate}
     */
    private String mounted(String config) {
        return config.replace("/etc/holdfast-certificate", certificate.toString());
    }

    private static Path write(HeldCertificate server, Path folder) {
        try {
            Files.createDirectories(folder);
            Files.writeString(folder.resolve("tls.crt"), server.certificatePem());
            Files.writeString(folder.resolve("tls.key"), server.privateKeyPkcs1Pem());
            return folder;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Reads the metrics with tokens of two service accounts, of which one is bound to the role for readers. */
    private static void servesMetricsToThoseWhoMayRead(Stage stage, OperatorProcess operator) {
        stage.apply("""
            apiVersion: v1
            kind: ServiceAccount
            metadata: {name: scraper}
            """);
        stage.apply("""
            apiVersion: v1
            kind: ServiceAccount
            metadata: {name: stranger}
            """);
        stage.apply("""
            apiVersion: rbac.authorization.k8s.io/v1
            kind: ClusterRoleBinding
            metadata: {name: scraper-of-$NS}
            roleRef: {apiGroup: rbac.authorization.k8s.io, kind: ClusterRole, name: enforcing-holdfast-metrics-reader}
            subjects: [{kind: ServiceAccount, name: scraper, namespace: $NS}]
            """);
        String scraper = AccountToken.request(stage.client(), stage.namespace(), "scraper");
        until(
                "the scraper reads",
                () -> operator.secureMetrics(AUTHORITY.certificate(), scraper).startsWith("200 "));

        assertThat(operator.secureMetrics(AUTHORITY.certificate(), scraper)).contains("\nholdfast_leader ");
        answers(
                operator,
                AccountToken.request(stage.client(), stage.namespace(), "stranger"),
                "403 system:serviceaccount:" + stage.namespace() + ":stranger may not get /metrics; bind it"
                        + " to a ClusterRole with nonResourceURLs: [/metrics] and verbs: [get]\n");
        answers(operator, "no-such-token", "401 the API server does not accept this token\n");
        answers(operator, "", "401 give the token of a user of this cluster");
    }

    /** The operator does not wait long for the API server to know a token, and then says that it cannot tell. */
    private static void answers(OperatorProcess operator, String token, String start) {
        await().atMost(TimeLimits.STATE)
                .untilAsserted(() -> assertThat(operator.secureMetrics(AUTHORITY.certificate(), token))
                        .startsWith(start));
    }

    /**
     * Breaks a rule that no other node satisfies, heals it, and breaks it again: the operator creates an event, and
     * then updates the event's count.
     */
    private static void seesTheSameBreachTwice(Stage stage) {
        stage.label("n1", "disk", "hdd");
        told(stage, "PlacementViolated", 1);
        stage.label("n1", "disk", "ssd");
        told(stage, "PlacementHealed", 1);
        stage.label("n1", "disk", "hdd");
        told(stage, "PlacementViolated", 2);
    }

    private static void told(Stage stage, String reason, int times) {
        until(
                reason + " occurred " + times + " times",
                () -> stage.client().v1().events().inNamespace(stage.namespace()).list().getItems().stream()
                        .filter(event -> event.getReason().equals(reason))
                        .map(Event::getCount)
                        .anyMatch(count -> count == times));
    }

    private void usesAllItsRightsAndNoOthers(InstalledChart chart) {
        Rights rights = Rights.of(admin, chart.user());
        // The API server may write a record shortly after its answer.
        await().atMost(TimeLimits.STATE)
                .untilAsserted(() -> assertThat(rights.unusedBy(requests(chart)))
                        .as("granted by the chart and never used; only ephemeral volumes need it")
                        .containsExactly("get storageclasses.storage.k8s.io"));
        assertThat(rights.exceededBy(requests(chart)))
                .as("requested and not granted by the chart")
                .containsExactlyElementsOf(Rights.EVERYBODYS);
        assertThat(requests(chart)).extracting(AuditRecord::code).doesNotContain(403);
    }

    private List<AuditRecord> requests(InstalledChart chart) {
        return trail.records().stream()
                .filter(request -> request.user().equals(chart.user()))
                .toList();
    }

    private static void until(String what, Callable<Boolean> condition) {
        await(what)
                .atMost(TimeLimits.STATE)
                .pollInterval(Duration.ofMillis(100))
                .until(condition);
    }
}
