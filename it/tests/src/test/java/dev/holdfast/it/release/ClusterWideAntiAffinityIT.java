package dev.holdfast.it.release;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.holdfast.it.chart.InstalledChart;
import dev.holdfast.it.controlplane.ControlPlane;
import dev.holdfast.it.controlplane.TimeLimits;
import java.time.Duration;
import java.util.function.Consumer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** The chart's admission policies against anti-affinity over all namespaces, on a control plane of their own. */
class ClusterWideAntiAffinityIT {
    private static final String VALUE = "scheduling.clusterWideAntiAffinity=";
    private static final String REASON =
            "required anti-affinity over all namespaces (`namespaceSelector: {}`) must have topologyKey"
                + " kubernetes.io/hostname: with a larger domain, one pod can keep the pods of all namespaces out of a"
                + " whole zone; or name the namespaces";
    private static final String CLUSTER_WIDE = "labelSelector: {}, namespaceSelector: {}, topologyKey: zone";

    private final ControlPlane controlPlane = ControlPlane.start();
    private final Kubectl kubectl = new Kubectl(controlPlane);

    @AfterEach
    void close() {
        controlPlane.close();
    }

    @Test
    void whoCreatesSuchAPodOrWorkloadIsWarnedAndWithDenyGetsNoPod() {
        InstalledChart chart = InstalledChart.install(controlPlane, "holdfast", "replicaCount=0");
        String warning = "Warning: Validation failed for ValidatingAdmissionPolicy"
                + " 'holdfast-cluster-wide-anti-affinity-%s' with binding 'holdfast-cluster-wide-anti-affinity-%<s': "
                + REASON + "\n";

        awaitAnswer(pod(CLUSTER_WIDE), warning.formatted("pods") + created("pod/tried"));
        awaitAnswer(
                workload("apps/v1", "Deployment"), warning.formatted("workloads") + created("deployment.apps/tried"));
        awaitAnswer(
                workload("apps/v1", "StatefulSet"), warning.formatted("workloads") + created("statefulset.apps/tried"));
        awaitAnswer(workload("apps/v1", "DaemonSet"), warning.formatted("workloads") + created("daemonset.apps/tried"));
        awaitAnswer(job(), warning.formatted("workloads") + created("job.batch/tried"));
        awaitAnswer(cronJob(), warning.formatted("cronjobs") + created("cronjob.batch/tried"));
        othersAreCreatedWithoutAWord();

        chart.upgrade("replicaCount=0", VALUE + "Deny");
        awaitAnswer(pod(CLUSTER_WIDE), 1, text -> assertThat(text).contains("denied request: " + REASON));

        assertThat(tried(workload("apps/v1", "Deployment")))
                .isEqualTo(answer(0, warning.formatted("workloads") + created("deployment.apps/tried")));
        othersAreCreatedWithoutAWord();

        chart.upgrade("replicaCount=0", VALUE + "Off");
        awaitAnswer(pod(CLUSTER_WIDE), created("pod/tried"));
    }

    private void othersAreCreatedWithoutAWord() {
        Kubectl.Answer accepted = answer(0, created("pod/tried"));
        assertThat(tried(pod("labelSelector: {}, namespaceSelector: {}, topologyKey: kubernetes.io/hostname")))
                .isEqualTo(accepted);
        assertThat(tried(pod("labelSelector: {}, topologyKey: zone"))).isEqualTo(accepted);
        assertThat(tried(pod("labelSelector: {}, namespaces: [a, b], topologyKey: zone")))
                .isEqualTo(accepted);
        assertThat(tried(pod("labelSelector: {}, namespaceSelector: {matchLabels: {team: a}}, topologyKey: zone")))
                .isEqualTo(accepted);
        assertThat(tried(
                        pod("labelSelector: {}, namespaceSelector: {matchExpressions: [{key: team, operator: Exists}]},"
                                + " topologyKey: zone")))
                .isEqualTo(accepted);
        assertThat(tried(pod(CLUSTER_WIDE).replace("namespace: default", "namespace: kube-system")))
                .isEqualTo(accepted);
        assertThat(tried("""
            {apiVersion: v1, kind: Pod, metadata: {name: tried, namespace: default},
             spec: {containers: [{name: main, image: main}]}}
            """)).isEqualTo(accepted);
    }

    private void awaitAnswer(String object, String text) {
        awaitAnswer(object, 0, printed -> assertThat(printed).isEqualTo(text));
    }

    /** An admission policy takes effect some seconds after it was created or changed, each at its own time. */
    private void awaitAnswer(String object, int exitCode, Consumer<String> text) {
        await().atMost(TimeLimits.STATE).pollInterval(Duration.ofMillis(500)).untilAsserted(() -> {
            Kubectl.Answer answer = tried(object);
            text.accept(answer.text());
            assertThat(answer.exitCode()).isEqualTo(exitCode);
        });
    }

    private Kubectl.Answer tried(String object) {
        return kubectl.answer(object, "create", "--dry-run=server", "-f", "-");
    }

    private static Kubectl.Answer answer(int exitCode, String text) {
        return new Kubectl.Answer(exitCode, text);
    }

    private static String created(String object) {
        return object + " created (server dry run)\n";
    }

    private static String pod(String term) {
        return "{apiVersion: v1, kind: Pod, metadata: {name: tried, namespace: default}, spec: %s}"
                .formatted(podSpec(term));
    }

    private static String podSpec(String term) {
        return """
            {restartPolicy: Always, containers: [{name: main, image: main}], affinity: {podAntiAffinity:
              {requiredDuringSchedulingIgnoredDuringExecution: [{%s}]}}}\
            """.formatted(term);
    }

    private static String workload(String apiVersion, String kind) {
        return """
            {apiVersion: %s, kind: %s, metadata: {name: tried, namespace: default}, spec: {
              selector: {matchLabels: {app: tried}}, template: {metadata: {labels: {app: tried}}, spec: %s}}}
            """.formatted(apiVersion, kind, podSpec(CLUSTER_WIDE));
    }

    private static String job() {
        return "{apiVersion: batch/v1, kind: Job, metadata: {name: tried, namespace: default}, spec: %s}"
                .formatted(jobSpec());
    }

    private static String jobSpec() {
        return "{template: {spec: %s}}".formatted(podSpec(CLUSTER_WIDE).replace("Always", "Never"));
    }

    private static String cronJob() {
        return """
            {apiVersion: batch/v1, kind: CronJob, metadata: {name: tried, namespace: default},
             spec: {schedule: "0 0 * * *", jobTemplate: {spec: %s}}}
            """.formatted(jobSpec());
    }
}
