package dev.holdfast.policies.index;

import dev.holdfast.policies.model.Scheduling;
import dev.holdfast.policies.rule.HeldRule;
import dev.holdfast.policies.rule.Policy;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What is asked for pods that have labels, scheduling and policies in common: their rules, in the order of their
 * identities.
 */
final class Profile {
    static final Profile NONE = new Profile(Scheduling.anywhere(), List.of(), List.of(), new @Nullable LiveRule[0]);

    final Scheduling scheduling;
    final List<Policy> policies;
    private final List<HeldRule> rules;
    private final @Nullable LiveRule[] live;

    /** How many pods have it. */
    int pods;

    /** @param live by rule; absent for one that cannot be parsed */
    Profile(Scheduling scheduling, List<Policy> policies, List<HeldRule> rules, @Nullable LiveRule[] live) {
        this.scheduling = scheduling;
        this.policies = policies;
        this.rules = rules;
        this.live = live;
    }

    boolean isFor(Scheduling other, List<Policy> selecting) {
        return policies.equals(selecting) && scheduling.equals(other);
    }

    int size() {
        return live.length;
    }

    HeldRule rule(int slot) {
        return rules.get(slot);
    }

    List<HeldRule> rules() {
        return rules;
    }

    @Nullable
    LiveRule live(int slot) {
        return live[slot];
    }
}
