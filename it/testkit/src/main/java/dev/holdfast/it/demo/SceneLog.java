package dev.holdfast.it.demo;

import dev.holdfast.it.demo.SceneObservation.Move;
import dev.holdfast.it.demo.SceneObservation.PlacementEvent;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** All events and moves of one scene seen so far, printed or not, and how the scene ended. */
final class SceneLog {
    private final DemoScene scene;
    private final List<SeenEvent> events = new ArrayList<>();
    private final Set<String> known = new HashSet<>();
    private List<Move> moves = List.of();
    private Optional<Instant> deadline = Optional.empty();
    private Optional<SceneResult> sceneResult = Optional.empty();
    private int printed;

    /** An event, and how many seconds after the start of the demo it was first seen. */
    record SeenEvent(double second, PlacementEvent event) {}

    SceneLog(DemoScene scene) {
        this.scene = scene;
    }

    DemoScene scene() {
        return scene;
    }

    /** Adds the events that are new since the last call. An event that happened again, with a higher count, is new. */
    void add(double second, SceneObservation observation) {
        observation.events().stream()
                .filter(event -> known.add(
                        String.join("/", event.reason(), event.kind(), event.name(), event.count() + event.message())))
                .forEach(event -> events.add(new SeenEvent(second, event)));
        moves = observation.moves();
        deadline = observation.deadline();
    }

    void end(SceneResult end) {
        sceneResult = Optional.of(end);
    }

    /** {@return how the scene ended; empty while it runs} */
    Optional<SceneResult> sceneResult() {
        return sceneResult;
    }

    /**
     * {@return until when to show the countdown: the instant when the first violation becomes due} Empty before the
     * event about the first violation, and as soon as there is an event about anything else, such as an eviction.
     */
    Optional<Instant> deadline() {
        return deadline;
    }

    /** {@return the lines that summarize the scene} */
    List<String> story() {
        return new SceneStory(scene.name(), events, moves).lines();
    }

    /** Marks all events as printed, and returns those added since the last call, in the order of their addition. */
    List<SeenEvent> newEvents() {
        List<SeenEvent> added = List.copyOf(events.subList(printed, events.size()));
        printed = events.size();
        return added;
    }
}
