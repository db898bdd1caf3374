package dev.holdfast.policies.index.pods;

import dev.holdfast.policies.index.count.InjectionCounts;
import dev.holdfast.policies.index.count.LiveRule;
import dev.holdfast.policies.inject.PolicyInjection;
import dev.holdfast.policies.model.Scheduling;
import dev.holdfast.policies.rule.AppliedRule;
import dev.holdfast.policies.rule.Policy;
import dev.holdfast.policies.rule.PolicyId;
import dev.holdfast.policies.rule.RuleIdentity;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The rules that certain policies request for pods of one namespace with equal {@link Scheduling}. Such pods share one
 * rule set, even if their labels differ.
 */
public final class RuleSet {
    private final Key key;
    private final List<AppliedRule> rules;
    private final boolean readsLabels;
    private final List<Selected> selected;
    private final List<PolicyInjection> injections;
    private final Map<PolicyId, PolicyInjection> injectionsByPolicy;

    /**
     * The live rule (the rule with its partner counts) of each rule. All {@code ResolvedRules} of this rule set share
     * these live rules. Null until first used, and always null if a rule reads labels of its rule owner, for example by
     * {@code matchLabelKeys}.
     */
    private @Nullable LiveRule @Nullable [] live;

    /** The constraints of these pods if created now; computed when first used, since most pods never have to move. */
    private Optional<Scheduling> createdAgain = Optional.empty();

    private boolean knowsCreatedAgain;

    /**
     * The namespaces of the policies that enforce a rule on a node label, by the label's key; computed when first used.
     */
    private @Nullable Map<String, Set<Optional<String>>> enforcers;

    /** The number of {@code ResolvedRules} instances that use this rule set. */
    int users;

    /**
     * Creates a rule set that no {@code ResolvedRules} instance uses yet.
     *
     * @param rules sorted by rule identity
     * @param selected the pod counters of the policies in the key, one for each policy
     */
    RuleSet(Key key, List<AppliedRule> rules, List<Selected> selected) {
        this.key = key;
        this.selected = List.copyOf(selected);
        this.injections = PolicyInjection.of(key.scheduling(), key.policies());
        this.injectionsByPolicy = byPolicy(key.policies(), injections);
        this.rules = List.copyOf(rules);
        this.readsLabels = rules.stream().anyMatch(held -> held.rule().readsLabels());
    }

    private static Map<PolicyId, PolicyInjection> byPolicy(List<Policy> policies, List<PolicyInjection> injections) {
        Map<PolicyId, PolicyInjection> byPolicy = new TreeMap<>();
        for (int i = 0; i < injections.size(); i++) {
            if (!injections.get(i).rules().isEmpty()) {
                byPolicy.put(policies.get(i).id(), injections.get(i));
            }
        }
        return byPolicy.isEmpty() ? Map.of() : Collections.unmodifiableMap(byPolicy);
    }

    public Key key() {
        return key;
    }

    /** {@return for each policy in the key, a counter of the pods that the policy selects in the whole cluster} */
    List<Selected> selected() {
        return selected;
    }

    /** {@return for each policy in the key, the outcomes of its rules in the spec of these pods} */
    List<PolicyInjection> injections() {
        return injections;
    }

    /**
     * {@return the constraints that these pods have if they are created now; empty if no policy injects a rule, or more
     * than a hundred do}
     */
    public Optional<Scheduling> createdAgain() {
        if (!knowsCreatedAgain && !injectionsByPolicy.isEmpty()) {
            createdAgain = PolicyInjection.createdAgain(key.scheduling(), key.policies());
        }
        knowsCreatedAgain = true;
        return createdAgain;
    }

    /** {@return the outcomes of the rules of each policy that injects some, in the spec of these pods} */
    public Map<PolicyId, PolicyInjection> injectionsByPolicy() {
        return injectionsByPolicy;
    }

    public List<AppliedRule> rules() {
        return rules;
    }

    /**
     * {@return whether policies enforce a rule of this set that depends on the node label with this key}
     *
     * @param namespace the namespace of the policies; empty for cluster policies
     */
    public boolean enforces(String nodeKey, Optional<String> namespace) {
        if (enforcers == null) {
            enforcers = NodeKeyReaders.enforcers(rules, key.scheduling());
        }
        return enforcers.getOrDefault(nodeKey, Set.of()).contains(namespace);
    }

    /**
     * {@return whether a rule reads labels of its rule owner, so that each label variant needs live rules of its own}
     */
    boolean readsLabels() {
        return readsLabels;
    }

    /**
     * Returns the live rules (the rules with their partner counts), which all pods of this rule set share. The first
     * call creates the live rules. Must not be called if a rule reads labels of its rule owner.
     *
     * @param maker creates one live rule for each rule, in the order of {@link #rules}
     */
    @Nullable
    LiveRule[] live(Supplier<@Nullable LiveRule[]> maker) {
        if (live == null) {
            live = maker.get();
        }
        return live;
    }

    /** A counter of the pods that one policy selects, and of the outcomes of the rules that this policy injects. */
    static final class Selected {
        final PolicyId policy;
        final InjectionCounts injections = new InjectionCounts();
        int pods;

        Selected(PolicyId policy) {
            this.policy = policy;
        }
    }

    /**
     * The key of a rule set: what decides which rules are in it.
     *
     * @param policies the policies that select the pods, sorted by id
     * @param leftOut the identities of rules that are left out, because rules of the namespace take too much of the
     *     heap
     */
    public record Key(String namespace, Scheduling scheduling, List<Policy> policies, Set<RuleIdentity> leftOut) {
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
