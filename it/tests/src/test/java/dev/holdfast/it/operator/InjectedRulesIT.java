package dev.holdfast.it.operator;

import static dev.holdfast.it.scenario.StageDefaults.ENFORCE;
import static org.assertj.core.api.Assertions.assertThat;

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

    private static String lostItsSsd(Stage stage) {
        return "label disk of node " + stage.nodeName("n1") + " changed ssd -> hdd";
    }

    private static Map<String, String> annotationsOfNewPods(Stage stage) {
        Pod pod = new PodBuilder()
                .withNewMetadata()
                .withName("probe")
                .withNamespace(stage.namespace())
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
                () -> annotationsOfNewPods(stage).containsKey(ANNOTATION));
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
        scenarioRun.calm(stage.policy(ENFORCE + "scheduling: None\n" + SSD));
        List<Pod> victims = stage.running("web");

        stage.label("n1", "disk", "hdd");

        scenarioRun.held(stage, "Futile");
        assertThat(stage.outcomes()).containsExactly("Futile");
        scenarioRun.over(stage, scenarioRun.evicted(stage, victims, "ssd", lostItsSsd(stage)));
    }
}
