package dev.holdfast.policies.plan;

import dev.holdfast.policies.plan.input.Candidate;
import dev.holdfast.policies.plan.input.PartnerFinder;
import dev.holdfast.policies.rule.Rule;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Counts, for each pod, how many candidates its move heals: those for its own rules, and those of other pods whose
 * anti-affinity only this pod breaks. Other rules of other pods do not count here, because it depends on the new node
 * whether a move heals them. Rules of anti-affinity over all namespaces in large domains do not count either: with such
 * a rule, any pod could choose which pods of other namespaces move.
 *
 * <p>Example: pod a must be apart from b, c and d, but shares a node with them. Moving a heals b, c and d. Moving b
 * heals no other pod, because a still conflicts with c and d.
 */
final class HealedByMove {
    private HealedByMove() {}

    /**
     * {@return for each pod, the number of candidates that its move heals, by pod UID; without pods that heal none}
     */
    static Map<String, Integer> of(List<Candidate> candidates, PartnerFinder partners) {
        Map<String, Integer> heals = new HashMap<>();
        for (Candidate candidate : candidates) {
            heals.merge(candidate.owner().uid(), 1, Integer::sum);
            if (candidate.rule() instanceof Rule.PodAntiAffinity rule
                    && !rule.term().isClusterWide()) {
                partners.partners(candidate, rule)
                        .only(candidate.owner())
                        .ifPresent(uid -> heals.merge(uid, 1, Integer::sum));
            }
        }
        return heals;
    }
}
