package dev.holdfast.policies.plan.situation;

import dev.holdfast.policies.rule.Rule;
import dev.holdfast.policies.rule.WhenDomainAdded;
import java.time.Instant;
import java.util.List;
import java.util.Set;

/**
 * Finds the domains that break a candidate's topology spread and are new: unusable at some time since its pod was
 * bound.
 */
public final class NewDomains {
    private NewDomains() {}

    /**
     * {@return whether only new domains break the candidate's spread, and a requesting policy says {@code
     * whenDomainAdded: Rebalance}}
     */
    public static boolean rebalances(Candidate candidate, Situation situation) {
        return candidate.whenDomainAdded() == WhenDomainAdded.REBALANCE
                && candidate.rule() instanceof Rule.TopologySpread rule
                && !breaking(candidate.pod().life().boundTime(), candidate, rule, situation)
                        .isEmpty();
    }

    /**
     * {@return the domains that break the spread and were unusable at some time since an instant; empty if the spread
     * is broken even without such domains}
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
                .domainsCausing(newDomains.stream().map(NewDomain::domain).toList(), candidate, rule));
        return newDomains.stream()
                .filter(newDomain -> breaking.contains(newDomain.domain()))
                .toList();
    }
}
