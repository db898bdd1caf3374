package dev.holdfast.policies.plan.situation;

import dev.holdfast.policies.rule.Rule;
import java.util.List;

/** Finds the domains without which a spread would hold. */
@FunctionalInterface
public interface SpreadFinder {
    /**
     * {@return those of some domains for which alone the candidate's spread is broken, in the same order; none where it
     * is broken without all of them too}
     *
     * @param domains values of the constraint's topologyKey; the candidate's own domain counts all the same
     */
    List<String> brokenOnlyBy(List<String> domains, Candidate candidate, Rule.TopologySpread rule);
}
