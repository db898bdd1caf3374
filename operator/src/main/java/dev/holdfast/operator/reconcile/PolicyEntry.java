package dev.holdfast.operator.reconcile;

import dev.holdfast.operator.translate.Translation;
import dev.holdfast.policies.rule.Mode;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

/**
 * One policy as it stands in the cluster.
 *
 * @param uid of the object; another one under the same name is another policy
 * @param generation of the spec that was read last
 * @param translation what came of reading it
 * @param inForce what the engine was given last; absent while no generation of it was ever valid
 * @param readAt when this generation was read
 */
record PolicyEntry(String uid, long generation, Translation translation, Optional<InForce> inForce, Instant readAt) {
    /**
     * What the engine works with.
     *
     * @param asked the mode that the policy asks for, before every ceiling
     * @param forgiveness of rules that name none
     */
    record InForce(long generation, Mode asked, Duration forgiveness) {}
}
