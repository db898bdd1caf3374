package dev.holdfast.policies.plan;

import dev.holdfast.policies.plan.situation.Candidate;
import dev.holdfast.policies.plan.situation.PartnerFinder;
import dev.holdfast.policies.rule.Rule;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Counts how many other candidates the move of a pod heals: those whose anti-affinity only this pod breaks. Other kinds
 * of rules are not counted, because there each move of a violating pod heals equally.
 *
 * <p>Example: pod a is on a node with b, c and d. It conflicts with each of them, and they do not conflict with each
 * other. Moving a heals all three; moving b heals no other pod.
 */
final class HealedByMove {
    private HealedByMove() {}

    /** {@return how many other candidates each pod's move heals, by UID; those that heal any} */
    static Map<String, Integer> of(List<Candidate> candidates, PartnerFinder partners) {
        Map<String, Integer> heals = new HashMap<>();
        for (Candidate candidate : candidates) {
            if (candidate.rule() instanceof Rule.PodAntiAffinity rule) {
                partners.partners(candidate, rule)
                        .only(candidate.owner())
                        .ifPresent(uid -> heals.merge(uid, 1, Integer::sum));
            }
        }
        return heals;
    }
}
