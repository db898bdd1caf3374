package dev.holdfast.policies.index.pods;

import dev.holdfast.policies.index.count.LiveRule;
import dev.holdfast.policies.index.lookup.MatchedRules;
import dev.holdfast.policies.model.Labels;
import dev.holdfast.policies.model.PodRequirements;
import dev.holdfast.policies.model.Scheduling;
import dev.holdfast.policies.model.VictimProtection;
import dev.holdfast.policies.rule.Mode;
import dev.holdfast.policies.rule.Policy;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The pods of a {@link LabelClass} that have equal values also for the labels copied from nodes, such as the zone. So
 * all labels of these pods are equal.
 */
final class LabelVariant {
    private static final int FEW_MATCHES = 32;

    final LabelClass labelClass;
    final Labels labels;
    final PodList pods = new PodList((pod, place) -> pod.placeInVariant = place);

    /**
     * The resolved rules (the rules that pods are held to, with counts) of these pods, by scheduling and policies.
     * Usually there is one entry. Each pod of a DaemonSet has an entry of its own, because its node affinity differs.
     */
    private Map<RuleSet.Key, ResolvedRules> resolvedByKey = Map.of();

    /**
     * The resolved rules that were found last. A search tries them first, because comparing two large keys is cheaper
     * than hashing one.
     */
    private ResolvedRules last = ResolvedRules.NONE;

    private List<Policy> policies = List.of();
    private boolean selectedAnywhere = true;

    /**
     * The scheduling constraints that {@link #shared(Scheduling)} returned last; the next pod with equal ones gets the
     * same instance.
     */
    private Scheduling scheduling = Scheduling.anywhere();

    private PodRequirements podRequirements = PodRequirements.none();
    private Optional<VictimProtection> victimProtection = Optional.empty();

    /** The rules that select these pods by labels of their node, such as its zone; null until there is one. */
    private @Nullable MatchedRules<LiveRule> nodePairMatches;

    int placeInClass;

    LabelVariant(LabelClass kind, Labels labels) {
        this.labelClass = kind;
        this.labels = labels;
    }

    /**
     * {@return the policies that select these pods, sorted by id; the node selectors of policies are not considered}
     */
    List<Policy> policies() {
        return policies;
    }

    /**
     * {@return whether the policies that select these pods select them on every node: none of these policies has a node
     * selector}
     */
    boolean isSelectedAnywhere() {
        return selectedAnywhere;
    }

    /** {@return whether a policy selects these pods; the policy's node selector is not considered} */
    boolean isSelectedBy(Policy policy) {
        NamespaceEntry namespace = labelClass.namespace;
        return policy.mode() != Mode.DISABLED
                && policy.appliesTo(namespace.name, namespace.labels())
                && policy.pods().matches(labels);
    }

    /** Sets the policies that select these pods, sorted by id. */
    void select(List<Policy> selecting) {
        policies = selecting;
        selectedAnywhere = selecting.stream().allMatch(policy -> policy.nodes().isEmpty());
    }

    /**
     * {@return the rules that apply to pods of this variant with the scheduling constraints and policies of the key;
     * empty if this variant has no such pod yet}
     */
    Optional<ResolvedRules> resolvedRules(RuleSet.Key key) {
        ResolvedRules known = last.ruleSet().key().equals(key) ? last : resolvedByKey.get(key);
        if (known != null) {
            last = known;
        }
        return Optional.ofNullable(known);
    }

    void add(ResolvedRules resolvedRules) {
        RuleSet.Key key = resolvedRules.ruleSet().key();
        last = resolvedRules;
        if (resolvedByKey.isEmpty()) {
            resolvedByKey = Map.of(key, resolvedRules);
            return;
        }
        if (resolvedByKey.size() == 1) {
            resolvedByKey = new HashMap<>(resolvedByKey);
        }
        resolvedByKey.put(key, resolvedRules);
    }

    void remove(ResolvedRules resolvedRules) {
        last = last == resolvedRules ? ResolvedRules.NONE : last;
        if (resolvedByKey.size() == 1) {
            resolvedByKey = Map.of();
        } else {
            resolvedByKey.remove(resolvedRules.ruleSet().key());
            if (resolvedByKey.size() == 1) {
                resolvedByKey = Map.copyOf(resolvedByKey);
            }
        }
    }

    /**
     * Returns the remembered scheduling constraints of an earlier pod if they are equal to {@code other}. Otherwise
     * remembers and returns {@code other}. So pods with equal constraints share an instance.
     */
    Scheduling shared(Scheduling other) {
        if (!scheduling.equals(other)) {
            scheduling = other;
        }
        return scheduling;
    }

    /**
     * Returns the remembered requirements (resources, host ports, volume claims) of an earlier pod if they are equal to
     * {@code other}. Otherwise remembers and returns {@code other}. So pods with equal requirements share an instance.
     */
    PodRequirements shared(PodRequirements other) {
        if (!podRequirements.equals(other)) {
            podRequirements = other;
        }
        return podRequirements;
    }

    /**
     * Returns the remembered protection of an earlier pod (properties that may protect it from eviction) if it is equal
     * to {@code other}. Otherwise remembers and returns {@code other}. So pods with equal protection share an instance.
     */
    VictimProtection shared(VictimProtection other) {
        if (victimProtection.isEmpty() || !victimProtection.get().equals(other)) {
            victimProtection = Optional.of(other);
        }
        return victimProtection.get();
    }

    /**
     * {@return whether these pods are partners of at most {@link #FEW_MATCHES} rules, so that a linear search is cheap}
     */
    boolean hasFewMatches() {
        return labelClass.matchedRules.size() + (nodePairMatches == null ? 0 : nodePairMatches.size()) <= FEW_MATCHES;
    }

    /** Calls the action for each rule that has these pods as partners. */
    void forEachMatch(Consumer<LiveRule> action) {
        labelClass.matchedRules.forEach(action);
        if (nodePairMatches != null) {
            nodePairMatches.forEach(action);
        }
    }

    /** Calls the action for each rule that has these pods as partners and reads labels copied from nodes. */
    void forEachNodePairMatch(Consumer<LiveRule> action) {
        if (nodePairMatches != null) {
            nodePairMatches.forEach(action);
        }
    }

    /** {@return the resolved rules of all pods of this variant} */
    Collection<ResolvedRules> resolvedRules() {
        return resolvedByKey.values();
    }

    boolean isMatchedBy(LiveRule rule) {
        return rule.readsNodePairs()
                ? nodePairMatches != null && nodePairMatches.has(rule)
                : labelClass.matchedRules.has(rule);
    }

    /** Records that these pods are partners of a rule; only for rules that read labels copied from nodes. */
    void match(LiveRule rule) {
        if (nodePairMatches == null) {
            nodePairMatches = new MatchedRules<>();
        }
        nodePairMatches.add(rule);
    }

    void unmatch(LiveRule rule) {
        if (nodePairMatches != null) {
            nodePairMatches.remove(rule);
        }
    }
}
