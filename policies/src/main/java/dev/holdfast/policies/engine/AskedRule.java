package dev.holdfast.policies.engine;

import dev.holdfast.policies.forgive.Violation;
import dev.holdfast.policies.rule.Enforcement;
import dev.holdfast.policies.rule.Mode;
import dev.holdfast.policies.rule.PolicyId;
import dev.holdfast.policies.rule.Rule;
import dev.holdfast.policies.rule.RuleIdentity;
import dev.holdfast.policies.rule.WhenInfeasible;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * A rule that one or more policies want kept for one pod: one rule, one clock, however many ask.
 *
 * @param asks by policy, at least one
 * @param since since when they together go this far: an edit after which they go further starts anew
 */
record AskedRule(Rule rule, RuleIdentity identity, List<Ask> asks, Instant since) {
    AskedRule {
        asks = List.copyOf(asks);
    }

    /**
     * What one policy wants.
     *
     * @param name the rule's name in the policy, or its kind for a rule of the pod's own spec
     */
    record Ask(PolicyId policy, String name, Enforcement enforcement, boolean own) {}

    /** {@return the same rule with the asks of both} */
    AskedRule and(AskedRule other) {
        List<Ask> both = new ArrayList<>(asks);
        both.addAll(other.asks);
        return new AskedRule(rule, identity, both, since);
    }

    /** {@return of each policy the ask that goes furthest, though it may ask for the rule by several names} */
    Collection<Ask> strongestAsks() {
        Map<PolicyId, Ask> strongest = new LinkedHashMap<>();
        for (Ask ask : asks) {
            strongest.merge(
                    ask.policy(),
                    ask,
                    (one, other) -> other.enforcement()
                                            .mode()
                                            .compareTo(one.enforcement().mode())
                                    > 0
                            ? other
                            : one);
        }
        return strongest.values();
    }

    /** {@return the same rule asked since then already, if that was no less than now} */
    AskedRule after(AskedRule before) {
        boolean further = together(Mode.ENFORCE).goesFurtherThan(before.together(Mode.ENFORCE));
        return further ? this : new AskedRule(rule, identity, asks, before.since);
    }

    /** {@return what all asks come to, where no policy goes further than the ceiling} */
    private Enforcement together(Mode ceiling) {
        return new Enforcement(mode(ceiling), forgiveness(ceiling), whenInfeasible(ceiling));
    }

    /** {@return ENFORCE if any policy may evict for the rule, else AUDIT} */
    Mode mode(Mode ceiling) {
        return asks.stream()
                .map(ask -> ask.enforcement().mode().atMost(ceiling))
                .max(Comparator.naturalOrder())
                .orElseThrow();
    }

    /** {@return those that ask in the mode that counts: audits do not, where one enforces} */
    private List<Ask> counting(Mode ceiling) {
        Mode mode = mode(ceiling);
        return asks.stream()
                .filter(ask -> ask.enforcement().mode().atMost(ceiling) == mode)
                .toList();
    }

    /** {@return the policy that speaks for the rule: the first of those that count} */
    Ask leading(Mode ceiling) {
        return counting(ceiling).getFirst();
    }

    /** {@return the longest forgiveness of those that count} */
    Duration forgiveness(Mode ceiling) {
        return counting(ceiling).stream()
                .map(ask -> ask.enforcement().forgiveness())
                .max(Comparator.naturalOrder())
                .orElseThrow();
    }

    /** {@return when forgiveness has passed: counted from the violation, or from the edit that allowed this much} */
    Instant deadline(Violation violation, Mode ceiling) {
        Instant start = since.isAfter(violation.since()) ? since : violation.since();
        return start.plus(forgiveness(ceiling));
    }

    /** {@return EVICT if any of those that count wants it} */
    WhenInfeasible whenInfeasible(Mode ceiling) {
        return counting(ceiling).stream().anyMatch(ask -> ask.enforcement().whenInfeasible() == WhenInfeasible.EVICT)
                ? WhenInfeasible.EVICT
                : WhenInfeasible.WAIT;
    }

    /** {@return whether the rule stands in the pod's own spec, so that the scheduler knows it too} */
    boolean own() {
        return asks.stream().anyMatch(Ask::own);
    }
}
