package dev.holdfast.it.demo;

import static org.awaitility.Awaitility.await;

import dev.holdfast.it.chart.InstalledChart;
import dev.holdfast.it.controlplane.AuditTrail;
import dev.holdfast.it.controlplane.ControlPlane;
import dev.holdfast.it.controlplane.Program;
import dev.holdfast.it.scenario.OperatorProcess;
import dev.holdfast.it.scenario.Stage;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import java.time.Duration;
import java.time.InstantSource;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.CountDownLatch;
import org.awaitility.core.ConditionTimeoutException;

/**
 * {@code holdfast demo}: a local control plane, the chart, the operator, six scenes. Exits with 0 only if every scene
 * ended as it should and the API server's audit log holds no other eviction; with {@code --keep} it leaves everything
 * running until it is interrupted.
 */
public final class Main {
    private static final Duration SETTING = Duration.ofSeconds(60);
    private static final Duration PLAY = Duration.ofSeconds(60);
    private static final Duration INTO_THE_WINDOW = Duration.ofSeconds(5);
    private static final Duration GLANCE = Duration.ofMillis(250);

    private final Narrator narrator = new Narrator(System.out, InstantSource.system());
    private final Map<Scene, Stage> stages = new LinkedHashMap<>();

    private Main() {}

    /** Plays the demo; the only argument is {@code --keep}. */
    public static void main(String[] args) throws InterruptedException {
        if (!List.of().equals(List.of(args)) && !List.of("--keep").equals(List.of(args))) {
            System.err.println(
                    "holdfast demo: unknown argument in '" + String.join(" ", args) + "'; only --keep is allowed");
            System.exit(2);
        }
        System.exit(new Main().play(args.length > 0));
    }

    private int play(boolean keep) throws InterruptedException {
        narrator.say(
                "starting a local control plane: etcd, kube-apiserver, controllers, scheduler, kwok for the nodes");
        try (ControlPlane controlPlane = ControlPlane.start()) {
            narrator.say("installing the chart with enforcement.enabled=true");
            InstalledChart chart = InstalledChart.install(controlPlane, "holdfast", "enforcement.enabled=true");
            narrator.say("starting the operator as " + chart.user());
            try (OperatorProcess operator = OperatorProcess.start(
                            chart.kubeconfig(),
                            chart.config(),
                            controlPlane.folder().resolve("logs/operator.log"));
                    KubernetesClient client = new KubernetesClientBuilder()
                            .withConfig(controlPlane.config())
                            .build()) {
                boolean asItShould = perform(client, operator, controlPlane.auditTrail());
                if (!asItShould) {
                    System.err.println("the operator's log:\n" + String.join("\n", operator.log()));
                }
                if (keep) {
                    showAround(controlPlane);
                    new CountDownLatch(1).await();
                }
                return asItShould ? 0 : 1;
            }
        }
    }

    private boolean perform(KubernetesClient client, OperatorProcess operator, AuditTrail trail) {
        Scenes.all().forEach(scene -> {
            Stage stage = Stage.open(client, scene.name());
            scene.setting().accept(stage);
            stages.put(scene, stage);
        });
        await("the operator is ready").atMost(SETTING).until(operator::isReady);
        await("all workloads run")
                .atMost(SETTING)
                .pollInterval(GLANCE)
                .until(() -> stages.entrySet().stream().allMatch(it -> isSet(it.getKey(), it.getValue())));
        narrator.say("ready: " + stages.size() + " policies, all rules hold");
        stages.forEach((scene, stage) -> {
            narrator.say(scene.name(), "--- " + scene.title());
            scene.breach().accept(stage);
        });
        await().pollDelay(INTO_THE_WINDOW).atMost(PLAY).until(() -> {
            stages.values().forEach(narrator::follow);
            return true;
        });
        stages.forEach((scene, stage) -> scene.later().accept(stage));
        return watch(trail);
    }

    private static boolean isSet(Scene scene, Stage stage) {
        return stage.nodesAreOpen()
                && stage.running(scene.app()).size() == scene.pods()
                && stage.status("pods", "selected")
                        .filter(Integer.valueOf(scene.pods())::equals)
                        .isPresent()
                && stage.status("pods", "violating")
                        .filter(Integer.valueOf(0)::equals)
                        .isPresent();
    }

    private boolean watch(AuditTrail trail) {
        Set<String> ended = new TreeSet<>();
        try {
            await("all scenes have ended").atMost(PLAY).pollInterval(GLANCE).until(() -> {
                stages.forEach((scene, stage) -> {
                    narrator.follow(stage);
                    int evictions = trail.evictions(stage.namespace()).size();
                    if (!ended.contains(scene.name()) && scene.hasEnded(stage, evictions)) {
                        ended.add(scene.name());
                        narrator.say(
                                scene.name(),
                                "=== as it should be: " + scene.ending() + ", web on " + stage.places(scene.app()));
                    }
                });
                return ended.size() == stages.size();
            });
        } catch (ConditionTimeoutException _) {
            stages.keySet().stream()
                    .filter(scene -> !ended.contains(scene.name()))
                    .forEach(scene -> narrator.say(scene.name(), "!!! did not end as " + scene.ending()));
            return false;
        }
        return stages.entrySet().stream()
                .allMatch(it -> it.getKey()
                        .hasEnded(
                                it.getValue(),
                                trail.evictions(it.getValue().namespace()).size()));
    }

    private static void showAround(ControlPlane controlPlane) {
        String kubectl = controlPlane.binary(Program.KUBECTL) + " --kubeconfig " + controlPlane.kubeconfig();
        System.out.printf("""

            The cluster stays up until you press Ctrl-C. Look around:
              %1$s get plpol -A
              %1$s describe plpol -n held keep
              %1$s get events -n topology-spread --sort-by .lastTimestamp
              %1$s get pods -A -o wide
            Logs are in %2$s
            """, kubectl, controlPlane.folder().resolve("logs"));
    }
}
