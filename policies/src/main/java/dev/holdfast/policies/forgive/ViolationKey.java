package dev.holdfast.policies.forgive;

import dev.holdfast.policies.rule.RuleIdentity;

/** The key of a violation: pod UID, node name and rule identity (P-1). Ordered by pod, then node, then rule. */
public record ViolationKey(String podUid, String node, RuleIdentity rule) implements Comparable<ViolationKey> {
    private static final RuleIdentity LEAST_RULE = new RuleIdentity("");

    /** A key that sorts before all other keys. */
    public static final ViolationKey LEAST = leastOf("");

    /** {@return a key that sorts before all keys of a pod, and after all keys of pods before it} */
    public static ViolationKey leastOf(String podUid) {
        return new ViolationKey(podUid, "", LEAST_RULE);
    }

    @Override
    public int compareTo(ViolationKey other) {
        // Sets of very many violations are sorted: this is called more often than anything else of a violation.
        int byPod = podUid.compareTo(other.podUid);
        if (byPod != 0) {
            return byPod;
        }
        int byNode = node.compareTo(other.node);
        return byNode != 0 ? byNode : rule.compareTo(other.rule);
    }
}
