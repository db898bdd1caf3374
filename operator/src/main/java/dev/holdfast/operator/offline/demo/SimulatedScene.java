package dev.holdfast.operator.offline.demo;

import dev.holdfast.operator.offline.demo.Scene.Ending;
import dev.holdfast.operator.offline.demo.SceneLog.EndedMove;
import dev.holdfast.operator.offline.demo.SceneLog.PlacementEvent;
import dev.holdfast.operator.offline.dump.DumpException;
import dev.holdfast.operator.offline.dump.DumpFile;
import dev.holdfast.operator.offline.policytest.PolicyTests;
import dev.holdfast.operator.offline.policytest.TestReport;
import dev.holdfast.operator.offline.simulate.Happening;
import dev.holdfast.operator.offline.simulate.History;
import dev.holdfast.operator.offline.simulate.Simulation;
import dev.holdfast.operator.publish.EventMessage;
import dev.holdfast.policies.engine.report.BoundPod;
import dev.holdfast.policies.engine.report.Notification;
import dev.holdfast.policies.model.NamespacedName;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Stream;

/**
 * A scene that was played on the simulator.
 *
 * @param scene its name and title, and how it ended
 * @param deviations how the ending differs from the expected one, as sentences; empty if it does not
 */
record SimulatedScene(Scene scene, Simulation simulation, List<String> deviations) {
    private static final String APP = "web";

    SimulatedScene {
        deviations = List.copyOf(deviations);
    }

    /** A Kubernetes event that the operator would write, and its virtual time. */
    record TimedEvent(Instant at, PlacementEvent event) {}

    /**
     * {@return a scene that was played to its end}
     *
     * @param file opens the file with a name
     */
    static SimulatedScene play(String name, Function<String, DumpFile.Content> file) throws DumpException {
        PolicyTests.Played test = PolicyTests.play(name, file);
        return new SimulatedScene(
                new Scene(name, test.result().story(), ending(name, test.simulation())),
                test.simulation(),
                test.result().deviations().stream()
                        .map(TestReport.Difference::message)
                        .toList());
    }

    private static Ending ending(String namespace, Simulation simulation) {
        History history = History.of(simulation.happenings());
        List<EndedMove> moves = moves(namespace, history);
        return moves.isEmpty()
                ? history.held().stream()
                        .findFirst()
                        .<Ending>map(
                                held -> new Ending.Held(held.hold().reason().label()))
                        .orElseGet(Ending.Healed::new)
                : new Ending.Moved(moves.size(), moves.getFirst().toNode());
    }

    private static List<EndedMove> moves(String namespace, History history) {
        return history.evictions().reversed().stream()
                .flatMap(eviction -> eviction.move().stream())
                .map(move -> move(namespace, move))
                .toList();
    }

    private static EndedMove move(String namespace, Notification.Moved move) {
        BoundPod victim = move.violation().victim();
        return new EndedMove(
                victim.name().name(),
                shortName(namespace, victim.node()),
                shortName(namespace, move.toNode().orElse("")),
                move.outcome().label());
    }

    private static String shortName(String namespace, String node) {
        return node.replaceFirst("^" + namespace + "-", "");
    }

    String name() {
        return scene.name();
    }

    Instant start() {
        return simulation.start();
    }

    /** {@return the events about pods, and those about the policy after its pods were evicted; in order} */
    List<TimedEvent> events() {
        return simulation.happenings().stream().flatMap(SimulatedScene::event).toList();
    }

    private static Stream<TimedEvent> event(Happening happening) {
        return switch (happening) {
            case Happening.Notified(Instant at, Notification notification) -> {
                NamespacedName pod = notification.subject().name();
                yield EventMessage.of(notification, Optional.of(pod.namespace()), at).stream()
                        .map(message -> new TimedEvent(at, event(notification, pod, message)));
            }
            case Happening.Braked _ -> Stream.empty();
        };
    }

    /** {@return an event about the pod; about the policy once the pod is gone, as the operator writes it} */
    private static PlacementEvent event(Notification notification, NamespacedName pod, EventMessage message) {
        String reason = message.reason().label();
        return notification instanceof Notification.Moved
                ? new PlacementEvent(
                        reason,
                        "PlacementPolicy",
                        notification.violation().policy().name(),
                        1,
                        "Pod " + pod + ": " + message.message())
                : new PlacementEvent(reason, "Pod", pod.name(), 1, message.message());
    }

    /** {@return the moves that have ended, newest first} */
    List<EndedMove> moves() {
        return moves(name(), History.of(simulation.happenings()));
    }

    /** {@return the ending in a few words} */
    String result() {
        return scene.result(
                APP,
                simulation.cluster().pods().stream()
                        .filter(pod -> pod.labels().get("app").equals(Optional.of(APP)))
                        .flatMap(pod -> pod.nodeName().stream())
                        .map(node -> shortName(name(), node))
                        .toList());
    }
}
