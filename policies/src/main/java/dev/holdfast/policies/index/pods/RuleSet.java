package dev.holdfast.policies.index.pods;

import dev.holdfast.policies.index.count.LiveRule;
import dev.holdfast.policies.model.Scheduling;
import dev.holdfast.policies.rule.HeldRule;
import dev.holdfast.policies.rule.Policy;
import dev.holdfast.policies.rule.PolicyId;
import java.util.List;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** What some policies ask of pods of a namespace with one scheduling: shared by all variants of a workload. */
public final class RuleSet {
    private final Key key;
    private final List<HeldRule> rules;
    private final boolean readsLabels;
    private final List<Selected> selected;

    /** Shared by all profiles where no rule reads the pod's labels; absent until the first of them. */
    private @Nullable LiveRule @Nullable [] live;

    /** How many profiles have it. */
    int profiles;

    /**
     * A set that no profile has yet.
     *
     * @param rules in the order of their identities
     * @param selected of each policy
     */
    RuleSet(Key key, List<HeldRule> rules, List<Selected> selected) {
        this.key = key;
        this.selected = List.copyOf(selected);
        this.rules = List.copyOf(rules);
        this.readsLabels = rules.stream().anyMatch(held -> held.rule().readsLabels());
    }

    public Key key() {
        return key;
    }

    /** {@return how many pods each of the policies selects, in all} */
    List<Selected> selected() {
        return selected;
    }

    public List<HeldRule> rules() {
        return rules;
    }

    /** {@return whether it means something else for pods with other labels} */
    boolean readsLabels() {
        return readsLabels;
    }

    /** {@return the live rules of all pods, where they are the same whatever the labels} */
    @Nullable
    LiveRule[] live(Supplier<@Nullable LiveRule[]> maker) {
        if (live == null) {
            live = maker.get();
        }
        return live;
    }

    /** How many pods one policy selects. */
    static final class Selected {
        final PolicyId policy;
        int pods;

        Selected(PolicyId policy) {
            this.policy = policy;
        }
    }

    /**
     * What a rule set is made from.
     *
     * @param policies those that select the pods, by id
     */
    public record Key(String namespace, Scheduling scheduling, List<Policy> policies) {
        /** By the names of policies alone: what they say may be long, and only editions of one policy share its name. */
        @Override
        public int hashCode() {
            int hash = 31 * namespace.hashCode() + scheduling.hashCode();
            for (Policy policy : policies) {
                hash = 31 * hash + policy.id().hashCode();
            }
            return hash;
        }
    }
}
