package dev.holdfast.it.operator;

import static dev.holdfast.it.scenario.StageDefaults.ENFORCE;
import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.it.scenario.PodRemovals;
import dev.holdfast.it.scenario.Stage;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodBuilder;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** What {@code scheduling} changes: whether the replacement of an evicted pod lands where the policy's rule holds. */
@ExtendWith(SharedOperator.class)
class InjectedRulesIT {
    private static final String SSD = """
        rules:
        - name: ssd
          nodeAffinity: {required: {nodeSelectorTerms: [{matchExpressions: [{key: disk, operator: In, values: [ssd]}]}]}}
        """;

    /** The scheduler prefers the node with the wrong disk. */
    private static final String LIKES_HDD = """
        affinity:
          nodeAffinity:
            preferredDuringSchedulingIgnoredDuringExecution:
            - {weight: 100, preference: {matchExpressions: [{key: disk, operator: In, values: [hdd]}]}}
        """;

    private static final String ANNOTATION = "holdfast.dev/injected-rules";
    private static final String RULES = "holdfast.dev/required-during-execution";
    private static final String ALLOW = "podRuleSelection: None\nannotationRules: Allow\n";

    /** {@link #SSD} as a team writes it on its pods. */
    private static final String SSD_IN_JSON =
            "{\"apiVersion\": \"holdfast.dev/v1alpha1\", \"rules\": [{\"name\": \"ssd\", \"nodeAffinity\":"
                + " {\"required\": {\"nodeSelectorTerms\": [{\"matchExpressions\": [{\"key\": \"disk\", \"operator\":"
                + " \"In\", \"values\": [\"ssd\"]}]}]}}}]}";

    private static String lostItsSsd(Stage stage) {
        return "label disk of node " + stage.nodeName("n1") + " changed ssd -> hdd";
    }

    private static Map<String, String> annotationsOfNewPods(Stage stage, Map<String, String> annotations) {
        Pod pod = new PodBuilder()
                .withNewMetadata()
                .withName("probe")
                .withNamespace(stage.namespace())
                .withLabels(Map.of("hash", "7f"))
                .withAnnotations(annotations)
                .endMetadata()
                .withNewSpec()
                .addNewContainer()
                .withName("main")
                .withImage("main")
                .endContainer()
                .endSpec()
                .build();
        return Optional.ofNullable(stage.client()
                        .resource(pod)
                        .dryRun()
                        .create()
                        .getMetadata()
                        .getAnnotations())
                .orElse(Map.of());
    }

    @Test
    void aPodMovesOnceForAnInjectedRuleAndItsReplacementLandsWhereTheRuleHolds(ScenarioRun scenarioRun) {
        Stage stage = scenarioRun
                .stage("injected")
                .node("n1", "disk=ssd")
                .node("n2", "disk=hdd")
                .node("n3", "disk=hdd");
        stage.policy(ENFORCE + "scheduling: Inject\n" + SSD);
        scenarioRun.until(
                "the API server injects the rule",
                () -> annotationsOfNewPods(stage, Map.of()).containsKey(ANNOTATION));
        stage.deployment("web", 1, LIKES_HDD);
        scenarioRun.settle(stage, "web", 1);
        assertThat(stage.places("web")).containsExactly("n1");
        scenarioRun.calm(stage);
        List<Pod> victims = stage.running("web");

        stage.label("n3", "disk", "ssd").label("n1", "disk", "hdd");

        scenarioRun.moved(stage, 1);
        assertThat(stage.places("web")).containsExactly("n3");
        scenarioRun.over(stage, scenarioRun.evicted(stage, victims, "ssd", lostItsSsd(stage)));
    }

    @Test
    void aPodThatTheSchedulerPutsBackIntoTheBreachIsNotMovedAgain(ScenarioRun scenarioRun) {
        Stage stage = scenarioRun.stage("put-back").node("n1", "disk=ssd").node("n2", "disk=hdd");
        stage.cordon("n2");
        stage.deployment("web", 1, LIKES_HDD);
        scenarioRun.until("the pod runs", () -> stage.running("web").size() == 1);
        stage.node("n3", "disk=ssd").uncordon("n2");
        scenarioRun.settle(stage, "web", 1);
        scenarioRun.calm(stage.policy(ENFORCE + "scheduling: None\n" + SSD));
        List<Pod> victims = stage.running("web");

        stage.label("n1", "disk", "hdd");

        scenarioRun.held(stage, "Futile");
        assertThat(stage.outcomes()).containsExactly("Futile");
        scenarioRun.over(stage, scenarioRun.evicted(stage, victims, "ssd", lostItsSsd(stage)));
    }

