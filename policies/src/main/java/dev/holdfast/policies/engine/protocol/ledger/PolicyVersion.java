package dev.holdfast.policies.engine.protocol.ledger;

import dev.holdfast.policies.rule.Policy;
import dev.holdfast.policies.rule.PolicyId;
import java.util.Optional;

/**
 * A policy that an operator knew.
 *
 * @param version the UID and generation of its object
 * @param requirements a hash of what the policy requires of its pods; absent if an earlier version of the operator
 *     wrote this
 */
public record PolicyVersion(PolicyId policy, String version, Optional<String> requirements) {
    public static PolicyVersion of(Policy policy, String version) {
        return new PolicyVersion(policy.id(), version, Optional.of(hash(policy)));
    }

    /** {@return whether the policy certainly required something else} */
    public boolean requiredOther(Policy now) {
        return requirements.filter(before -> !before.equals(hash(now))).isPresent();
    }

    private static String hash(Policy policy) {
        return Integer.toHexString(policy.requirements().toString().hashCode());
    }
}
