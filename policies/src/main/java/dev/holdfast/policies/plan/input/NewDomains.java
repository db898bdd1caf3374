package dev.holdfast.policies.plan.input;

import dev.holdfast.policies.plan.domain.NewDomain;
import dev.holdfast.policies.rule.Rule;
import dev.holdfast.policies.rule.SpreadDomains;
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
                && !breaking(justBeforeBound(candidate), candidate, rule, situation)
                        .isEmpty();
    }

    /**
     * {@return the instant before the second in which the candidate's pod was bound} Times of pods and nodes are whole
     * seconds. Within one second it is unknown which came first, so a node of that very second counts as younger.
     */
    public static Instant justBeforeBound(Candidate candidate) {
        return candidate.pod().life().boundTime().minusNanos(1);
    }

    /**
     * {@return the domains that break the spread and were unusable at some time since an instant; empty if the spread
     * is broken even without such domains} A domain is usable while one of the nodes that the spread counts for this
     * pod is Ready, schedulable and not about to be removed.
     */
    public static List<NewDomain> breaking(
            Instant instant, Candidate candidate, Rule.TopologySpread rule, Situation situation) {
        List<NewDomain> newDomains = situation
                .clusterSignals()
                .domains()
                .newerThan(SpreadDomains.of(rule, candidate.pod().scheduling()), instant);
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
