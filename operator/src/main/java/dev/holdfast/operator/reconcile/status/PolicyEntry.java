package dev.holdfast.operator.reconcile.status;

import dev.holdfast.operator.translate.Translation;
import dev.holdfast.policies.rule.Mode;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.Set;

/**
 * A policy in the registry, with the translation of its latest spec.
 *
 * @param uid UID of the object; an object with the same name and another UID is another policy
 * @param generation {@code metadata.generation} of the latest spec
 * @param translation the translation of the latest spec
 * @param inForce the last valid generation, which the engine uses, and only audits if the latest spec is refused; empty
 *     if no generation was ever valid
 * @param acknowledged the ids in the policy's annotation {@code holdfast.dev/acknowledge}
 * @param readAt when the latest spec was translated
 */
public record PolicyEntry(
        String uid,
        long generation,
        Translation translation,
        Optional<InForce> inForce,
        Set<String> acknowledged,
        Instant readAt) {
    public PolicyEntry {
        acknowledged = Set.copyOf(acknowledged);
    }

    /** {@return a copy of this entry with these acknowledged ids} */
    public PolicyEntry acknowledging(Set<String> ids) {
        return new PolicyEntry(uid, generation, translation, inForce, ids, readAt);
    }

    /**
     * The part of a policy that the engine uses: its last valid generation. After a later, invalid generation, the
     * engine audits it.
     *
     * @param generation {@code metadata.generation} of the object when its spec was sent to the engine
     * @param requested the mode in the spec; the mode in effect may be weaker
     * @param forgiveness the forgiveness of rules that set none
     */
    public record InForce(long generation, Mode requested, Duration forgiveness) {}
}
