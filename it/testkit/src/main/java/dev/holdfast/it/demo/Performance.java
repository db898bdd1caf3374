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
final class Performance {
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
    private record Act(Scene scene, Stage stage, Judgement judgement) {
        String name() {
            return scene.name();
        }
    }

    /**
     * A performance that has not begun.
     *
     * @param operator the user that the operator is to the API server
     */
    Performance(KubernetesClient client, AuditTrail trail, String operator, Narrator narrator) {
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
        Map<Scene, Stage> stages = new LinkedHashMap<>();
        Scenes.all().forEach(scene -> {
            Stage stage = Stage.open(client, scene.name());
            scene.setting().accept(stage);
            stages.put(scene, stage);
        });
        await("the operator is ready").atMost(SETTING).until(operatorIsReady::getAsBoolean);
        await("all workloads run and all rules hold")
                .atMost(SETTING)
                .pollInterval(GLANCE)
                .until(() -> stages.entrySet().stream().allMatch(it -> isSet(it.getKey(), it.getValue())));
        stages.forEach((scene, stage) -> acts.add(new Act(scene, stage, judgement(scene, stage))));
        narrator.say("ready: " + acts.size() + " policies, all rules hold");
    }

    private static boolean isSet(Scene scene, Stage stage) {
        int pods = scene.cast().pods();
        return stage.nodesAreOpen()
                && stage.running(scene.cast().app()).size() == pods
                && stage.status("pods", "selected").equals(Optional.of(pods))
                && stage.status("pods", "violating").equals(Optional.of(0));
    }

    private Judgement judgement(Scene scene, Stage stage) {
        Departures rolled = scene.cast().rolled().stream()
                .map(app -> Departures.scaledDown(stage.running(app)))
                .reduce(Departures.NONE, Departures::and);
        return new Judgement(
                scene.ending(),
                Seen.places(stage, scene.cast().app()),
                rolled.deletions(),
                operator,
                stage.namespace() + "/keep");
    }

    private void breakRules() {
        acts.forEach(act -> {
            narrator.say(act.name(), "--- " + act.scene().title());
            act.scene().breach().accept(act.stage());
        });
        await("every breach is told of, for " + INTO_THE_WINDOW.toSeconds() + " s")
                .pollInterval(GLANCE)
                .during(INTO_THE_WINDOW)
                .atMost(PLAY)
                .until(this::isEveryBreachTold);
        acts.forEach(act -> act.scene().later().accept(act.stage()));
    }

    private boolean isEveryBreachTold() {
        return acts.stream().map(this::seen).toList().stream()
                .allMatch(seen ->
                        seen.events().stream().anyMatch(event -> event.reason().equals("PlacementViolated")));
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
        return act.judgement().missing(seen(act));
    }

    private boolean endsNow(Act act) {
        Seen seen = seen(act);
        boolean now =
                !ended.contains(act.name()) && act.judgement().missing(seen).isEmpty();
        if (now) {
            narrator.say(act.name(), "=== as it should be: " + told(act.scene().ending(), seen));
        }
        return now;
    }

    /** Looks at a scene, and tells what is new in it. */
    private Seen seen(Act act) {
        Seen seen = Seen.of(act.stage(), act.scene().cast().app(), trail);
        narrator.follow(act.name(), seen.events());
        narrator.countDown(act.name(), seen.deadline());
        return seen;
    }

    private static String told(Scene.Ending ending, Seen seen) {
        List<String> nodes =
                seen.running().stream().map(Seen.Place::node).sorted().toList();
        return switch (ending) {
            case Scene.Ending.Moved _ ->
                seen.moves().stream()
                                .map(move -> move.pod() + " left " + move.fromNode() + ", its replacement runs on "
                                        + move.toNode())
                                .collect(Collectors.joining("; "))
                        + "; now on " + nodes;
            case Scene.Ending.Healed _ -> "the rule holds again, nobody was touched; still on " + nodes;
            case Scene.Ending.Held(String reason) -> "held " + reason + ", nobody was touched; still on " + nodes;
        };
    }
}
