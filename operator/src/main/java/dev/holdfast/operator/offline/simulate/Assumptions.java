package dev.holdfast.operator.offline.simulate;

import java.time.Duration;

/**
 * What a dump does not say, and a simulation assumes.
 *
 * @param bindsAfter how long after its creation a pod is bound to a node that takes it
 * @param readyAfter how long after that it is Ready
 */
public record Assumptions(Duration bindsAfter, Duration readyAfter) {
    /** {@return 1 second and 20 seconds} */
    public static Assumptions defaults() {
        return new Assumptions(Duration.ofSeconds(1), Duration.ofSeconds(20));
    }
}
