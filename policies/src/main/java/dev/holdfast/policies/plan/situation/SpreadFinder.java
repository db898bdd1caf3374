package dev.holdfast.policies.plan.situation;

import dev.holdfast.policies.rule.Rule;
import java.util.List;

/** Finds the domains without which a spread constraint would hold. */
@FunctionalInterface
public interface SpreadFinder {
    /**
     * {@return those of the given domains that break the candidate's spread, in the same order; empty if the spread is
     * broken without all of them too}
     *
     * @param domains values of the constraint's topologyKey; the candidate's own domain is never left out
     */
    List<String> brokenOnlyBy(List<String> domains, Candidate candidate, Rule.TopologySpread rule);
}
