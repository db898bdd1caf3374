package dev.holdfast.policies.plan.check;

import dev.holdfast.policies.evaluate.Reason;
import dev.holdfast.policies.model.PodAffinityTerm;
import dev.holdfast.policies.plan.domain.LostCount;
import dev.holdfast.policies.plan.domain.NodeHealth;
import dev.holdfast.policies.plan.domain.VanishedNodes;
import dev.holdfast.policies.plan.input.Candidate;
import dev.holdfast.policies.plan.input.Situation;
import dev.holdfast.policies.plan.move.Hold;
import dev.holdfast.policies.rule.Rule;
import dev.holdfast.policies.rule.SpreadDomains;
import java.util.List;
import java.util.Optional;

/**
 * Holds candidates for affinity and spread while many of the nodes that their rule counts are lost: not Ready, or
 * vanished a short time ago. Many means at least two, and more than a tenth, of these nodes in the cluster or in one
 * domain. For spread, these are the eligible nodes, and it can be any domain, because a spread compares all domains.
 * For affinity, these are the nodes that the pod may use, and the domain must be one of the pod's node; there, all
 * nodes together also count, because partners may run on any.
 *
 * <p>Example: in zone a, 2 of 20 nodes are not Ready, exactly a tenth. Pods still move for spreads by zone. When a
 * third node vanishes (3 of 20), these pods are held until, for example, one of the three nodes is Ready again. Pods
 * whose nodeSelector leaves only 12 of the 20 nodes are already held when two of the 12 are not Ready.
 */
final class ClusterUnhealthyCheck implements Check {
    @Override
    public Optional<Hold> against(Candidate candidate, Situation situation) {
        NodeHealth health = situation.clusterSignals().health();
        if (!health.hasLostNodes()) {
            return Optional.empty();
        }
        Optional<LostCount> unhealthy = switch (candidate.rule()) {
            case Rule.OfNode _, Rule.PodAntiAffinity _ -> Optional.empty();
            case Rule.PodAffinity(List<PodAffinityTerm> terms) ->
                situation
                        .view()
                        .node(candidate.node())
                        .flatMap(node -> health.ofAffinity(candidate.pod().scheduling(), terms, node));
            case Rule.TopologySpread spread ->
                health.ofSpread(SpreadDomains.of(spread, candidate.pod().scheduling()));
        };
        return unhealthy.map(ClusterUnhealthyCheck::hold);
    }

    private static Hold hold(LostCount unhealthy) {
        return new Hold(
                Reason.CLUSTER_UNHEALTHY,
                unhealthy + " are not Ready, or vanished within " + VanishedNodes.REMEMBERED.toMinutes()
                        + " minutes: more than a tenth; repair these nodes, or delete or cordon those that will not"
                        + " come back",
                unhealthy.firstForgotten());
    }
}
