package dev.holdfast.policies.plan.check;

import dev.holdfast.policies.evaluate.Reason;
import dev.holdfast.policies.model.Pod;
import dev.holdfast.policies.model.QuotedText;
import dev.holdfast.policies.plan.capacity.Replacement;
import dev.holdfast.policies.plan.input.Candidate;
import dev.holdfast.policies.plan.input.Situation;
import dev.holdfast.policies.plan.move.Hold;
import java.util.Optional;
import java.util.Set;
import java.util.function.UnaryOperator;

/**
 * Holds a pod if a scheduler that is not in the operator's configuration placed it, or would place its replacement by
 * an edited template. Such a scheduler may place the replacement by other rules than Holdfast checks. A policy can
 * permit such evictions: {@code allow: [ForeignScheduler]}.
 */
final class ForeignSchedulerCheck implements Check {

    @Override
    public Optional<Hold> against(Candidate candidate, Situation situation) {
        Set<String> schedulerNames = situation.planLimits().protectedPods().schedulerNames();
        Set<Reason> allowed = candidate.requestingPolicy().disruptionControls().allowed();
        return foreign(candidate.pod(), schedulerNames, allowed)
                .or(() -> foreign(
                        Replacement.podFor(candidate.pod(), situation.view()),
                        schedulerNames,
                        allowed,
                        name -> "the pod template names scheduler " + name));
    }

    /** {@return the hold of a pod with a scheduler that is not in the given set, unless a policy allows it} */
    static Optional<Hold> foreign(Pod pod, Set<String> schedulerNames, Set<Reason> allowed) {
        return foreign(pod, schedulerNames, allowed, name -> "scheduler " + name + " would place the replacement");
    }

    private static Optional<Hold> foreign(
            Pod pod, Set<String> schedulerNames, Set<Reason> allowed, UnaryOperator<String> why) {
        String name = pod.victimProtection().schedulerName();
        return schedulerNames.contains(name) || allowed.contains(Reason.FOREIGN_SCHEDULER)
                ? Optional.empty()
                : Optional.of(Hold.untilChange(
                        Reason.FOREIGN_SCHEDULER,
                        why.apply(QuotedText.of(name)) + ", and schedulerNames of the operator lacks this scheduler"));
    }
}
