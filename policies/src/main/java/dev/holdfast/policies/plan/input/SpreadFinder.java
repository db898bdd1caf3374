package dev.holdfast.policies.plan.input;

import dev.holdfast.policies.rule.Rule;
import java.util.List;

/** Finds the domains that break a spread constraint: if they did not exist, the constraint would hold. */
@FunctionalInterface
public interface SpreadFinder {
    /**
     * {@return the given domains that break the candidate's spread, in the given order; empty if the spread would be
     * broken even if none of them existed}
     *
     * @param domains values of the constraint's topologyKey; the candidate's own domain always counts as existing
     */
    List<String> domainsCausing(List<String> domains, Candidate candidate, Rule.TopologySpread rule);
}
