package dev.holdfast.operator.offline.explain;

import dev.holdfast.operator.offline.simulate.Happening;
import dev.holdfast.operator.offline.simulate.Simulation;
import dev.holdfast.operator.publish.EventMessage;
import dev.holdfast.policies.engine.report.Notification;
import dev.holdfast.policies.engine.report.ViolationReport;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * What the operator would do about a pod if nothing else changed, in the words of its event.
 *
 * @param seconds after how many seconds
 * @param event the reason of the event, as in docs/reasons.md
 * @param message the message of the event
 */
public record NextStep(long seconds, String event, String message) {
    /** A move that is over ends the simulation at most this long after it. */
    private static final Duration STEP = Duration.ofMinutes(1);

    /**
     * Lets time pass, and returns the steps about a pod, in the order of time. A step that is the same as the one
     * before is left out.
     *
     * @param horizon how long to simulate, unless the pod is moved earlier
     */
    public static List<NextStep> play(Simulation simulation, String podUid, Duration horizon) {
        Duration time = Duration.ZERO;
        while (time.compareTo(horizon) < 0 && !isMoved(simulation, podUid)) {
            time = time.plus(STEP);
            simulation.advanceTo(time);
        }
        return steps(simulation, podUid);
    }

    private static List<NextStep> steps(Simulation simulation, String podUid) {
        List<NextStep> steps = new ArrayList<>();
        Optional<EventMessage> last = Optional.empty();
        for (Happening happening : simulation.happenings()) {
            if (happening instanceof Happening.Notified(Instant at, Notification notification)
                    && isAbout(notification.violation(), podUid)) {
                Optional<EventMessage> message = EventMessage.of(notification, Optional.empty(), at);
                if (message.isPresent() && !message.equals(last)) {
                    last = message;
                    steps.add(new NextStep(
                            Duration.between(simulation.start(), at).toSeconds(),
                            message.get().reason().label(),
                            message.get().message()));
                }
            }
        }
        return steps;
    }

    /** {@return whether the move of a pod is over, so that nothing more is to be expected about it} */
    private static boolean isMoved(Simulation simulation, String podUid) {
        return simulation.happenings().stream()
                .anyMatch(happening -> happening instanceof Happening.Notified(var _, Notification.Moved moved)
                        && isAbout(moved.violation(), podUid));
    }

    private static boolean isAbout(ViolationReport violation, String podUid) {
        return violation.key().podUid().equals(podUid)
                || violation.victim().uid().equals(podUid);
    }
}
