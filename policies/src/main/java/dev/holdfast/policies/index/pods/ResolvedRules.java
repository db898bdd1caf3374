package dev.holdfast.policies.index.pods;

import dev.holdfast.policies.index.count.LiveRule;
import dev.holdfast.policies.model.Scheduling;
import dev.holdfast.policies.rule.HeldRule;
import dev.holdfast.policies.rule.RuleIdentity;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** What a rule set comes to for pods of one variant: a live rule for each rule, in the order of their identities. */
public final class ResolvedRules {
    /** Of pods that no policy selects. */
    static final ResolvedRules NONE = new ResolvedRules(
            new RuleSet(new RuleSet.Key("", Scheduling.anywhere(), List.of()), List.of(), List.of()),
            new @Nullable LiveRule[0]);

    private final RuleSet rules;
    private final @Nullable LiveRule[] live;

    /** How many pods have it. */
    int pods;

    /** @param live by rule; absent for one that cannot be parsed */
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

    public HeldRule rule(int slot) {
        return rules.rules().get(slot);
    }

    /** {@return the place of a rule; negative when it is not asked for} */
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
