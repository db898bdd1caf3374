package dev.holdfast.policies.index.query;

import dev.holdfast.policies.index.count.LiveAffinity;
import dev.holdfast.policies.index.count.LiveAffinity.Domain;
import dev.holdfast.policies.model.Node;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.ToIntFunction;

/**
 * Counts how many more rule owners would violate an affinity rule if one pod moved to a given node. The verdict of a
 * verdict group (rule owners that always have the same verdict) changes only for two reasons. First, the number of
 * partners changes in a domain that the group depends on. Second, the total number of partners changes, and the group's
 * rule owners are partners themselves: such a rule owner satisfies the rule while it is the only partner.
 */
final class AffinityImpact implements ToIntFunction<Node> {
    private final LiveAffinity rule;
    private final HypotheticalMove hypotheticalMove;

    /**
     * By how much the partner counts differ from now once all moves in flight have ended. The moving pod is still
     * counted on its current node.
     */
    private final Counts before;

    /**
     * By how much the partner counts differ from now once all moves in flight have ended and the moving pod has left
     * its node. The pod is not counted on another node yet.
     */
    private final Counts left;

    AffinityImpact(LiveAffinity rule, HypotheticalMove hypotheticalMove) {
        this.rule = rule;
        this.hypotheticalMove = hypotheticalMove;
        this.before = Counts.after(hypotheticalMove, rule);
        this.left = before.copy();
        hypotheticalMove.from().ifPresent(node -> left.add(node, -1));
    }

    @Override
    public int applyAsInt(Node node) {
        Counts after = left.copy();
        after.add(node, 1);
        Set<LiveAffinity.AffinityGroup> concerned = new LinkedHashSet<>();
        for (Map.Entry<Domain, Integer> changed : after.more.entrySet()) {
            if (!changed.getValue().equals(before.more.getOrDefault(changed.getKey(), 0))) {
                concerned.addAll(rule.groupsReading(changed.getKey()));
            }
        }
        if (after.inAll != before.inAll) {
            concerned.addAll(rule.groupsOfPartners());
        }
        int more = 0;
        for (LiveAffinity.AffinityGroup group : concerned) {
            int change = (after.breaks(group) ? 1 : 0) - (before.breaks(group) ? 1 : 0);
            more += change == 0 ? 0 : change * hypotheticalMove.staying(group);
        }
        return more;
    }

    /** Changes of the number of partners, in each domain and in total: -1 for each partner that leaves. */
    static final class Counts {
        private final LiveAffinity rule;
        private final Map<Domain, Integer> more = new HashMap<>();
        private int inAll;

        private Counts(LiveAffinity rule) {
            this.rule = rule;
        }

        /** {@return the changes once all moves in flight have ended} */
        static Counts after(HypotheticalMove hypotheticalMove, LiveAffinity rule) {
            Counts counts = new Counts(rule);
            hypotheticalMove.forEachGone(rule, pod -> pod.countsOn().ifPresent(node -> counts.add(node, -1)));
            hypotheticalMove.forEachArriving(rule, node -> counts.add(node, 1));
            return counts;
        }

        Counts copy() {
            Counts copy = new Counts(rule);
            copy.more.putAll(more);
            copy.inAll = inAll;
            return copy;
        }

        void add(Node node, int many) {
            boolean anywhere = false;
            for (String key : rule.keys()) {
                Optional<String> value = node.labels().get(key);
                if (value.isPresent()) {
                    anywhere = true;
                    more.merge(new Domain(key, value.get()), many, Integer::sum);
                }
            }
            inAll += anywhere ? many : 0;
        }

        boolean breaks(LiveAffinity.AffinityGroup group) {
            return group.isBrokenWith(inAll, more);
        }
    }
}
