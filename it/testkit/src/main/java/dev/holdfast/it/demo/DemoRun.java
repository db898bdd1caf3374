package dev.holdfast.it.demo;

import static org.awaitility.Awaitility.await;

import dev.holdfast.it.controlplane.AuditTrail;
import dev.holdfast.it.scenario.Departures;
import dev.holdfast.it.scenario.Stage;
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
import java.util.stream.Collectors;
import org.awaitility.core.ConditionTimeoutException;

/** All scenes played side by side on one cluster, told and judged. */
final class DemoRun {
    private static final Duration SETTING = Duration.ofSeconds(60);
    private static final Duration PLAY = Duration.ofSeconds(60);
    private static final Duration INTO_THE_WINDOW = Duration.ofSeconds(4);
    private static final Duration GLANCE = Duration.ofMillis(250);

    /** How long nothing more may happen once all scenes have ended. */
    private static final Duration QUIET = Duration.ofSeconds(3);

    private final KubernetesClient client;
    private final AuditTrail trail;
    private final String operator;
    private final Narrator narrator;
    private final List<Act> acts = new ArrayList<>();
    private final Set<String> ended = new TreeSet<>();

    /** A scene on its stage. */
    private record Act(DemoScene demoScene, Stage stage, SceneCheck sceneCheck) {
        String name() {
            return demoScene.name();
        }
    }

    /**
     * A performance that has not begun.
     *
     * @param operator the user that the operator is to the API server
     */
    DemoRun(KubernetesClient client, AuditTrail trail, String operator, Narrator narrator) {
        this.client = client;
        this.trail = trail;
        this.operator = operator;
        this.narrator = narrator;
    }

    /** {@return whether every scene ended as it should, and stayed so} What did not is told. */
    boolean play(BooleanSupplier operatorIsReady) {
        try {
            set(operatorIsReady);
            breakRules();
            watch();
            return true;
        } catch (ConditionTimeoutException e) {
            narrator.say("!!! "
                    + (acts.isEmpty() ? "the scenes cannot be set: " + e.getMessage() : "not all was seen in time"));
            acts.forEach(act -> missing(act).forEach(missing -> narrator.say(act.name(), "!!! " + missing)));
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
        await("the operator is ready").atMost(SETTING).until(operatorIsReady::getAsBoolean);
        await("all workloads run and all rules hold")
                .atMost(SETTING)
                .pollInterval(GLANCE)
                .until(() -> stages.entrySet().stream().allMatch(it -> isSet(it.getKey(), it.getValue())));
        stages.forEach((demoScene, stage) -> acts.add(new Act(demoScene, stage, judgement(demoScene, stage))));
        narrator.say("ready: " + acts.size() + " policies, all rules hold");
    }

    private static boolean isSet(DemoScene demoScene, Stage stage) {
        int pods = demoScene.cast().pods();
        return stage.nodesAreOpen()
                && stage.running(demoScene.cast().app()).size() == pods
                && stage.status("pods", "selected").equals(Optional.of(pods))
                && stage.status("pods", "violating").equals(Optional.of(0));
    }

    private SceneCheck judgement(DemoScene demoScene, Stage stage) {
        Departures rolled = demoScene.cast().rolled().stream()
                .map(app -> Departures.scaledDown(stage.running(app)))
                .reduce(Departures.NONE, Departures::and);
        return new SceneCheck(
                demoScene.ending(),
                SceneObservation.places(stage, demoScene.cast().app()),
                rolled.deletions(),
                operator,
                stage.namespace() + "/keep");
    }

    private void breakRules() {
        acts.forEach(act -> {
            narrator.say(act.name(), "--- " + act.demoScene().title());
            act.demoScene().breach().accept(act.stage());
        });
        await("every breach is told of, for " + INTO_THE_WINDOW.toSeconds() + " s")
                .pollInterval(GLANCE)
                .during(INTO_THE_WINDOW)
                .atMost(PLAY)
                .until(this::isEveryBreachTold);
        acts.forEach(act -> act.demoScene().later().accept(act.stage()));
    }

    private boolean isEveryBreachTold() {
        return acts.stream().map(this::seen).toList().stream()
                .allMatch(sceneObservation -> sceneObservation.events().stream()
                        .anyMatch(event -> event.reason().equals("PlacementViolated")));
    }

    private void watch() {
        await("all scenes end as they should").atMost(PLAY).pollInterval(GLANCE).until(() -> {
            acts.stream().filter(this::endsNow).forEach(act -> ended.add(act.name()));
            return ended.size() == acts.size();
        });
        await("nothing more happens for " + QUIET.toSeconds() + " s")
                .pollInterval(GLANCE)
                .during(QUIET)
                .atMost(QUIET.multipliedBy(2))
                .until(() -> acts.stream().allMatch(act -> missing(act).isEmpty()));
    }

    private List<String> missing(Act act) {
        return act.sceneCheck().missing(seen(act));
    }

    private boolean endsNow(Act act) {
        SceneObservation sceneObservation = seen(act);
        boolean now = !ended.contains(act.name())
                && act.sceneCheck().missing(sceneObservation).isEmpty();
        if (now) {
            narrator.say(
                    act.name(), "=== as it should be: " + told(act.demoScene().ending(), sceneObservation));
        }
        return now;
    }

    /** Looks at a scene, and tells what is new in it. */
    private SceneObservation seen(Act act) {
        SceneObservation sceneObservation =
                SceneObservation.of(act.stage(), act.demoScene().cast().app(), trail);
        narrator.follow(act.name(), sceneObservation.events());
        narrator.countDown(act.name(), sceneObservation.deadline());
        return sceneObservation;
    }

    private static String told(DemoScene.Ending ending, SceneObservation sceneObservation) {
        List<String> nodes = sceneObservation.running().stream()
                .map(SceneObservation.Place::node)
                .sorted()
                .toList();
        return switch (ending) {
            case DemoScene.Ending.Moved _ ->
                sceneObservation.moves().stream()
                                .map(move -> move.pod() + " left " + move.fromNode() + ", its replacement runs on "
                                        + move.toNode())
                                .collect(Collectors.joining("; "))
                        + "; now on " + nodes;
            case DemoScene.Ending.Healed _ -> "the rule holds again, nobody was touched; still on " + nodes;
            case DemoScene.Ending.Held(String reason) -> "held " + reason + ", nobody was touched; still on " + nodes;
        };
    }
}
