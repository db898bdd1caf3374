package dev.holdfast.policies.plan;

import dev.holdfast.policies.plan.situation.Candidate;
import dev.holdfast.policies.plan.situation.PartnerFinder;
import dev.holdfast.policies.rule.Rule;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * How many others the move of a pod heals: those who break their anti-affinity by this pod alone. For other rules, the moves of
 * all that break one heal the same.
 *
 * <p>Example: one pod is on a node with three that must be apart from it, and it apart from them. Its move heals all
 * three; the move of one of the three heals nobody else.
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
