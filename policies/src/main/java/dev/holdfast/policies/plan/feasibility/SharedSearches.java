package dev.holdfast.policies.plan.feasibility;

import dev.holdfast.policies.model.Scheduling;
import dev.holdfast.policies.plan.input.Candidate;
import dev.holdfast.policies.plan.input.OwnerVictim;
import dev.holdfast.policies.plan.input.Situation;
import dev.holdfast.policies.rule.Rule;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The last searches that found no node because of the nodes alone: their labels, taints, cordons and conditions. Such a
 * result holds for each pod with the same scheduling fields and rules, whatever pods run where. Only the node that the
 * search left out, because the first pod runs there, is tried again for the other pods: it must reject them alone, too.
 * A search is not shared if a policy lets the pod be evicted without a node: then the pod needs a search of its own.
 *
 * <p>Example: 15 replicas need a disk that no node has. One search tries 4,999 nodes, and 14 try one node each.
 */
final class SharedSearches {
    /** How long a search is shared. The time is short, because nodes settle. */
    private static final Duration SHARED = Duration.ofSeconds(30);

    private static final int MOST = 2_000;

    private final Map<Template, Shared> byTemplate = new HashMap<>();

    /**
     * What the nodes alone must offer to a pod.
     *
     * @param further the rules that policies add to those in the pod's spec
     * @param settleTime how long a node must have been Ready
     */
    private record Template(Scheduling scheduling, List<Rule> further, Duration settleTime) {
        static Optional<Template> of(Candidate candidate, Situation situation) {
            boolean alone = candidate.strategy() instanceof OwnerVictim
                    && candidate.waitsForNode()
                    && candidate
                            .replacement(situation.view())
                            .podRequirements()
                            .claims()
                            .isEmpty();
            return alone
                    ? Optional.of(new Template(
                            candidate.replacement(situation.view()).scheduling(),
                            candidate.furtherRules(),
                            candidate.settleTime()))
                    : Optional.empty();
        }
    }

    /**
     * A search without a node.
     *
     * @param except the node that the search did not try, because the pod runs there
     * @param nodeChanges how often nodes had changed when the search was made
     */
    private record Shared(Found found, String except, long nodeChanges) {
        boolean counts(long changes, Instant now) {
            return nodeChanges == changes && now.isBefore(found.at().plus(SHARED));
        }
    }

    /** The result of a search, and when it was made. */
    record Found(Feasibility.Search search, Instant at) {}

    /** {@return the result of a search for another pod that holds for this candidate too; empty if there is none} */
    Optional<Found> find(Candidate candidate, Situation situation, long nodeChanges) {
        return byTemplate.isEmpty()
                ? Optional.empty()
                : Template.of(candidate, situation)
                        .map(byTemplate::get)
                        .filter(shared -> shared.counts(nodeChanges, situation.now()))
                        .filter(shared -> shared.except().equals(candidate.node())
                                || Feasibility.isRejectedAlone(shared.except(), candidate, situation))
                        .map(Shared::found);
    }

    /** Records a search, and returns its result. */
    Found put(Candidate candidate, Feasibility.Search search, Situation situation, long nodeChanges) {
        Found found = new Found(search, situation.now());
        if (search.target().isEmpty() && search.byNodesAlone()) {
            if (byTemplate.size() >= MOST) {
                byTemplate.clear();
            }
            Template.of(candidate, situation)
                    .ifPresent(template -> byTemplate.put(template, new Shared(found, candidate.node(), nodeChanges)));
        }
        return found;
    }
}
