package dev.holdfast.policies.rule;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/**
 * A rule that one or more policies want kept for a pod: one rule, however many ask.
 *
 * @param rule as written, label keys not yet merged
 * @param asks by policy, at least one
 */
public record HeldRule(Rule rule, RuleIdentity identity, List<Ask> asks) {
    public HeldRule {
        asks = List.copyOf(asks);
    }

    /**
     * What one policy wants.
     *
     * @param name the rule's name in the policy, or its kind for a rule of the pod's own spec
     * @param own whether the rule stands in the pod's own spec, so that the scheduler knows it too
     */
    public record Ask(PolicyId policy, String name, Enforcement enforcement, boolean own) {}

    /** {@return the same rule with the asks of both} */
    public HeldRule and(HeldRule other) {
        List<Ask> both = new ArrayList<>(asks);
        both.addAll(other.asks);
        return new HeldRule(rule, identity, both);
    }

    /** {@return of each policy the ask that goes furthest, though it may ask for the rule by several names} */
    public Collection<Ask> strongestAsks() {
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

    /** {@return whether its asks together allow what those of the other do not, whatever the ceiling} */
    public boolean goesFurtherThan(HeldRule other) {
        return together(Mode.ENFORCE).goesFurtherThan(other.together(Mode.ENFORCE));
    }

    /** {@return what all asks come to, where no policy goes further than the ceiling} */
    private Enforcement together(Mode ceiling) {
        return new Enforcement(
                mode(ceiling),
                forgiveness(ceiling),
                whenInfeasible(ceiling),
                whenDomainAdded(ceiling),
                victim(ceiling));
    }

    /** {@return ENFORCE if any policy may evict for the rule, else AUDIT} */
    public Mode mode(Mode ceiling) {
        Mode most = asks.getFirst().enforcement().mode().atMost(ceiling);
        for (Ask ask : asks) {
            Mode mode = ask.enforcement().mode().atMost(ceiling);
            most = mode.compareTo(most) > 0 ? mode : most;
        }
        return most;
    }

    /** {@return those that ask in the mode that counts: audits do not, where one enforces} */
    private List<Ask> counting(Mode ceiling) {
        if (asks.size() == 1) {
            return asks;
        }
        Mode mode = mode(ceiling);
        return asks.stream()
                .filter(ask -> ask.enforcement().mode().atMost(ceiling) == mode)
                .toList();
    }

    /** {@return whether a policy asks for it, in whatever mode} */
    public boolean isAskedBy(PolicyId policy) {
        return asks.stream().anyMatch(ask -> ask.policy().equals(policy));
    }

    /** {@return the policies that ask in the mode that counts} */
    public List<PolicyId> askers(Mode ceiling) {
        return counting(ceiling).stream().map(Ask::policy).distinct().toList();
    }

    /** {@return the policy that speaks for the rule: the first of those that count} */
    public Ask leading(Mode ceiling) {
        return counting(ceiling).getFirst();
    }

    /** {@return the longest forgiveness of those that count} */
    public Duration forgiveness(Mode ceiling) {
        List<Ask> counting = counting(ceiling);
        Duration longest = counting.getFirst().enforcement().forgiveness();
        // For each violation that begins: no stream.
        for (Ask ask : counting) {
            Duration forgiveness = ask.enforcement().forgiveness();
            longest = forgiveness.compareTo(longest) > 0 ? forgiveness : longest;
        }
        return longest;
    }

    /** {@return how far a policy that counts goes where there is no place} */
    public WhenInfeasible whenInfeasible(PolicyId policy, Mode ceiling) {
        return furthest(counting(ceiling).stream().filter(ask -> ask.policy().equals(policy)));
    }

    /** {@return what new domains do for a policy that counts} */
    public WhenDomainAdded whenDomainAdded(PolicyId policy, Mode ceiling) {
        return newest(counting(ceiling).stream().filter(ask -> ask.policy().equals(policy)));
    }

    /** {@return the one that goes furthest of those that count} */
    public WhenInfeasible whenInfeasible(Mode ceiling) {
        return furthest(counting(ceiling).stream());
    }

    private static WhenInfeasible furthest(Stream<Ask> asks) {
        return asks.map(ask -> ask.enforcement().whenInfeasible())
                .reduce((one, other) -> other.goesFurtherThan(one) ? other : one)
                .orElseThrow();
    }

    /** {@return REBALANCE if any of those that count wants it} */
    public WhenDomainAdded whenDomainAdded(Mode ceiling) {
        return newest(counting(ceiling).stream());
    }

    private static WhenDomainAdded newest(Stream<Ask> asks) {
        return asks.map(ask -> ask.enforcement().whenDomainAdded())
                .max(Comparator.naturalOrder())
                .orElseThrow();
    }

    /** {@return LOWEST_PRIORITY if all of those that count want it: of two policies, none has other pods moved for the other} */
    public VictimChoice victim(Mode ceiling) {
        return counting(ceiling).stream()
                .map(ask -> ask.enforcement().victim())
                .min(Comparator.naturalOrder())
                .orElseThrow();
    }

    /** {@return whether the rule stands in the pod's own spec, so that the scheduler knows it too} */
    public boolean own() {
        return asks.stream().anyMatch(Ask::own);
    }
}
