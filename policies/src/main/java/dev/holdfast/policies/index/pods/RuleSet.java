package dev.holdfast.policies.index.pods;

import dev.holdfast.policies.index.count.LiveRule;
import dev.holdfast.policies.model.Scheduling;
import dev.holdfast.policies.rule.AppliedRule;
import dev.holdfast.policies.rule.Policy;
import dev.holdfast.policies.rule.PolicyId;
import java.util.List;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** The rules that policies request for pods of one namespace with one scheduling; shared by all label variants. */
public final class RuleSet {
    private final Key key;
    private final List<AppliedRule> rules;
    private final boolean readsLabels;
    private final List<Selected> selected;

    /**
     * The live rules if no rule reads the pod's labels, so that all {@code ResolvedRules} share them; null until first
     * used.
     */
    private @Nullable LiveRule @Nullable [] live;

    /** The number of {@code ResolvedRules} that use it. */
    int profiles;

    /**
     * A rule set that no {@code ResolvedRules} use yet.
     *
     * @param rules sorted by identity
     * @param selected one for each policy
     */
    RuleSet(Key key, List<AppliedRule> rules, List<Selected> selected) {
        this.key = key;
        this.selected = List.copyOf(selected);
        this.rules = List.copyOf(rules);
        this.readsLabels = rules.stream().anyMatch(held -> held.rule().readsLabels());
    }

    public Key key() {
        return key;
    }

    /** {@return for each policy, the number of pods that it selects in the whole cluster} */
    List<Selected> selected() {
        return selected;
    }

    public List<AppliedRule> rules() {
        return rules;
    }

    /** {@return whether the resolved rules depend on the pod's labels} */
    boolean readsLabels() {
        return readsLabels;
    }

    /** {@return the live rules that all pods share; only if no rule reads the pod's labels} */
    @Nullable
    LiveRule[] live(Supplier<@Nullable LiveRule[]> maker) {
        if (live == null) {
            live = maker.get();
        }
        return live;
    }

    /** The number of pods that one policy selects. */
    static final class Selected {
        final PolicyId policy;
        int pods;

        Selected(PolicyId policy) {
            this.policy = policy;
        }
    }

    /**
     * The key of a rule set: what its rules are made from.
     *
     * @param policies those that select the pods, sorted by id
     */
    public record Key(String namespace, Scheduling scheduling, List<Policy> policies) {
        /** Hashes policies by id only: their content may be long, and only revisions of one policy share an id. */
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
