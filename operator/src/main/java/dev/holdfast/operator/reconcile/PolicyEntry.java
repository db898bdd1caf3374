package dev.holdfast.operator.reconcile;

import dev.holdfast.operator.translate.Translation;
import dev.holdfast.policies.rule.Mode;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.Set;

/**
 * A policy in the cluster, with the result of reading its spec.
 *
 * @param uid of the object; an object with the same name and another UID is another policy
 * @param generation of the last spec that was read
 * @param translation the result of reading it
 * @param inForce what the engine has; empty if no generation was ever valid
 * @param acknowledged the ids in the acknowledgement annotation of the policy
 * @param readAt when this generation was read
 */
record PolicyEntry(
        String uid,
        long generation,
        Translation translation,
        Optional<InForce> inForce,
        Set<String> acknowledged,
        Instant readAt) {
    PolicyEntry {
        acknowledged = Set.copyOf(acknowledged);
    }

    /** {@return the same entry with other acknowledged ids} */
    PolicyEntry acknowledging(Set<String> ids) {
        return new PolicyEntry(uid, generation, translation, inForce, ids, readAt);
    }

    /**
     * The generation of the policy that the engine enforces.
     *
     * @param requested the mode in the spec, before any ceiling
     * @param forgiveness of rules that set none
     */
    record InForce(long generation, Mode requested, Duration forgiveness) {}
}
