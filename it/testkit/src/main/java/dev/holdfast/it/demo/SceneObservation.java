package dev.holdfast.it.demo;

import dev.holdfast.it.controlplane.AuditTrail;
import dev.holdfast.it.scenario.Departures;
import dev.holdfast.it.scenario.Stage;
import io.fabric8.kubernetes.api.model.Event;
import io.fabric8.kubernetes.api.model.Pod;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * What could be seen of a scene at one moment. Nodes have their short names.
 *
 * @param events about placement, on whatever object, in the order in which they were written
 * @param moves that the policy's status counts as ended, newest first
 * @param holds the reasons that the policy's status names now
 * @param violating how many pods the policy's status says violate; -1 while it says nothing
 * @param running the app's pods, by name
 * @param departures who made which pods leave, by the audit log
 */
record SceneObservation(
        List<Told> events,
        List<Move> moves,
        List<String> holds,
        int violating,
        List<Place> running,
        Departures departures) {
    private static final Pattern DEADLINE = Pattern.compile("Due for eviction at (\\S+)");

    /**
     * An event.
     *
     * @param kind of the object it is about
     * @param count how often it happened; the message is that of the last time
     */
    record Told(String reason, String kind, String name, int count, String message) {}

    /** An eviction and where the pod's replacement landed; empty where it is not known. */
    record Move(String pod, String fromNode, String toNode, String outcome) {}

    /** A pod and where it runs. */
    record Place(String pod, String uid, String node) {}

    SceneObservation {
        events = List.copyOf(events);
        moves = List.copyOf(moves);
        holds = List.copyOf(holds);
        running = List.copyOf(running);
    }

    /** {@return what is to be seen now} */
    static SceneObservation of(Stage stage, String app, AuditTrail trail) {
        return new SceneObservation(
                events(stage),
                moves(stage),
                stage.holds(),
                stage.status("pods", "violating")
                        .map(number -> ((Number) number).intValue())
                        .orElse(-1),
                places(stage, app),
                Departures.in(trail, stage.namespace()));
    }

    static List<Told> events(Stage stage) {
        List<Event> all = stage.client()
                .v1()
                .events()
                .inNamespace(stage.namespace())
                .list()
                .getItems();
        return all.stream()
                .filter(event -> event.getReason().startsWith("Placement"))
                .sorted(Comparator.comparingLong(
                        event -> Long.parseLong(event.getMetadata().getResourceVersion())))
                .map(event -> new Told(
                        event.getReason(),
                        event.getInvolvedObject().getKind(),
                        event.getInvolvedObject().getName(),
                        Objects.requireNonNullElse(event.getCount(), 1),
                        event.getMessage()))
                .toList();
    }

    static List<Place> places(Stage stage, String app) {
        return stage.running(app).stream().map(pod -> place(stage, pod)).toList();
    }

    private static Place place(Stage stage, Pod pod) {
        return new Place(
                pod.getMetadata().getName(),
                pod.getMetadata().getUid(),
                shortName(stage, pod.getSpec().getNodeName()));
    }

    private static List<Move> moves(Stage stage) {
        return stage.recentEvictions().stream()
                .filter(it -> it.get("outcome") != null)
                .map(it -> new Move(
                        text(it, "pod"),
                        shortName(stage, text(it, "fromNode")),
                        shortName(stage, text(it, "toNode")),
                        text(it, "outcome")))
                .toList();
    }

    private static String text(Map<?, ?> fields, String key) {
        return fields.get(key) instanceof String text ? text : "";
    }

    private static String shortName(Stage stage, String node) {
        String prefix = stage.nodeName("");
        return node.startsWith(prefix) ? node.substring(prefix.length()) : node;
    }

    /** {@return whether there is an event for this reason about this pod} */
    boolean tells(String reason, String pod) {
        return events.stream()
                .anyMatch(it -> it.kind().equals("Pod")
                        && it.name().equals(pod)
                        && it.reason().equals(reason));
    }

    /** {@return how often the policy's events tell of this reason} */
    int timesOnPolicy(String reason) {
        return events.stream()
                .filter(it -> it.kind().equals("PlacementPolicy") && it.reason().equals(reason))
                .mapToInt(Told::count)
                .sum();
    }

    /**
     * {@return the first deadline that an event told, which is there long before it stands in the status; empty when
     * none did, and once anything came of the breach}
     */
    Optional<Instant> deadline() {
        boolean over = events.stream().anyMatch(it -> !it.reason().equals("PlacementViolated"));
        return over
                ? Optional.empty()
                : events.stream()
                        .map(it -> DEADLINE.matcher(it.message()))
                        .filter(Matcher::find)
                        .map(it -> Instant.parse(it.group(1)))
                        .min(Comparator.naturalOrder());
    }
}
