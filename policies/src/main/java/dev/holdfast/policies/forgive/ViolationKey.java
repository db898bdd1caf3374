package dev.holdfast.policies.forgive;

import dev.holdfast.policies.rule.RuleIdentity;
import java.util.Comparator;

/** The key of a violation: pod UID, node name and rule identity (P-1). Ordered by pod, then node, then rule. */
public record ViolationKey(String podUid, String node, RuleIdentity rule) implements Comparable<ViolationKey> {
    private static final Comparator<ViolationKey> ORDER = Comparator.comparing(ViolationKey::podUid)
            .thenComparing(ViolationKey::node)
            .thenComparing(ViolationKey::rule);

    /** A key that sorts before all other keys. */
    public static final ViolationKey LEAST = leastOf("");

    /** {@return a key that sorts before all other keys of a pod} */
    static ViolationKey leastOf(String podUid) {
        return new ViolationKey(podUid, "", new RuleIdentity(""));
    }

    @Override
    public int compareTo(ViolationKey other) {
        return ORDER.compare(this, other);
    }
}
