package dev.holdfast.policies.engine.live;

import dev.holdfast.policies.evaluate.Evaluator;
import dev.holdfast.policies.evaluate.Verdict;
import dev.holdfast.policies.model.ClusterView;
import dev.holdfast.policies.model.Pod;
import dev.holdfast.policies.model.view.HidingView;
import dev.holdfast.policies.rule.Rule;
import java.util.Set;

/**
 * Computes verdicts for running pods with the reference evaluators (package {@code evaluate}), without the counts of
 * the incremental index. For anti-affinity rules, pods of exempt namespaces are neither rule owners nor partners.
 */
public final class DirectEvaluation {
    private final ClusterView cluster;
    private final Set<String> exemptNamespaces;
    private final ClusterView withoutExempt;

    public DirectEvaluation(ClusterView cluster, Set<String> exemptNamespaces) {
        this.cluster = cluster;
        this.exemptNamespaces = exemptNamespaces;
        this.withoutExempt = new HidingView(cluster, this::isExempt);
    }

    /**
     * {@return a view of the cluster without the pods of exempt namespaces, for the evaluation of anti-affinity rules}
     */
    public ClusterView withoutExempt() {
        return withoutExempt;
    }

    public Verdict verdict(Rule rule, Pod pod) {
        if (!(rule instanceof Rule.PodAntiAffinity)) {
            return Evaluator.judge(rule, pod, cluster);
        }
        return isExempt(pod) ? Verdict.satisfied() : Evaluator.judge(rule, pod, withoutExempt);
    }

    private boolean isExempt(Pod pod) {
        return exemptNamespaces.contains(pod.namespace());
    }
}
