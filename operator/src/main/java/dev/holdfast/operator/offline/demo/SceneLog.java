package dev.holdfast.operator.offline.demo;

import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** All events and moves of one scene seen so far, printed or not, and how the scene ended. */
public final class SceneLog {
    private static final Pattern DEADLINE = Pattern.compile("Due for eviction at (\\S+)");

    private final Scene scene;
    private final List<SeenEvent> events = new ArrayList<>();
    private final Set<String> known = new HashSet<>();
    private List<EndedMove> moves = List.of();
    private Optional<Instant> deadline = Optional.empty();
    private Optional<SceneResult> sceneResult = Optional.empty();
    private int printed;

    /**
     * A Kubernetes event of the operator.
     *
     * @param kind the kind of the object that the event is about
     * @param count how often the event happened; the message is from the last time
     */
    public record PlacementEvent(String reason, String kind, String name, int count, String message) {}

    /**
     * A move that has ended: the pod, its old node, the node of the replacement and the outcome. An unknown value is
     * empty.
     */
    public record EndedMove(String pod, String fromNode, String toNode, String outcome) {
        @Override
        public String toString() {
            return pod + " from " + fromNode + " to " + toNode + " (" + outcome + ")";
        }
    }

    /** An event, and how many seconds after the start of the demo it was first seen. */
    record SeenEvent(double second, PlacementEvent event) {}

    SceneLog(Scene scene) {
        this.scene = scene;
    }

    Scene scene() {
        return scene;
    }

    /** Adds the events that are new since the last call. An event that happened again, with a higher count, is new. */
    void add(double second, List<PlacementEvent> current, List<EndedMove> ended) {
        current.stream()
                .filter(event -> known.add(
                        String.join("/", event.reason(), event.kind(), event.name(), event.count() + event.message())))
                .forEach(event -> events.add(new SeenEvent(second, event)));
        moves = List.copyOf(ended);
        deadline = deadline(current);
    }

    private static Optional<Instant> deadline(List<PlacementEvent> current) {
        boolean over = current.stream().anyMatch(it -> !it.reason().equals("PlacementViolated"));
        return over
                ? Optional.empty()
                : current.stream()
                        .map(it -> DEADLINE.matcher(it.message()))
                        .filter(Matcher::find)
                        .map(it -> Instant.parse(it.group(1)))
                        .min(Comparator.naturalOrder());
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

    List<SeenEvent> events() {
        return List.copyOf(events);
    }

    List<EndedMove> moves() {
        return moves;
    }

    /** Marks all events as printed, and returns those added since the last call, in the order of their addition. */
    List<SeenEvent> newEvents() {
        List<SeenEvent> added = List.copyOf(events.subList(printed, events.size()));
        printed = events.size();
        return added;
    }
}