    /** The API server refuses a pod whose term has a key twice in matchLabelKeys. It injects the other rule alone. */
    @Test
    void aRuleWithALabelKeyTwiceKeepsNoPodFromBeingCreated(ScenarioRun scenarioRun) {
        Stage stage = scenarioRun.stage("key-twice").node("n1", "disk=ssd");
        stage.policy(ENFORCE + "scheduling: Inject\n" + SSD + """
            - name: apart
              podAntiAffinityTerm:
                {labelSelector: {}, topologyKey: kubernetes.io/hostname, matchLabelKeys: [hash, hash]}
            """);

        scenarioRun.until(
                "the API server injects the other rule",
                () -> annotationsOfNewPods(stage, Map.of()).containsKey(ANNOTATION));

        assertThat(annotationsOfNewPods(stage, Map.of()).get(ANNOTATION))
                .isEqualTo("PlacementPolicy/keep/ssd node:-:1.0");
        scenarioRun.over(stage, PodRemovals.NONE);
    }

    @Test
    void aPodMovesOnceForAnInjectedRuleOfItsAnnotation(ScenarioRun scenarioRun) {
        Stage stage = scenarioRun
                .stage("annotated")
                .node("n1", "disk=ssd")
                .node("n2", "disk=hdd")
                .node("n3", "disk=hdd");
        stage.policy(ENFORCE + ALLOW + "scheduling: Inject\n");
        scenarioRun.until(
                "the API server injects the rule",
                () -> annotationsOfNewPods(stage, Map.of(RULES, SSD_IN_JSON)).containsKey(ANNOTATION));
        annotatedDeployment(stage);
        scenarioRun.settle(stage, "web", 1);
        assertThat(stage.places("web")).containsExactly("n1");
        scenarioRun.calm(stage);
        List<Pod> victims = stage.running("web");

        stage.label("n3", "disk", "ssd").label("n1", "disk", "hdd");

        scenarioRun.moved(stage, 1);
        assertThat(stage.places("web")).containsExactly("n3");
        assertThat(stage.running("web").getFirst().getMetadata().getAnnotations())
                .containsEntry(ANNOTATION, "annotation/ssd node:-:1.0");
        scenarioRun.over(stage, scenarioRun.evicted(stage, victims, "AnnotationRules", lostItsSsd(stage)));
    }

    @Test
    void aPodWhoseAnnotationIsNotInjectedIsPutBackIntoTheBreachAndNotMovedAgain(ScenarioRun scenarioRun) {
        Stage stage =
                scenarioRun.stage("annotated-put-back").node("n1", "disk=ssd").node("n2", "disk=hdd");
        stage.cordon("n2");
        annotatedDeployment(stage);
        scenarioRun.until("the pod runs", () -> stage.running("web").size() == 1);
        stage.node("n3", "disk=ssd").uncordon("n2");
        scenarioRun.settle(stage, "web", 1);
        scenarioRun.calm(stage.policy(ENFORCE + ALLOW + "scheduling: None\n"));
        List<Pod> victims = stage.running("web");

        stage.label("n1", "disk", "hdd");

        scenarioRun.held(stage, "Futile");
        assertThat(stage.outcomes()).containsExactly("Futile");
        assertThat(stage.running("web").getFirst().getMetadata().getAnnotations())
                .doesNotContainKey(ANNOTATION);
        scenarioRun.over(stage, scenarioRun.evicted(stage, victims, "AnnotationRules", lostItsSsd(stage)));
    }

    private static void annotatedDeployment(Stage stage) {
        stage.apply("""
            apiVersion: apps/v1
            kind: Deployment
            metadata: {name: web}
            spec:
              replicas: 1
              selector: {matchLabels: {app: web}}
              template:
                metadata:
                  labels: {app: web}
                  annotations:
                    %s: '%s'
                spec:
                  nodeSelector: {pool: $NS}
                  containers: [{name: main, image: web}]
            %s
            """.formatted(RULES, SSD_IN_JSON, LIKES_HDD.indent(6).stripTrailing()));
    }
}
