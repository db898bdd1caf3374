package dev.holdfast.policies.index.query;

import dev.holdfast.policies.index.count.LiveAffinity;
import dev.holdfast.policies.index.count.LiveAntiAffinity;
import dev.holdfast.policies.index.count.LiveNodeRule;
import dev.holdfast.policies.index.count.LiveRule;
import dev.holdfast.policies.index.count.LiveSpread;
import dev.holdfast.policies.index.pods.ClusterCache;
import dev.holdfast.policies.index.pods.PodEntry;
import dev.holdfast.policies.model.Node;
import dev.holdfast.policies.model.Pod;
import dev.holdfast.policies.rule.RuleIdentity;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * Decides from the current counts whether a pod would still violate a rule once moves in flight have ended. The pod
 * itself stays on its node. Only the moved pods are read, so the time depends on their number alone.
 */
public final class VerdictAfterMoves {
    private final ClusterCache clusterCache;

    public VerdictAfterMoves(ClusterCache clusterCache) {
        this.clusterCache = clusterCache;
    }

    /**
     * {@return whether the pod violates the rule now, and still does after the moves}
     *
     * @param leaving UIDs of the pods that will be gone
     * @param arriving pods that will be bound
     */
    public boolean isBroken(String podUid, RuleIdentity rule, Set<String> leaving, List<Pod> arriving) {
        Optional<PodEntry> found = clusterCache.entry(podUid);
        if (found.isEmpty() || found.get().judgedOn().isEmpty()) {
            return false;
        }
        PodEntry owner = found.get();
        int slot = owner.resolvedRules().slot(rule);
        LiveRule live = slot < 0 ? null : owner.resolvedRules().live(slot);
        if (live == null || !owner.broken(slot)) {
            return false;
        }
        List<Pod> others =
                arriving.stream().filter(pod -> !pod.uid().equals(podUid)).toList();
        HypotheticalMove moves = new HypotheticalMove(clusterCache, owner, leaving, others, Optional.empty());
        Node node = owner.judgedOn().orElseThrow();
        return switch (live) {
            case LiveNodeRule _ -> true;
            case LiveAntiAffinity term -> isBroken(term, owner, node, moves);
            case LiveSpread spread -> isBroken(spread, owner, node, moves);
            case LiveAffinity affinity -> isBroken(affinity, owner, node, moves);
        };
    }

    private static boolean isBroken(LiveAntiAffinity term, PodEntry owner, Node node, HypotheticalMove moves) {
        Optional<String> domain = term.domain(node);
        int[] count = {term.partnersIn(domain.orElse(""))};
        moves.forEachGone(
                term, pod -> count[0] -= pod.countsOn().flatMap(term::domain).equals(domain) ? 1 : 0);
        moves.forEachArriving(term, other -> count[0] += term.domain(other).equals(domain) ? 1 : 0);
        return term.isBroken(count[0], owner.isMatchedBy(term));
    }

    private static boolean isBroken(LiveSpread spread, PodEntry owner, Node node, HypotheticalMove moves) {
        Optional<String> domain = node.labels().get(spread.topologyKey());
        if (domain.isEmpty()) {
            return true;
        }
        Map<String, Integer> more = SpreadImpact.changes(spread, moves);
        boolean adds = owner.isMatchedBy(spread) && !spread.domains().includes(node);
        int count = spread.counted(domain.get()) + more.getOrDefault(domain.get(), 0);
        return spread.isBroken(count, adds, spread.least(more));
    }

    private static boolean isBroken(LiveAffinity affinity, PodEntry owner, Node node, HypotheticalMove moves) {
        AffinityImpact.Counts after = AffinityImpact.Counts.after(moves, affinity);
        return affinity.groupOf(owner, node).map(after::breaks).orElse(true);
    }
}
