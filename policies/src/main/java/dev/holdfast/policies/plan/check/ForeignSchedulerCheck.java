package dev.holdfast.policies.plan.check;

import dev.holdfast.policies.evaluate.Reason;
import dev.holdfast.policies.model.Pod;
import dev.holdfast.policies.model.QuotedText;
import dev.holdfast.policies.plan.move.Hold;
import dev.holdfast.policies.plan.situation.Candidate;
import dev.holdfast.policies.plan.situation.Situation;
import java.util.Optional;
import java.util.Set;

/**
 * Holds a pod that another scheduler placed than those in the operator's configuration. That scheduler would place the
 * replacement too, perhaps by other rules than those that Holdfast checks. A policy can permit such evictions: {@code
 * allow: [ForeignScheduler]}.
 */
final class ForeignSchedulerCheck implements Check {

    @Override
    public Optional<Hold> against(Candidate candidate, Situation situation) {
        return foreign(
                candidate.pod(),
                situation.planLimits().protectedPods().schedulerNames(),
                candidate.requestingPolicy().disruptionControls().allowed());
    }

    /** {@return the hold of a pod with a scheduler that is not in the given set, unless a policy allows it} */
    static Optional<Hold> foreign(Pod pod, Set<String> schedulerNames, Set<Reason> allowed) {
        String name = pod.victimProtection().schedulerName();
        return schedulerNames.contains(name) || allowed.contains(Reason.FOREIGN_SCHEDULER)
                ? Optional.empty()
                : Optional.of(Hold.untilChange(
                        Reason.FOREIGN_SCHEDULER,
                        "scheduler " + QuotedText.of(name)
                                + " would place its replacement, and schedulerNames of the operator does"
                                + " not have it"));
    }
}
