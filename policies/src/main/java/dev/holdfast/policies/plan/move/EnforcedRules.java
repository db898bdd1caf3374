package dev.holdfast.policies.plan.move;

import dev.holdfast.policies.rule.RuleIdentity;
import java.util.Set;

/**
 * The rules that policies enforced on a pod at one instant.
 *
 * @param kept the rules that the pod did not break
 * @param broken the rules that the pod broke
 */
public record EnforcedRules(Set<RuleIdentity> kept, Set<RuleIdentity> broken) {
    public EnforcedRules {
        kept = Set.copyOf(kept);
        broken = Set.copyOf(broken);
    }

    /** {@return the rules of a victim of which only the rule that its move shall heal is known} */
    public static EnforcedRules onlyBroken(RuleIdentity rule) {
        return new EnforcedRules(Set.of(), Set.of(rule));
    }

    /**
     * {@return whether a move was a success: its replacement breaks fewer rules than the victim did} A rule that was
     * not enforced on the victim does not count. Example: the victim broke rule a. A replacement that breaks rule b
     * instead is no success.
     *
     * @param ofReplacement the rules that the replacement breaks
     */
    public boolean isImprovedBy(Set<RuleIdentity> ofReplacement) {
        long now = ofReplacement.stream()
                .filter(rule -> kept.contains(rule) || broken.contains(rule))
                .count();
        return now < broken.size();
    }
}
