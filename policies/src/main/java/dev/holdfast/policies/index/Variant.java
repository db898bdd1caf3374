package dev.holdfast.policies.index;

import dev.holdfast.policies.model.Labels;
import dev.holdfast.policies.model.Protection;
import dev.holdfast.policies.model.Scheduling;
import dev.holdfast.policies.rule.Policy;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/** The pods of a label class that have all labels in common, those copied from nodes too. */
final class Variant {
    static final LiveRule[] NO_RULES = new LiveRule[0];

    final LabelClass kind;
    final Labels labels;
    final PodList pods = new PodList((pod, place) -> pod.placeInVariant = place);

    /** What is asked for these pods, by their scheduling and the policies that select them; few at a time. */
    final List<Profile> profiles = new ArrayList<>(1);

    /** The policies that select these pods, on whichever nodes they want them. */
    List<Policy> policies = List.of();

    /** The scheduling of the pod that came last. */
    private Scheduling scheduling = Scheduling.anywhere();

    private Optional<Protection> protection = Optional.empty();

    /** The rules that match only because of labels copied from nodes. */
    private LiveRule[] further = NO_RULES;

    private LiveRule[] matched = NO_RULES;

    Variant(LabelClass kind, Labels labels) {
        this.kind = kind;
        this.labels = labels;
    }

    /** {@return an equal scheduling, the same one for pods that come after one another with an equal one} */
    Scheduling shared(Scheduling other) {
        if (!scheduling.equals(other)) {
            scheduling = profiles.stream()
                    .map(profile -> profile.ruleSet().key().scheduling())
                    .filter(other::equals)
                    .findFirst()
                    .orElse(other);
        }
        return scheduling;
    }

    /** {@return an equal protection, the same one for pods that come after one another with an equal one} */
    Protection shared(Protection other) {
        if (protection.isEmpty() || !protection.get().equals(other)) {
            protection = Optional.of(other);
        }
        return protection.get();
    }

    /** {@return all rules whose partners these pods are} */
    LiveRule[] matched() {
        return matched;
    }

    boolean isMatchedBy(LiveRule rule) {
        for (LiveRule known : matched) {
            if (known == rule) {
                return true;
            }
        }
        return false;
    }

    void match(LiveRule rule) {
        further = with(further, rule);
        recombine();
    }

    void unmatch(LiveRule rule) {
        further = without(further, rule);
        recombine();
    }

    /** Takes over what the class matches now. */
    void recombine() {
        matched = kind.matched();
        for (LiveRule rule : further) {
            matched = with(matched, rule);
        }
    }

    static LiveRule[] with(LiveRule[] rules, LiveRule rule) {
        LiveRule[] more = Arrays.copyOf(rules, rules.length + 1);
        more[rules.length] = rule;
        return more;
    }

    static LiveRule[] without(LiveRule[] rules, LiveRule rule) {
        LiveRule[] rest = Arrays.stream(rules).filter(known -> known != rule).toArray(LiveRule[]::new);
        return rest.length == 0 ? NO_RULES : rest;
    }
}
