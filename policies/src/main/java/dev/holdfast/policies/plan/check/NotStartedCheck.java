package dev.holdfast.policies.plan.check;

import dev.holdfast.policies.evaluate.Reason;
import dev.holdfast.policies.model.PodLifecycle;
import dev.holdfast.policies.plan.input.Candidate;
import dev.holdfast.policies.plan.input.Situation;
import dev.holdfast.policies.plan.move.Hold;
import java.time.Duration;
import java.util.Optional;

/**
 * Holds a pod whose containers have not all started, for ten minutes after the pod was bound, because the rule may hold
 * once they have started. After that time, the pod is moved like any other.
 */
final class NotStartedCheck implements Check {
    private static final Duration TO_START = Duration.ofMinutes(10);

    @Override
    public Optional<Hold> against(Candidate candidate, Situation situation) {
        if (candidate.pod().started()) {
            return Optional.empty();
        }
        PodLifecycle life = candidate.pod().life();
        Duration left = TO_START.minus(Duration.between(life.boundTime(), situation.now()));
        if (!left.isPositive()) {
            return Optional.empty();
        }
        // With clock skew, the bind time may be far in the future.
        Duration next = left.compareTo(TO_START) > 0 ? TO_START : left;
        return Optional.of(Hold.until(
                Reason.NOT_STARTED,
                "not all containers of the pod have started, and the pod was bound less than " + TO_START.toMinutes()
                        + " minutes ago",
                situation.now().plus(next)));
    }
}
