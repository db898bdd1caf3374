package dev.holdfast.operator.reconcile;

import dev.holdfast.operator.translate.Translation;
import dev.holdfast.policies.rule.Mode;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.Set;

/**
 * One policy as it stands in the cluster.
 *
 * @param uid of the object; another one under the same name is another policy
 * @param generation of the spec that was read last
 * @param translation what came of reading it
 * @param inForce what the engine was given last; absent while no generation of it was ever valid
 * @param acknowledged the ids that an annotation of it names
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

    /** {@return the same, acknowledging other ids} */
    PolicyEntry acknowledging(Set<String> ids) {
        return new PolicyEntry(uid, generation, translation, inForce, ids, readAt);
    }

    /**
     * What the engine works with.
     *
     * @param asked the mode that the policy asks for, before every ceiling
     * @param forgiveness of rules that name none
     */
    record InForce(long generation, Mode asked, Duration forgiveness) {}
}
