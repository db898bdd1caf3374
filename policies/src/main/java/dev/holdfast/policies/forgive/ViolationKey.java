package dev.holdfast.policies.forgive;

import dev.holdfast.policies.rule.RuleIdentity;
import java.util.Comparator;

/** What a clock belongs to: one pod, on one node, and one rule (P-1). Ordered by pod, node, rule. */
public record ViolationKey(String podUid, String node, RuleIdentity rule) implements Comparable<ViolationKey> {
    private static final Comparator<ViolationKey> ORDER = Comparator.comparing(ViolationKey::podUid)
            .thenComparing(ViolationKey::node)
            .thenComparing(ViolationKey::rule);

    /** Before all others. */
    static final ViolationKey LEAST = leastOf("");

    /** {@return the key before all others of a pod} */
    static ViolationKey leastOf(String podUid) {
        return new ViolationKey(podUid, "", new RuleIdentity(""));
    }

    @Override
    public int compareTo(ViolationKey other) {
        return ORDER.compare(this, other);
    }
}
