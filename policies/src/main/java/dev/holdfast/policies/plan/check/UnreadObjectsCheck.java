package dev.holdfast.policies.plan.check;

import dev.holdfast.policies.evaluate.Reason;
import dev.holdfast.policies.evaluate.UnreadLabels;
import dev.holdfast.policies.evaluate.UnreadNodes;
import dev.holdfast.policies.model.ClusterView;
import dev.holdfast.policies.model.Pod;
import dev.holdfast.policies.plan.input.Candidate;
import dev.holdfast.policies.plan.input.Situation;
import dev.holdfast.policies.plan.move.Hold;
import dev.holdfast.policies.rule.Rule;
import java.util.List;
import java.util.Optional;

/**
 * Holds a candidate whose violation may not exist, because another object was not read: the labels of a pod or of its
 * namespace, or a node. Only a pod that the rule reaches can hold a candidate: with labels that the rule selects, it
 * could do so anyway. A node can hold a candidate if its pods count, or if it may be a domain.
 */
public final class UnreadObjectsCheck implements Check {
    @Override
    public Optional<Hold> against(Candidate candidate, Situation situation) {
        Pod owner = candidate.owner();
        if (owner.labels().areUnread()) {
            return Optional.of(Hold.untilChange(
                    Reason.TOO_COMPLEX,
                    "the pod would make way for pod " + owner.name() + ", whose labels are too many to be read"));
        }
        return undecided(candidate.rule(), owner, situation.view());
    }

    /**
     * {@return why a violated rule may be satisfied by objects that were not read; empty if it is violated in any case}
     */
    public static Optional<Hold> undecided(Rule rule, Pod owner, ClusterView view) {
        return ofLabels(rule, owner, view)
                .or(() -> UnreadNodes.satisfying(rule, owner, view).map(doubt -> ofNode(doubt, owner)));
    }

    private static Optional<Hold> ofLabels(Rule rule, Pod owner, ClusterView view) {
        List<Pod> satisfying = UnreadLabels.satisfying(rule, owner, view);
        return satisfying.isEmpty()
                ? Optional.empty()
                : Optional.of(hold(
                        satisfying.getFirst(),
                        satisfying.size() - 1,
                        ", with labels that are too many to be read, may satisfy the rule",
                        owner));
    }

    private static Hold hold(Pod first, int more, String why, Pod owner) {
        Hold hold = Hold.untilChange(
                Reason.TOO_COMPLEX, "pod " + first.name() + (more > 0 ? " and " + more + " more" : "") + why);
        return first.namespace().equals(owner.namespace()) ? hold : hold.redacted("a pod of another namespace" + why);
    }

    private static Hold ofNode(UnreadNodes.Doubt doubt, Pod owner) {
        String why = UnreadNodes.why(doubt.node());
        return doubt.pod()
                .map(pod -> hold(pod, doubt.more(), " may satisfy the rule, and its " + why, owner))
                .orElseGet(() -> Hold.untilChange(
                        Reason.TOO_COMPLEX,
                        "node " + doubt.node().name() + " may be a domain that the rule lacks, and " + why));
    }
}
