package dev.holdfast.policies.index.pods;

import dev.holdfast.policies.index.count.LiveRule;
import dev.holdfast.policies.index.lookup.MatchedRules;
import dev.holdfast.policies.model.Labels;
import dev.holdfast.policies.model.PodRequirements;
import dev.holdfast.policies.model.Scheduling;
import dev.holdfast.policies.model.VictimProtection;
import dev.holdfast.policies.rule.Mode;
import dev.holdfast.policies.rule.Policy;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** The pods of a label class whose labels are all equal, including labels copied from nodes such as the zone. */
final class LabelVariant {
    private static final int FEW_MATCHES = 32;

    final LabelClass kind;
    final Labels labels;
    final PodList pods = new PodList((pod, place) -> pod.placeInVariant = place);

    /**
     * The resolved rules of these pods by key of their rule set. Usually there is one entry. Pods of a DaemonSet have
     * one each, because their node affinity differs.
     */
    private Map<RuleSet.Key, ResolvedRules> resolvedRuleses = Map.of();

    /**
     * The resolved rules that were found last. A search tries them first, because comparing two large keys is cheaper
     * than hashing one.
     */
    private ResolvedRules last = ResolvedRules.NONE;

    private List<Policy> policies = List.of();
    private boolean selectedAnywhere = true;

    /** The scheduling that {@link #shared(Scheduling)} returned last. */
    private Scheduling scheduling = Scheduling.anywhere();

    private PodRequirements podRequirements = PodRequirements.none();
    private Optional<VictimProtection> victimProtection = Optional.empty();

    /** The rules that read labels copied from nodes and have these pods as partners; null until there is one. */
    private @Nullable MatchedRules<LiveRule> further;

    int placeInClass;

    LabelVariant(LabelClass kind, Labels labels) {
        this.kind = kind;
        this.labels = labels;
    }

    /**
     * {@return the policies that select these pods, sorted by id; the node selectors of policies are not considered}
     */
    List<Policy> policies() {
        return policies;
    }

    /**
     * {@return whether no policy that selects these pods has a node selector, so that it does not matter where a pod
     * runs}
     */
    boolean isSelectedAnywhere() {
        return selectedAnywhere;
    }

    /** {@return whether a policy selects these pods; the policy's node selector is not considered} */
    boolean isSelectedBy(Policy policy) {
        NamespaceEntry namespace = kind.namespace;
        return policy.mode() != Mode.OFF
                && policy.reaches(namespace.name, namespace.labels())
                && policy.pods().matches(labels);
    }

    /** Sets the policies that select these pods, sorted by id. */
    void select(List<Policy> selecting) {
        policies = selecting;
        selectedAnywhere = selecting.stream().allMatch(policy -> policy.nodes().isEmpty());
    }

    /** {@return the resolved rules for a scheduling and a list of policies; empty when no pod has them yet} */
    Optional<ResolvedRules> profile(RuleSet.Key key) {
        ResolvedRules known = last.ruleSet().key().equals(key) ? last : resolvedRuleses.get(key);
        if (known != null) {
            last = known;
        }
        return Optional.ofNullable(known);
    }

    void add(ResolvedRules resolvedRules) {
        RuleSet.Key key = resolvedRules.ruleSet().key();
        last = resolvedRules;
        if (resolvedRuleses.isEmpty()) {
            resolvedRuleses = Map.of(key, resolvedRules);
            return;
        }
        if (resolvedRuleses.size() == 1) {
            resolvedRuleses = new HashMap<>(resolvedRuleses);
        }
        resolvedRuleses.put(key, resolvedRules);
    }

    void remove(ResolvedRules resolvedRules) {
        last = last == resolvedRules ? ResolvedRules.NONE : last;
        if (resolvedRuleses.size() == 1) {
            resolvedRuleses = Map.of();
        } else {
            resolvedRuleses.remove(resolvedRules.ruleSet().key());
            if (resolvedRuleses.size() == 1) {
                resolvedRuleses = Map.copyOf(resolvedRuleses);
            }
        }
    }

    /**
     * Remembers a scheduling, and returns an equal one. If the previous pod had an equal one, both pods share that
     * instance.
     */
    Scheduling shared(Scheduling other) {
        if (!scheduling.equals(other)) {
            scheduling = other;
        }
        return scheduling;
    }

    /**
     * Remembers requirements, and returns equal ones. If the previous pod had equal ones, both pods share that
     * instance.
     */
    PodRequirements shared(PodRequirements other) {
        if (!podRequirements.equals(other)) {
            podRequirements = other;
        }
        return podRequirements;
    }

    /**
     * Remembers a protection, and returns an equal one. If the previous pod had an equal one, both pods share that
     * instance.
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
        return kind.matchedRules.size() + (further == null ? 0 : further.size()) <= FEW_MATCHES;
    }

    /** Calls the action for each rule that has these pods as partners. */
    void forEachMatch(Consumer<LiveRule> action) {
        kind.matchedRules.forEach(action);
        if (further != null) {
            further.forEach(action);
        }
    }

    boolean isMatchedBy(LiveRule rule) {
        return rule.readsNodePairs() ? further != null && further.has(rule) : kind.matchedRules.has(rule);
    }

    /** Records that a rule that reads labels copied from nodes has these pods as partners. */
    void match(LiveRule rule) {
        if (further == null) {
            further = new MatchedRules<>();
        }
        further.add(rule);
    }

    void unmatch(LiveRule rule) {
        if (further != null) {
            further.remove(rule);
        }
    }
}
