package dev.holdfast.policies.index.query;

import dev.holdfast.policies.index.count.LiveAffinity;
import dev.holdfast.policies.index.count.LiveAntiAffinity;
import dev.holdfast.policies.index.count.LiveNodeRule;
import dev.holdfast.policies.index.count.LiveRule;
import dev.holdfast.policies.index.count.LiveSpread;
import dev.holdfast.policies.index.pods.ClusterCache;
import dev.holdfast.policies.model.Node;
import dev.holdfast.policies.model.Pod;
import dev.holdfast.policies.rule.AppliedRule;
import dev.holdfast.policies.rule.RuleIdentity;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;
import java.util.function.ToIntFunction;

/** Computes from the current counts how many more violations there would be if one pod moved. */
public final class MoveImpact implements ImpactOnOthers {
    private final ClusterCache clusterCache;
    private final boolean anyRequiredWherePossible;

    /** @param anyRequiredWherePossible whether any policy has a rule that is required only where possible */
    public MoveImpact(ClusterCache clusterCache, boolean anyRequiredWherePossible) {
        this.clusterCache = clusterCache;
        this.anyRequiredWherePossible = anyRequiredWherePossible;
    }

    @Override
    public boolean anyRequiredWherePossible() {
        return anyRequiredWherePossible;
    }

    @Override
    public ToIntFunction<Node> additionalViolations(
            Pod pod,
            Set<RuleIdentity> further,
            Set<String> leaving,
            List<Pod> arriving,
            Optional<Predicate<AppliedRule>> regarded) {
        return clusterCache
                .entry(pod.uid())
                .map(entry -> additionalViolations(
                        new HypotheticalMove(clusterCache, entry, leaving, arriving, regarded), further))
                .orElse(_ -> 0);
    }

    private static ToIntFunction<Node> additionalViolations(
            HypotheticalMove hypotheticalMove, Set<RuleIdentity> further) {
        int own = hypotheticalMove.broken(further);
        List<ToIntFunction<Node>> others = hypotheticalMove.rules().stream()
                .filter(MoveImpact::counts)
                .map(rule -> ofRule(rule, hypotheticalMove))
                .toList();
        return node -> others.stream().mapToInt(it -> it.applyAsInt(node)).sum() - own;
    }

    /** {@return whether a rule counts: not if it bars a whole zone to the pods of all namespaces} */
    private static boolean counts(LiveRule rule) {
        return !(rule instanceof LiveAntiAffinity term && term.isClusterWide());
    }

    /**
     * {@return for each node, how many more rule owners would violate the rule if the pod moved there; the pod itself
     * and victims of moves in flight are not counted}
     */
    private static ToIntFunction<Node> ofRule(LiveRule rule, HypotheticalMove hypotheticalMove) {
        return switch (rule) {
            case LiveNodeRule _ -> throw new IllegalStateException("a node rule has no partners");
            case LiveAffinity affinity -> new AffinityImpact(affinity, hypotheticalMove);
            case LiveAntiAffinity term -> new AntiAffinityImpact(term, hypotheticalMove);
            case LiveSpread spread -> new SpreadImpact(spread, hypotheticalMove);
        };
    }
}
