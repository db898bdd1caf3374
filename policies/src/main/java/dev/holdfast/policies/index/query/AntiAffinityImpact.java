package dev.holdfast.policies.index.query;

import dev.holdfast.policies.index.count.DomainCount;
import dev.holdfast.policies.index.count.LiveAntiAffinity;
import dev.holdfast.policies.index.count.VerdictGroup;
import dev.holdfast.policies.model.Node;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.function.ToIntFunction;

/**
 * Counts how many more rule owners would violate an anti-affinity term if one pod moved to a given node. Only the
 * domain that the pod leaves and the domain that it enters matter.
 */
final class AntiAffinityImpact implements ToIntFunction<Node> {
    private final LiveAntiAffinity rule;
    private final ToIntFunction<VerdictGroup> staying;

    /**
     * Change of the number of partners in each domain once all moves in flight have ended: -1 for a victim that leaves.
     * The moving pod is still counted on its current node.
     */
    private final Map<String, Integer> promised = new HashMap<>();

    private final Optional<String> from;

    /**
     * By how much the number of violating rule owners changes in the domain that the pod leaves. That number never
     * grows, so the change is zero or negative: -3 if three rule owners conflicted only with this pod.
     */
    private final int ofLeaving;

    AntiAffinityImpact(LiveAntiAffinity rule, HypotheticalMove hypotheticalMove) {
        this.rule = rule;
        this.staying = hypotheticalMove::staying;
        hypotheticalMove.forEachGone(
                rule,
                pod -> pod.countsOn()
                        .flatMap(rule::domain)
                        .ifPresent(domain -> promised.merge(domain, -1, Integer::sum)));
        hypotheticalMove.forEachArriving(
                rule, node -> rule.domain(node).ifPresent(domain -> promised.merge(domain, 1, Integer::sum)));
        this.from = hypotheticalMove.from().flatMap(rule::domain);
        this.ofLeaving = from.map(domain -> additionalViolations(domain, -1)).orElse(0);
    }

    @Override
    public int applyAsInt(Node node) {
        Optional<String> to = rule.domain(node);
        return to.equals(from)
                ? 0
                : ofLeaving + to.map(domain -> additionalViolations(domain, 1)).orElse(0);
    }

    private int additionalViolations(String domain, int more) {
        DomainCount domainCount = rule.domainCountIfUsed(domain);
        if (domainCount == null) {
            return 0;
        }
        int count = domainCount.count() + promised.getOrDefault(domain, 0);
        return domainCount.broken(staying, own -> rule.isBroken(count + more, own))
                - domainCount.broken(staying, own -> rule.isBroken(count, own));
    }
}
