package dev.holdfast.policies.plan.check;

import dev.holdfast.policies.evaluate.Reason;
import dev.holdfast.policies.model.Node;
import dev.holdfast.policies.model.PodAffinityTerm;
import dev.holdfast.policies.plan.domain.NodeHealth;
import dev.holdfast.policies.plan.domain.VanishedNodes;
import dev.holdfast.policies.plan.move.Hold;
import dev.holdfast.policies.plan.situation.Candidate;
import dev.holdfast.policies.plan.situation.Situation;
import dev.holdfast.policies.rule.Rule;
import java.util.List;
import java.util.Optional;

/**
 * Holds candidates for affinity and spread while many nodes are lost: not Ready, or vanished a short time ago. Many
 * means at least two, and more than a tenth, of the nodes of the cluster or of one domain. For affinity, that domain
 * must be one of the pod's node. For spread, it can be any domain, because a spread compares all domains.
 *
 * <p>Example: in zone a, 2 of 20 nodes are not Ready, exactly a tenth. Pods still move for spreads by zone. When a
 * third node vanishes (3 of 20), these pods are held until, for example, one of the three nodes is Ready again.
 */
final class ClusterUnhealthyCheck implements Check {
    @Override
    public Optional<Hold> against(Candidate candidate, Situation situation) {
        NodeHealth health = situation.clusterSignals().health();
        Optional<NodeHealth.LostCount> unhealthy = switch (candidate.rule()) {
            case Rule.OfNode _, Rule.PodAntiAffinity _ -> Optional.empty();
            case Rule.PodAffinity(List<PodAffinityTerm> terms) ->
                health.unhealthyCluster()
                        .or(() -> situation.view().node(candidate.node()).flatMap(node -> around(node, terms, health)));
            case Rule.TopologySpread(var constraint, var _) ->
                health.unhealthyCluster().or(() -> health.unhealthyDomain(constraint.topologyKey()));
        };
        return unhealthy.map(lostCount -> hold(lostCount, health));
    }

    private static Optional<NodeHealth.LostCount> around(Node node, List<PodAffinityTerm> terms, NodeHealth health) {
        return terms.stream()
                .flatMap(term -> health.unhealthyDomain(term.topologyKey(), node).stream())
                .findFirst();
    }

    private static Hold hold(NodeHealth.LostCount unhealthy, NodeHealth health) {
        return new Hold(
                Reason.CLUSTER_UNHEALTHY,
                unhealthy + " are not Ready, or vanished within " + VanishedNodes.REMEMBERED.toMinutes()
                        + " minutes: more than a tenth",
                health.vanished().stream()
                        .map(first -> first.at().plus(VanishedNodes.REMEMBERED))
                        .findFirst());
    }
}
