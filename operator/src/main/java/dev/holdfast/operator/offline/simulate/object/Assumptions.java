package dev.holdfast.operator.offline.simulate.object;

import java.time.Duration;

/**
 * The assumptions of a simulation about what a dump does not show.
 *
 * @param bindsAfter how long after its creation a pod is bound to a node that takes it
 * @param readyAfter how long after its binding the pod is Ready
 */
public record Assumptions(Duration bindsAfter, Duration readyAfter) {
    /** {@return the defaults: a pod is bound 1 second after its creation, and Ready 20 seconds after its binding} */
    public static Assumptions defaults() {
        return new Assumptions(Duration.ofSeconds(1), Duration.ofSeconds(20));
    }
}
