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

/** The pods of a label class that have all labels in common, those copied from nodes too. */
final class LabelVariant {
    private static final int FEW_MATCHES = 32;

    final LabelClass kind;
    final Labels labels;
    final PodList pods = new PodList((pod, place) -> pod.placeInVariant = place);

    /** What is asked for these pods: mostly one profile, and one for each pod of a DaemonSet. */
    private Map<RuleSet.Key, ResolvedRules> resolvedRuleses = Map.of();

    /** The one acquired last: to find one among many takes hashing. */
    private ResolvedRules last = ResolvedRules.NONE;

    private List<Policy> policies = List.of();
    private boolean selectedAnywhere = true;

    /** The scheduling of the pod that came last. */
    private Scheduling scheduling = Scheduling.anywhere();

    private PodRequirements podRequirements = PodRequirements.none();
    private Optional<VictimProtection> victimProtection = Optional.empty();

    /** The rules that match only because of labels copied from nodes; absent when there never were any. */
    private @Nullable MatchedRules<LiveRule> further;

    int placeInClass;

    LabelVariant(LabelClass kind, Labels labels) {
        this.kind = kind;
        this.labels = labels;
    }

    /** {@return the policies that select these pods, on whichever nodes they want them, by id} */
    List<Policy> policies() {
        return policies;
    }

    /** {@return whether none of the policies reads nodes} */
    boolean isSelectedAnywhere() {
        return selectedAnywhere;
    }

    /** {@return whether a policy selects these pods, on whichever nodes it wants them} */
    boolean isSelectedBy(Policy policy) {
        NamespaceEntry namespace = kind.namespace;
        return policy.mode() != Mode.OFF
                && policy.reaches(namespace.name, namespace.labels())
                && policy.pods().matches(labels);
    }

    /** Takes the policies that select these pods, by id. */
    void select(List<Policy> selecting) {
        policies = selecting;
        selectedAnywhere = selecting.stream().allMatch(policy -> policy.nodes().isEmpty());
    }

    /** {@return what is asked for pods with this scheduling under these policies; absent when no pod has it yet} */
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

    /** {@return an equal scheduling, the same one for pods that come after one another with an equal one} */
    Scheduling shared(Scheduling other) {
        if (!scheduling.equals(other)) {
            scheduling = other;
        }
        return scheduling;
    }

    /** {@return equal needs, the same ones for pods that come after one another with equal ones} */
    PodRequirements shared(PodRequirements other) {
        if (!podRequirements.equals(other)) {
            podRequirements = other;
        }
        return podRequirements;
    }

    /** {@return an equal protection, the same one for pods that come after one another with an equal one} */
    VictimProtection shared(VictimProtection other) {
        if (victimProtection.isEmpty() || !victimProtection.get().equals(other)) {
            victimProtection = Optional.of(other);
        }
        return victimProtection.get();
    }

    /** {@return whether each of another's matches may be looked for among these} */
    boolean hasFewMatches() {
        return kind.matchedRules.size() + (further == null ? 0 : further.size()) <= FEW_MATCHES;
    }

    /** Shows all rules whose partners these pods are. */
    void forEachMatch(Consumer<LiveRule> action) {
        kind.matchedRules.forEach(action);
        if (further != null) {
            further.forEach(action);
        }
    }

    boolean isMatchedBy(LiveRule rule) {
        return rule.readsNodePairs() ? further != null && further.has(rule) : kind.matchedRules.has(rule);
    }

    /** Takes a rule that reads labels copied from nodes. */
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
