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

/** The pods of a label class whose labels are all equal, including those copied from nodes. */
final class LabelVariant {
    private static final int FEW_MATCHES = 32;

    final LabelClass kind;
    final Labels labels;
    final PodList pods = new PodList((pod, place) -> pod.placeInVariant = place);

    /**
     * The resolved rules of these pods by key of their rule set. Usually there is one; pods of a DaemonSet have one
     * each.
     */
    private Map<RuleSet.Key, ResolvedRules> resolvedRuleses = Map.of();

    /** The last lookup: the keys are large, so comparing one is cheaper than hashing it. */
    private ResolvedRules last = ResolvedRules.NONE;

    private List<Policy> policies = List.of();
    private boolean selectedAnywhere = true;

    /** The scheduling of the pod that was added last. */
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

    /** {@return the policies that select these pods, sorted by id; their node selectors are not considered} */
    List<Policy> policies() {
        return policies;
    }

    /** {@return whether none of these policies has a node selector} */
    boolean isSelectedAnywhere() {
        return selectedAnywhere;
    }

    /** {@return whether a policy selects these pods; its node selector is not considered} */
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

    /** {@return the resolved rules for a scheduling and policies; empty when no pod has them yet} */
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

    /** {@return an equal scheduling; consecutive pods with an equal one share the instance} */
    Scheduling shared(Scheduling other) {
        if (!scheduling.equals(other)) {
            scheduling = other;
        }
        return scheduling;
    }

    /** {@return equal requirements; consecutive pods with equal ones share the instance} */
    PodRequirements shared(PodRequirements other) {
        if (!podRequirements.equals(other)) {
            podRequirements = other;
        }
        return podRequirements;
    }

    /** {@return an equal protection; consecutive pods with an equal one share the instance} */
    VictimProtection shared(VictimProtection other) {
        if (victimProtection.isEmpty() || !victimProtection.get().equals(other)) {
            victimProtection = Optional.of(other);
        }
        return victimProtection.get();
    }

    /** {@return whether these pods are partners of few rules, so that linear searches in the list are cheap} */
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

    /** Adds a rule that reads labels copied from nodes. */
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
