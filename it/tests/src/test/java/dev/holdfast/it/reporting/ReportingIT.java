package dev.holdfast.it.reporting;

import static java.util.stream.Collectors.toCollection;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.holdfast.it.controlplane.ControlPlane;
import dev.holdfast.it.controlplane.Program;
import dev.holdfast.it.controlplane.SharedControlPlane;
import dev.holdfast.it.controlplane.TimeLimits;
import dev.holdfast.it.crds.InstalledCrds;
import dev.holdfast.it.scenario.Stage;
import io.fabric8.kubernetes.api.model.Event;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.Callable;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.extension.ExtendWith;

/** How users of a real cluster see violations, invalid policies and deleted policies. No pod is evicted here. */
@ExtendWith(SharedControlPlane.class)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class ReportingIT {
    private static final String ON_SSD = "nodeSelector: {pool: $NS, disk: ssd}";

    /** A row of the table of metrics: name and type. */
    private static final Pattern METRIC = Pattern.compile("(?m)^\\| `(holdfast_\\w+)` \\| (\\w+) \\|");

    private static final String SAYS_IT_TWICE = """
        rules:
        - name: one
          podAntiAffinityTerm: {labelSelector: {matchLabels: {app: batch}}, topologyKey: kubernetes.io/hostname}
        - name: two
          podAntiAffinityTerm: {labelSelector: {matchLabels: {app: batch}}, topologyKey: kubernetes.io/hostname}
        """;

    private final ControlPlane controlPlane;
    private final KubernetesClient client;
    private AuditingOperator operator;

    ReportingIT(ControlPlane controlPlane) {
        this.controlPlane = controlPlane;
        this.client =
                new KubernetesClientBuilder().withConfig(controlPlane.config()).build();
        InstalledCrds.install(client);
        Stage.open(client, "reporting");
        this.operator = AuditingOperator.start(controlPlane.config(), "reporting");
    }

    @BeforeAll
    void ready() {
        until("the operator is ready", operator::isReady);
    }

    @AfterAll
    void close() {
        operator.close();
        client.close();
    }

    private static void until(String what, Callable<Boolean> condition) {
        await(what).atMost(TimeLimits.STATE).pollInterval(Duration.ofMillis(50)).until(condition);
    }

    /** Creates a test namespace with one pod on n1, and returns it; n1 and n2 both have the SSD that the pod needs. */
    private Stage stage(String name) {
        Stage stage = Stage.open(client, name).node("n1", "disk=ssd").node("n2", "disk=hdd");
        stage.deployment("web", 1, ON_SSD);
        until("the pod runs", () -> stage.running("web").size() == 1);
        return stage;
    }

    private void calm(Stage stage) {
        stage.awaitKnown();
        until(
                "no rule is broken in " + stage.namespace(),
                () -> condition(stage, "Compliant").equals("True NoViolations"));
    }

    private static String condition(Stage stage, String type) {
        return stage.status("conditions").stream()
                .flatMap(conditions -> ((List<?>) conditions).stream())
                .map(condition -> (Map<?, ?>) condition)
                .filter(condition -> type.equals(condition.get("type")))
                .map(condition -> condition.get("status") + " " + condition.get("reason"))
                .findFirst()
                .orElse("none");
    }

    private static String message(Stage stage, String type) {
        return stage.status("conditions").stream()
                .flatMap(conditions -> ((List<?>) conditions).stream())
                .map(condition -> (Map<?, ?>) condition)
                .filter(condition -> type.equals(condition.get("type")))
                .map(condition -> String.valueOf(condition.get("message")))
                .findFirst()
                .orElse("");
    }

    private Optional<Event> event(Stage stage, String kind, String reason) {
        return client.v1().events().inNamespace(stage.namespace()).list().getItems().stream()
                .filter(event -> event.getInvolvedObject().getKind().equals(kind)
                        && event.getReason().equals(reason))
                .max(Comparator.comparing(Event::getCount));
    }

    private void told(Stage stage, String reason, int times) {
        for (String kind : List.of("Pod", "ReplicaSet", "Deployment", "PlacementPolicy")) {
            until(
                    times + " events " + reason + " for " + kind,
                    () -> event(stage, kind, reason)
                            .filter(event -> event.getCount() == times)
                            .isPresent());
        }
    }

    @Test
    void aViolationIsToldByStatusEventsAndMetricsAndSoIsItsHealing() throws Exception {
        Stage stage = stage("told");
        calm(stage.policy("{mode: Enforce, podSelector: {}, forgivenessSeconds: 600}"));
        Pod pod = stage.running("web").getFirst();

        stage.label("n1", "disk", "hdd");

        told(stage, "PlacementViolated", 1);
        Event event = event(stage, "Pod", "PlacementViolated").orElseThrow();
        assertThat(event.getInvolvedObject().getUid())
                .isEqualTo(pod.getMetadata().getUid());
        assertThat(event.getMessage())
                .startsWith(
                        "Rule NodeAffinity (disk=ssd,pool=told) broken since label disk of node told-n1 changed ssd ->"
                                + " hdd: told-n1 does not match disk=ssd,pool=told: disk=ssd fails (it has disk=hdd)."
                                + " Would be due for eviction at ")
                .endsWith(" (forgiveness 10m0s) unless told-n1 matches disk=ssd,pool=told; policy told/keep"
                        + " (Audit).");
        assertThat(event(stage, "PlacementPolicy", "PlacementViolated")
                        .orElseThrow()
                        .getMessage())
                .startsWith("Pod told/" + pod.getMetadata().getName() + ": Rule NodeAffinity");
        until(
                "the status shows the violation",
                () -> condition(stage, "Compliant").equals("False Violations"));
        assertThat(stage.status("violations", 0, "pod"))
                .contains(pod.getMetadata().getName());
        assertThat(stage.status("violations", 0, "state")).contains("Forgiving");
        assertThat(condition(stage, "Ready")).isEqualTo("True Evaluated");
        assertThat(kubectlGet(stage)).matches("keep +Audit +True +1 +1 +0 +20\\S+Z +\\S+");
        until(
                "a scrape shows the violation; it may be a second old",
                () -> operator.metrics("holdfast_violations{", "policy=\"told/keep\"")
                        .equals(List.of("holdfast_violations{policy=\"told/keep\",policy_namespace=\"told\","
                                + "rule=\"NodeAffinity\",state=\"Forgiving\"} 1.0")));

        stage.label("n1", "disk", "ssd");

        told(stage, "PlacementHealed", 1);
        calm(stage);
        until(
                "a scrape shows the end; it may be a second old",
                () -> operator.metrics("holdfast_violations_ended_total", "policy=\"told/keep\"")
                        .contains("holdfast_violations_ended_total{how=\"healed\",policy=\"told/keep\"} 1.0"));
    }

    private String kubectlGet(Stage stage) throws IOException, InterruptedException {
        Process kubectl = new ProcessBuilder(
                        controlPlane.binary(Program.KUBECTL).toString(),
                        "--kubeconfig",
                        controlPlane.kubeconfig().toString(),
                        "get",
                        "plpol",
                        "-n",
                        stage.namespace(),
                        "--no-headers")
                .redirectErrorStream(true)
                .start();
        String out = new String(kubectl.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(kubectl.waitFor()).as(out).isZero();
        return out.strip();
    }

    @Test
    void whatHappensAgainIsCountedAlsoAfterARestart() {
        Stage stage = stage("again");
        calm(stage.policy("{forgivenessSeconds: 600}"));
        stage.label("n1", "disk", "hdd");
        told(stage, "PlacementViolated", 1);
        stage.label("n1", "disk", "ssd");
        told(stage, "PlacementHealed", 1);
        stage.label("n1", "disk", "hdd");
        told(stage, "PlacementViolated", 2);
        stage.label("n1", "disk", "ssd");
        told(stage, "PlacementHealed", 2);

        operator.close();
        operator = AuditingOperator.start(controlPlane.config(), "reporting");
        until("the operator is ready again", operator::isReady);
        calm(stage);
        stage.label("n1", "disk", "hdd");

        told(stage, "PlacementViolated", 3);
    }

    @Test
    void anAuditedPolicySaysWhatEnforcingWouldDo() {
        Stage stage = stage("would");
        calm(stage.policy("{mode: Enforce, podSelector: {}, forgivenessSeconds: 1, limits: {minReplicas: 0}}"));
        assertThat(condition(stage, "EnforcementHeld")).isEqualTo("True MaxMode");
        assertThat(message(stage, "EnforcementHeld")).isEqualTo("mode Enforce is capped at Audit: maxMode is Audit");

        stage.label("n2", "disk", "ssd").label("n1", "disk", "hdd");

        told(stage, "PlacementWouldEvict", 1);
        assertThat(event(stage, "Pod", "PlacementWouldEvict").orElseThrow().getMessage())
                .startsWith("Would evict from would-n1: rule NodeAffinity (disk=ssd,pool=would) broken since label disk"
                        + " of node would-n1 changed ssd -> hdd ")
                .contains("; would-n2 would take the pod; policy would/keep (Audit).");
        until(
                "the status shows WouldEvict",
                () -> stage.status("violations", 0, "state").equals(Optional.of("WouldEvict")));
        assertThat(controlPlane.auditTrail().records())
                .filteredOn(record -> record.namespace().equals("would") && record.isEviction())
                .isEmpty();
    }

    @Test
    void anInvalidPolicyGetsAConditionAndDisturbsNoOther() {
        Stage stage = stage("invalid");
        Stage other = stage("valid");
        calm(other.policy("{forgivenessSeconds: 600}"));

        stage.policy(SAYS_IT_TWICE);

        until("the condition reports it", () -> condition(stage, "Ready").equals("False InvalidSpec"));
        assertThat(message(stage, "Ready"))
                .isEqualTo(
                        "generation 1 cannot be used, nothing of this policy is in force: spec.rules[1]: is identical"
                                + " to rule 'one': remove one of the two");
        assertThat(condition(stage, "Compliant")).isEqualTo("Unknown NotEvaluated");
        other.label("n1", "disk", "hdd");
        until(
                "the other policy is still evaluated",
                () -> condition(other, "Compliant").equals("False Violations"));
        until(
                "a scrape shows which policy is ready; it may be a second old",
                () -> operator.metrics("holdfast_policy_ready{")
                        .containsAll(List.of(
                                "holdfast_policy_ready{policy=\"invalid/keep\"} 0.0",
                                "holdfast_policy_ready{policy=\"valid/keep\"} 1.0")));
    }

    @Test
    void afterAnInvalidEditTheLastValidGenerationIsAudited() {
        Stage stage = stage("edited");
        calm(stage.policy("{forgivenessSeconds: 600}"));

        stage.policy(SAYS_IT_TWICE);

        until("the condition reports it", () -> condition(stage, "Ready").equals("False InvalidSpec"));
        assertThat(message(stage, "Ready"))
                .startsWith(
                        "generation 2 cannot be used, the rules of generation 1 are audited only until the policy is"
                                + " Ready: ");
        assertThat(stage.status("observedGeneration")).contains(2);
        stage.label("n1", "disk", "hdd");
        until(
                "the first generation still reports violations",
                () -> condition(stage, "Compliant").equals("False Violations"));
        assertThat(stage.status("effective", "forgivenessSeconds")).contains(600);

        stage.policy("{forgivenessSeconds: 700}");
        until(
                "the corrected policy is evaluated",
                () -> condition(stage, "Ready").equals("True Evaluated"));
        assertThat(stage.status("effective", "forgivenessSeconds")).contains(700);
    }

    @Test
    void aPolicyThatIsDeletedTakesItsSeriesWithItAndOneOfTheSameNameStartsFromZero() {
        Stage stage = stage("deleted");
        calm(stage.policy("{forgivenessSeconds: 600}"));
        stage.label("n1", "disk", "hdd");
        told(stage, "PlacementViolated", 1);

        stage.deletePolicy();

        until(
                "the metric series of the policy are gone",
                () -> operator.metrics("deleted/keep").isEmpty());
        stage.policy("{forgivenessSeconds: 600}");
        until(
                "the new policy reports violations",
                () -> condition(stage, "Compliant").equals("False Violations"));
    }

    /** Half of the metrics come from parts that only a whole operator connects. */
    @Test
    void everyMetricOfThePageIsInAScrape() throws Exception {
        Stage stage = stage("scraped");
        calm(stage.policy("{mode: Enforce, podSelector: {}, forgivenessSeconds: 1}"));
        stage.label("n1", "disk", "hdd");
        until(
                "the violation is held",
                () -> !operator.metrics("holdfast_held_violations{", "policy=\"scraped/keep\"")
                        .isEmpty());
        Set<String> documented = METRIC.matcher(Files.readString(Path.of("..", "..", "docs", "observing.md")))
                .results()
                .map(row -> row.group(1) + " " + row.group(2))
                .collect(toCollection(TreeSet::new));

        Set<String> served = operator.metrics("# TYPE ").stream()
                .map(line -> line.substring("# TYPE ".length()))
                .collect(toCollection(TreeSet::new));

        assertThat(served)
                .containsAll(documented)
                .contains("process_start_time_seconds gauge")
                .anyMatch(it -> it.startsWith("jvm_gc_"));
        assertThat(documented).hasSizeGreaterThan(40);
    }
}
