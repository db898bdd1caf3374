package dev.holdfast.policies.index.query;

import dev.holdfast.policies.index.count.DomainCount;
import dev.holdfast.policies.index.count.LiveSpread;
import dev.holdfast.policies.index.count.VerdictGroup;
import dev.holdfast.policies.model.Node;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.ToIntFunction;

/**
 * Counts how many more rule owners would violate a spread constraint if one pod moved to a given node. Domains whose
 * count changes are evaluated one by one. Verdicts in other domains change only with the global minimum (the lowest
 * count of a domain). So these domains are evaluated only once for each minimum.
 */
final class SpreadImpact implements ToIntFunction<Node> {
    private final LiveSpread rule;
    private final ToIntFunction<VerdictGroup> staying;

    /**
     * Change of the number of pods in each domain once all moves in flight have ended: -1 for a victim that leaves. The
     * moving pod is still counted on its current node.
     */
    private final Map<String, Integer> before;

    private final int leastBefore;
    private final Optional<String> from;

    /**
     * A cache: for each global minimum (the lowest count of a domain), how many more rule owners would violate the
     * constraint if only the minimum changed to it.
     */
    private final Map<Integer, Integer> byLeast = new HashMap<>();

    SpreadImpact(LiveSpread rule, HypotheticalMove hypotheticalMove) {
        this.rule = rule;
        this.staying = hypotheticalMove::staying;
        this.before = changes(rule, hypotheticalMove);
        this.leastBefore = rule.least(before);
        this.from = hypotheticalMove.from().flatMap(rule::domain);
    }

    /** {@return the change of the number of pods in each domain once all moves in flight have ended} */
    static Map<String, Integer> changes(LiveSpread rule, HypotheticalMove hypotheticalMove) {
        Map<String, Integer> changes = new HashMap<>();
        hypotheticalMove.forEachGone(rule, pod -> {
            if (!pod.pod().terminating()) {
                pod.countsOn().flatMap(rule::domain).ifPresent(domain -> changes.merge(domain, -1, Integer::sum));
            }
        });
        hypotheticalMove.forEachArriving(
                rule, node -> rule.domain(node).ifPresent(domain -> changes.merge(domain, 1, Integer::sum)));
        return changes;
    }

    @Override
    public int applyAsInt(Node node) {
        Optional<String> to = rule.domain(node);
        if (to.equals(from)) {
            return 0;
        }
        Map<String, Integer> after = new HashMap<>(before);
        from.ifPresent(domain -> after.merge(domain, -1, Integer::sum));
        to.ifPresent(domain -> after.merge(domain, 1, Integer::sum));
        int least = rule.least(after);
        int more = byLeast.computeIfAbsent(least, this::ofLeast);
        for (String domain : after.keySet()) {
            DomainCount domainCount = rule.domainCountIfUsed(domain);
            if (domainCount != null) {
                more += broken(domainCount, after, least) - broken(domainCount, before, leastBefore);
                more -= broken(domainCount, Map.of(), least) - broken(domainCount, Map.of(), leastBefore);
            }
        }
        return more;
    }

    private int ofLeast(int least) {
        int more = 0;
        for (List<DomainCount> domainCounts : rule.between(least, leastBefore)) {
            for (DomainCount domainCount : domainCounts) {
                more += broken(domainCount, Map.of(), least) - broken(domainCount, Map.of(), leastBefore);
            }
        }
        return more;
    }

    private int broken(DomainCount domainCount, Map<String, Integer> counts, int least) {
        int count = domainCount.count() + counts.getOrDefault(domainCount.domain(), 0);
        return domainCount.broken(staying, adds -> rule.isBroken(count, adds, least));
    }
}
