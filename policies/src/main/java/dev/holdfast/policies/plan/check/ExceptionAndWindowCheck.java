package dev.holdfast.policies.plan.check;

import dev.holdfast.policies.evaluate.Reason;
import dev.holdfast.policies.plan.controls.DisruptionControls;
import dev.holdfast.policies.plan.controls.WallClock;
import dev.holdfast.policies.plan.input.Candidate;
import dev.holdfast.policies.plan.input.Situation;
import dev.holdfast.policies.plan.move.Hold;
import java.util.Optional;

/**
 * Holds a candidate while an exception of the policy selects the pod to move or the rule owner, which differ with
 * {@code victim: LowestPriority}. Also holds a candidate while the policy's maintenance windows allow no eviction.
 */
final class ExceptionAndWindowCheck implements Check {
    @Override
    public Optional<Hold> against(Candidate candidate, Situation situation) {
        DisruptionControls disruptionControls = candidate.requestingPolicy().disruptionControls();
        WallClock wallClock = situation.planLimits().wallClock();
        return disruptionControls.exceptions().stream()
                .filter(exception -> !exception.isOver(wallClock, situation.now()))
                .filter(exception -> exception.pods().matches(candidate.pod().labels())
                        || exception.pods().matches(candidate.owner().labels()))
                .findFirst()
                .map(exception -> excepted(exception, wallClock))
                .or(() -> situation.planLimits().windowCache().against(disruptionControls.maintenanceWindows()));
    }

    private static Hold excepted(DisruptionControls.StandingException exception, WallClock wallClock) {
        String until =
                exception.until().map(end -> " until " + Hold.second(end)).orElse("");
        Hold hold = new Hold(
                Reason.EXCEPTION,
                "exception '" + exception.name() + "' of the policy names the pod" + until + ": " + exception.reason(),
                exception.until());
        return exception.until().isEmpty() ? hold : wallClock.applied(hold);
    }
}
