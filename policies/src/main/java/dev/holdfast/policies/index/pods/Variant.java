package dev.holdfast.policies.index.pods;

import dev.holdfast.policies.index.count.LiveRule;
import dev.holdfast.policies.index.lookup.Matches;
import dev.holdfast.policies.model.Labels;
import dev.holdfast.policies.model.Needs;
import dev.holdfast.policies.model.Protection;
import dev.holdfast.policies.model.Scheduling;
import dev.holdfast.policies.rule.Mode;
import dev.holdfast.policies.rule.Policy;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** The pods of a label class that have all labels in common, those copied from nodes too. */
final class Variant {
    private static final int FEW_MATCHES = 32;

    final LabelClass kind;
    final Labels labels;
    final PodList pods = new PodList((pod, place) -> pod.placeInVariant = place);

    /** What is asked for these pods: mostly one profile, and one for each pod of a DaemonSet. */
    private Map<RuleSet.Key, Profile> profiles = Map.of();

    /** The one acquired last: to find one among many takes hashing. */
    private Profile last = Profile.NONE;

    private List<Policy> policies = List.of();
    private boolean selectedAnywhere = true;

    /** The scheduling of the pod that came last. */
    private Scheduling scheduling = Scheduling.anywhere();

    private Needs needs = Needs.none();
    private Optional<Protection> protection = Optional.empty();

    /** The rules that match only because of labels copied from nodes; absent when there never were any. */
    private @Nullable Matches<LiveRule> further;

    int placeInClass;

    Variant(LabelClass kind, Labels labels) {
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
    Optional<Profile> profile(RuleSet.Key key) {
        Profile known = last.ruleSet().key().equals(key) ? last : profiles.get(key);
        if (known != null) {
            last = known;
        }
        return Optional.ofNullable(known);
    }

    void add(Profile profile) {
        RuleSet.Key key = profile.ruleSet().key();
        last = profile;
        if (profiles.isEmpty()) {
            profiles = Map.of(key, profile);
            return;
        }
        if (profiles.size() == 1) {
            profiles = new HashMap<>(profiles);
        }
        profiles.put(key, profile);
    }

    void remove(Profile profile) {
        last = last == profile ? Profile.NONE : last;
        if (profiles.size() == 1) {
            profiles = Map.of();
        } else {
            profiles.remove(profile.ruleSet().key());
            if (profiles.size() == 1) {
                profiles = Map.copyOf(profiles);
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
    Needs shared(Needs other) {
        if (!needs.equals(other)) {
            needs = other;
        }
        return needs;
    }

    /** {@return an equal protection, the same one for pods that come after one another with an equal one} */
    Protection shared(Protection other) {
        if (protection.isEmpty() || !protection.get().equals(other)) {
            protection = Optional.of(other);
        }
        return protection.get();
    }

    /** {@return whether each of another's matches may be looked for among these} */
    boolean hasFewMatches() {
        return kind.matches.size() + (further == null ? 0 : further.size()) <= FEW_MATCHES;
    }

    /** Shows all rules whose partners these pods are. */
    void forEachMatch(Consumer<LiveRule> action) {
        kind.matches.forEach(action);
        if (further != null) {
            further.forEach(action);
        }
    }

    boolean isMatchedBy(LiveRule rule) {
        return rule.readsNodePairs() ? further != null && further.has(rule) : kind.matches.has(rule);
    }

    /** Takes a rule that reads labels copied from nodes. */
    void match(LiveRule rule) {
        if (further == null) {
            further = new Matches<>();
        }
        further.add(rule);
    }

    void unmatch(LiveRule rule) {
        if (further != null) {
            further.remove(rule);
        }
    }
}
