package dev.holdfast.policies.plan.situation;

import dev.holdfast.policies.rule.Rule;
import dev.holdfast.policies.rule.WhenDomainAdded;
import java.time.Instant;
import java.util.List;
import java.util.Set;

/** Finds out whether a spread is broken only by domains that are newer than its pod. */
public final class NewDomains {
    private NewDomains() {}

    /** {@return whether the candidate is moved only because of new domains ({@code whenDomainAdded: Rebalance})} */
    public static boolean rebalances(Candidate candidate, Situation situation) {
        return candidate.whenDomainAdded() == WhenDomainAdded.REBALANCE
                && candidate.rule() instanceof Rule.TopologySpread rule
                && !breaking(candidate.pod().life().boundTime(), candidate, rule, situation)
                        .isEmpty();
    }

    /**
     * {@return the domains newer than an instant that break the spread; empty if the spread is broken without them too}
     */
    public static List<NewDomain> breaking(
            Instant instant, Candidate candidate, Rule.TopologySpread rule, Situation situation) {
        List<NewDomain> newDomains =
                situation.clusterSignals().domains().newerThan(rule.constraint().topologyKey(), instant);
        if (newDomains.isEmpty()) {
            return List.of();
        }
        Set<String> breaking = Set.copyOf(situation
                .rules()
                .spreads()
                .brokenOnlyBy(newDomains.stream().map(NewDomain::domain).toList(), candidate, rule));
        return newDomains.stream()
                .filter(newDomain -> breaking.contains(newDomain.domain()))
                .toList();
    }
}
