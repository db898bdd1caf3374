package dev.holdfast.policies.index.pods;

import dev.holdfast.policies.index.count.LiveRule;
import dev.holdfast.policies.model.Scheduling;
import dev.holdfast.policies.rule.AppliedRule;
import dev.holdfast.policies.rule.RuleIdentity;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The rules that pods with equal labels, equal scheduling and the same policies are held to. Each rule has its partner
 * counts ({@link LiveRule}). A <em>slot</em> is the position of a rule; rules are sorted by rule identity.
 */
public final class ResolvedRules {
    /** The empty instance for pods that no policy selects. */
    static final ResolvedRules NONE = new ResolvedRules(
            new RuleSet(new RuleSet.Key("", Scheduling.anywhere(), List.of(), Set.of()), List.of(), List.of()),
            new @Nullable LiveRule[0]);

    private final RuleSet rules;
    private final @Nullable LiveRule[] live;

    /** The number of pods that have these resolved rules. */
    int pods;

    /**
     * @param live for each position of a rule, the rule with its partner counts; null for a rule that cannot be parsed
     */
    ResolvedRules(RuleSet rules, @Nullable LiveRule[] live) {
        this.rules = rules;
        this.live = live;
    }

    boolean isNone() {
        return rules.key().policies().isEmpty();
    }

    public RuleSet ruleSet() {
        return rules;
    }

    public int size() {
        return live.length;
    }

    public AppliedRule rule(int slot) {
        return rules.rules().get(slot);
    }

    /** {@return the slot (position) of a rule; -1 if the pods are not held to the rule} */
    public int slot(RuleIdentity identity) {
        for (int slot = 0; slot < live.length; slot++) {
            if (rule(slot).identity().equals(identity)) {
                return slot;
            }
        }
        return -1;
    }

    @Nullable
    public LiveRule live(int slot) {
        return live[slot];
    }
}
