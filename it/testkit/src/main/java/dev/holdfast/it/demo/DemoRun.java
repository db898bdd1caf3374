package dev.holdfast.it.demo;

import static org.awaitility.Awaitility.await;

import dev.holdfast.it.controlplane.AuditTrail;
import dev.holdfast.it.controlplane.TimeLimits;
import dev.holdfast.it.scenario.PodRemovals;
import dev.holdfast.it.scenario.Stage;
import dev.holdfast.operator.offline.demo.Narrator;
import dev.holdfast.operator.offline.demo.SceneResult.AsExpected;
import dev.holdfast.operator.offline.demo.SceneResult.Difference;
import dev.holdfast.operator.offline.demo.SceneResult.NotAsExpected;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.BooleanSupplier;
import org.awaitility.core.ConditionTimeoutException;

/** Runner of the demo: runs all scenes at the same time on one cluster, and compares each with its expected ending. */
final class DemoRun {
    private static final Duration INTO_THE_WINDOW = Duration.ofSeconds(4);
    private static final Duration GLANCE = Duration.ofMillis(250);

    /** How long every scene must stay as expected after all scenes have ended. */
    private static final Duration QUIET = Duration.ofSeconds(3);

    private final KubernetesClient client;
    private final AuditTrail trail;
    private final String operator;
    private final Narrator narrator;
    private final List<Act> acts = new ArrayList<>();
    private final Set<String> ended = new TreeSet<>();

    /** A scene, the namespace and nodes that it runs in, and the check of its ending. */
    private record Act(DemoScene demoScene, Stage stage, SceneCheck sceneCheck) {
        String name() {
            return demoScene.name();
        }
    }

    /**
     * A run of the demo, which begins with {@link #play}.
     *
     * @param operator the operator's user name at the API server
     */
    DemoRun(KubernetesClient client, AuditTrail trail, String operator, Narrator narrator) {
        this.client = client;
        this.trail = trail;
        this.operator = operator;
        this.narrator = narrator;
    }

    /**
     * Sets up all scenes, waits until the operator is ready, and breaks the rules. Prints what differs from the
     * expected endings. Returns whether every scene ended as expected within the time limit and stayed so.
     */
    boolean play(BooleanSupplier operatorIsReady) {
        try {
            set(operatorIsReady);
        } catch (ConditionTimeoutException e) {
            narrator.say("!!! the scenes could not be prepared: " + e.getMessage());
            return false;
        }
        boolean asExpected = breakAndWatch();
        narrator.conclude(asExpected);
        return asExpected;
    }

    private boolean breakAndWatch() {
        try {
            breakRules();
            watch();
            return true;
        } catch (ConditionTimeoutException _) {
            acts.forEach(this::judge);
            return false;
        }
    }

    private void set(BooleanSupplier operatorIsReady) {
        Map<DemoScene, Stage> stages = new LinkedHashMap<>();
        DemoScenes.all().forEach(demoScene -> {
            Stage stage = Stage.open(client, demoScene.name());
            demoScene.setting().accept(stage);
            stages.put(demoScene, stage);
        });
        await("the operator is ready").atMost(TimeLimits.STATE).until(operatorIsReady::getAsBoolean);
        await("all workloads run and all rules hold")
                .atMost(TimeLimits.STATE)
                .pollInterval(GLANCE)
                .until(() -> stages.entrySet().stream().allMatch(it -> isSet(it.getKey(), it.getValue())));
        stages.forEach((demoScene, stage) -> acts.add(new Act(demoScene, stage, check(demoScene, stage))));
        narrator.say("ready: " + acts.size() + " policies, all rules hold");
    }

    private static boolean isSet(DemoScene demoScene, Stage stage) {
        int pods = demoScene.cast().pods();
        return stage.nodesAreOpen()
                && stage.running(demoScene.cast().app()).size() == pods
                && stage.status("pods", "selected").equals(Optional.of(pods))
                && stage.status("pods", "violating").equals(Optional.of(0));
    }

    private SceneCheck check(DemoScene demoScene, Stage stage) {
        PodRemovals rolled = demoScene.cast().rolled().stream()
                .map(app -> PodRemovals.scaledDown(stage.running(app)))
                .reduce(PodRemovals.NONE, PodRemovals::and);
        return new SceneCheck(
                demoScene.scene().ending(),
                SceneObservation.places(stage, demoScene.cast().app()),
                rolled.deletions(),
                operator,
                stage.namespace() + "/keep");
    }

    private void breakRules() {
        narrator.say(
                "breaking one rule in each of " + acts.size() + " namespaces now; they follow one after the other");
        narrator.say(Narrator.FIRST_WATCH);
        narrator.begin(acts.stream().map(act -> act.demoScene().scene()).toList());
        acts.forEach(act -> act.demoScene().breach().accept(act.stage()));
        await("every scene has had an event PlacementViolated for " + INTO_THE_WINDOW.toSeconds() + " s")
                .pollInterval(GLANCE)
                .during(INTO_THE_WINDOW)
                .atMost(TimeLimits.STATE)
                .until(this::isEveryViolationReported);
        acts.forEach(act -> act.demoScene().later().accept(act.stage()));
    }

    private boolean isEveryViolationReported() {
        return acts.stream().map(this::observe).toList().stream()
                .allMatch(observation -> observation.events().stream()
                        .anyMatch(event -> event.reason().equals("PlacementViolated")));
    }

    private void watch() {
        await("all scenes end as expected")
                .atMost(TimeLimits.STATE)
                .pollInterval(GLANCE)
                .until(() -> {
                    acts.stream().filter(act -> !ended.contains(act.name())).forEach(this::endIfAsExpected);
                    return ended.size() == acts.size();
                });
        await("nothing more happens for " + QUIET.toSeconds() + " s")
                .pollInterval(GLANCE)
                .during(QUIET)
                .atMost(QUIET.multipliedBy(4))
                .until(() -> acts.stream().allMatch(act -> differences(act).isEmpty()));
    }

    private List<Difference> differences(Act act) {
        return act.sceneCheck().differences(observe(act));
    }

    private List<Difference> endIfAsExpected(Act act) {
        SceneObservation observation = observe(act);
        List<Difference> differences = act.sceneCheck().differences(observation);
        if (differences.isEmpty()) {
            ended.add(act.name());
            narrator.end(act.name(), new AsExpected(result(act.demoScene(), observation)));
        }
        return differences;
    }

    /**
     * Checks a scene for the last time, after the time limit. A scene that has not ended gets its result now. If a
     * scene had ended as expected but differs by now, prints the differences.
     */
    private void judge(Act act) {
        if (ended.contains(act.name())) {
            List<Difference> differences = differences(act);
            if (!differences.isEmpty()) {
                narrator.revoke(act.name(), differences);
            }
        } else {
            List<Difference> differences = endIfAsExpected(act);
            if (!differences.isEmpty()) {
                narrator.end(act.name(), new NotAsExpected(differences));
            }
        }
    }

    /** Reads the state of a scene from the API server, passes it to the narrator and returns it. */
    private SceneObservation observe(Act act) {
        SceneObservation observation =
                SceneObservation.of(act.stage(), act.demoScene().cast().app(), trail);
        narrator.follow(act.name(), observation.events(), observation.moves());
        return observation;
    }

    private static String result(DemoScene demoScene, SceneObservation observation) {
        return demoScene
                .scene()
                .result(
                        demoScene.cast().app(),
                        observation.running().stream()
                                .map(SceneObservation.Place::node)
                                .toList());
    }
}
