package dev.holdfast.policies.plan.input;

import dev.holdfast.policies.evaluate.Evaluator;
import dev.holdfast.policies.evaluate.Verdict;
import dev.holdfast.policies.model.ClusterView;
import dev.holdfast.policies.model.Pod;
import dev.holdfast.policies.plan.capacity.PendingMoves;
import dev.holdfast.policies.rule.Rule;
import java.util.List;

/**
 * Finds the violations that remain after moves, by evaluating the rule in the view as it will be then. The package
 * {@code index} answers the same query from its counts, and must give the same result.
 *
 * @param view the whole cluster
 * @param withoutExempt a view of the cluster that hides the pods of namespaces exempt from anti-affinity
 */
record EvaluatedAfterMoves(ClusterView view, ClusterView withoutExempt) implements ViolationsAfterMoves {
    @Override
    public boolean remains(Candidate candidate, PendingMoves pendingMoves) {
        ClusterView after = candidate.rule() instanceof Rule.PodAntiAffinity
                ? new PendingMoves(pendingMoves.leaving(), counted(pendingMoves)).keptIn(withoutExempt)
                : pendingMoves.keptIn(view);
        return Evaluator.judge(candidate.rule(), candidate.owner(), after) instanceof Verdict.Violated;
    }

    /** {@return the expected replacements, without those in exempt namespaces} */
    private List<Pod> counted(PendingMoves pendingMoves) {
        return pendingMoves.arriving().stream()
                .filter(pod -> view.pod(pod.uid()).isEmpty()
                        || withoutExempt.pod(pod.uid()).isPresent())
                .toList();
    }
}
