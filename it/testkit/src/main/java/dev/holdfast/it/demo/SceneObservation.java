package dev.holdfast.it.demo;

import dev.holdfast.it.controlplane.AuditTrail;
import dev.holdfast.it.scenario.PodRemovals;
import dev.holdfast.it.scenario.Stage;
import dev.holdfast.operator.offline.demo.SceneLog.EndedMove;
import dev.holdfast.operator.offline.demo.SceneLog.PlacementEvent;
import io.fabric8.kubernetes.api.model.Event;
import io.fabric8.kubernetes.api.model.Pod;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/**
 * The state of a scene at one moment, read from the API server. Nodes have their short names.
 *
 * @param events the operator's Kubernetes events in the namespace of the scene, about any object, in the order in which
 * they were last written
 * @param moves the moves with an outcome in the policy's status, newest first
 * @param holds the reasons of the holds in the policy's status
 * @param violating the number of violating pods in the policy's status; -1 while the status has no such number
 * @param running the running pods of the scene's app, sorted by name
 * @param podRemovals the evictions and deletions of pods in the namespace, according to the API server's audit log
 */
record SceneObservation(
        List<PlacementEvent> events,
        List<EndedMove> moves,
        List<String> holds,
        int violating,
        List<Place> running,
        PodRemovals podRemovals) {
    /** A running pod and the short name of its node. */
    record Place(String pod, String uid, String node) {
        @Override
        public String toString() {
            return pod + " on " + node;
        }
    }

    SceneObservation {
        events = List.copyOf(events);
        moves = List.copyOf(moves);
        holds = List.copyOf(holds);
        running = List.copyOf(running);
    }

    /** Reads the current state of a scene from the API server and returns it. */
    static SceneObservation of(Stage stage, String app, AuditTrail trail) {
        return new SceneObservation(
                events(stage),
                moves(stage),
                stage.holds(),
                stage.status("pods", "violating")
                        .map(number -> ((Number) number).intValue())
                        .orElse(-1),
                places(stage, app),
                PodRemovals.in(trail, stage.namespace()));
    }

    static List<PlacementEvent> events(Stage stage) {
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
                .map(event -> new PlacementEvent(
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

    private static List<EndedMove> moves(Stage stage) {
        return stage.recentEvictions().stream()
                .filter(it -> it.get("outcome") != null)
                .map(it -> new EndedMove(
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

    /** {@return whether an event about this pod has this reason} */
    boolean hasEvent(String reason, String pod) {
        return events.stream()
                .anyMatch(it -> it.kind().equals("Pod")
                        && it.name().equals(pod)
                        && it.reason().equals(reason));
    }

    /** {@return the reasons of the events about this pod, in the order in which the events were last written} */
    List<String> reasons(String pod) {
        return events.stream()
                .filter(it -> it.kind().equals("Pod") && it.name().equals(pod))
                .map(PlacementEvent::reason)
                .toList();
    }

    /** {@return how often the operator recorded an event with this reason about the policy} */
    int timesOnPolicy(String reason) {
        return events.stream()
                .filter(it -> it.kind().equals("PlacementPolicy") && it.reason().equals(reason))
                .mapToInt(PlacementEvent::count)
                .sum();
    }
}
