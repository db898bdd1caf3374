package dev.holdfast.it.demo;

import dev.holdfast.it.demo.SceneObservation.Move;
import dev.holdfast.it.demo.SceneObservation.PlacementEvent;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** Everything that was observed of one scene so far, whether it is printed already or not. */
final class SceneLog {
    private final DemoScene scene;
    private final List<SeenEvent> events = new ArrayList<>();
    private final Set<String> known = new HashSet<>();
    private List<Move> moves = List.of();
    private Optional<Instant> deadline = Optional.empty();
    private Optional<Verdict> verdict = Optional.empty();
    private int printed;

    /** An event and the second of the demo in which it was first seen. */
    record SeenEvent(double second, PlacementEvent event) {}

    SceneLog(DemoScene scene) {
        this.scene = scene;
    }

    DemoScene scene() {
        return scene;
    }

    /** Adds the events that are new. An event that happens again counts as a new one. */
    void add(double second, SceneObservation observation) {
        observation.events().stream()
                .filter(event -> known.add(
                        String.join("/", event.reason(), event.kind(), event.name(), event.count() + event.message())))
                .forEach(event -> events.add(new SeenEvent(second, event)));
        moves = observation.moves();
        deadline = observation.deadline();
    }

    void end(Verdict end) {
        verdict = Optional.of(end);
    }

    /** {@return how it ended; empty while it goes on} */
    Optional<Verdict> verdict() {
        return verdict;
    }

    /** {@return when the first violation becomes due; empty before there is one, and once anything came of it} */
    Optional<Instant> deadline() {
        return deadline;
    }

    /** {@return the lines that describe it in short} */
    List<String> story() {
        return new SceneStory(scene.name(), events, moves).lines();
    }

    /** {@return the events since the last call, in the order in which they were seen} */
    List<SeenEvent> newEvents() {
        List<SeenEvent> added = List.copyOf(events.subList(printed, events.size()));
        printed = events.size();
        return added;
    }
}
