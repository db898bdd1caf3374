package dev.holdfast.policies.plan.check;

import dev.holdfast.policies.evaluate.Reason;
import dev.holdfast.policies.evaluate.UnreadLabels;
import dev.holdfast.policies.model.Pod;
import dev.holdfast.policies.plan.move.Hold;
import dev.holdfast.policies.plan.situation.Candidate;
import dev.holdfast.policies.plan.situation.Situation;
import java.util.List;
import java.util.Optional;

/**
 * Holds a candidate whose violation may be none, because labels of another pod, or of its namespace, were not read. Only
 * a pod that the rule reaches can hold it: one that could as well hold it with the labels that the rule selects.
 */
final class UnreadLabelsCheck implements Check {
    @Override
    public Optional<Hold> against(Candidate candidate, Situation situation) {
        Pod owner = candidate.owner();
        if (owner.labels().areUnread()) {
            return Optional.of(Hold.untilChange(
                    Reason.TOO_COMPLEX,
                    "it would make way for pod " + owner.name() + ", whose labels are too many to be read"));
        }
        List<Pod> satisfying = UnreadLabels.satisfying(candidate.rule(), owner, situation.view());
        if (satisfying.isEmpty()) {
            return Optional.empty();
        }
        Pod first = satisfying.getFirst();
        int more = satisfying.size() - 1;
        String why = ", with labels that are too many to be read, may satisfy the rule";
        Hold hold = Hold.untilChange(
                Reason.TOO_COMPLEX, "pod " + first.name() + (more > 0 ? " and " + more + " more" : "") + why);
        return Optional.of(
                first.namespace().equals(owner.namespace()) ? hold : hold.redacted("a pod of another namespace" + why));
    }
}
