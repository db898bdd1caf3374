package dev.holdfast.policies.engine.ledger;

import dev.holdfast.policies.plan.move.BreakerScope;
import dev.holdfast.policies.rule.PolicyId;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The brakes (breakers, backlogs and failed checks of verdicts), for the next process of the operator. They wait for the
 * cluster to heal or for a person, and a restart is neither.
 *
 * @param lost the node labels that nodes lost a short time ago
 * @param labels the open breakers of node labels
 * @param accepted when users acknowledged losses of labels for the policies of a namespace
 * @param volume the open volume breaker for all namespaces
 * @param volumes the open volume breakers of single namespaces
 * @param streaks the moves in a row without a Ready replacement
 * @param resumptions the breakers after which evictions resume slowly
 * @param gone the labels that deleted nodes had; absent if an earlier version wrote this
 * @param failedCheck the two evaluations of a rule that disagreed; its text says what about
 */
public record RememberedBrakes(
        List<Lost> lost,
        List<LabelOpening> labels,
        List<Accepted> accepted,
        Optional<Opening> volume,
        List<NamespaceOpening> volumes,
        List<Streak> streaks,
        List<Backlog> backlogs,
        List<SlowResumption> resumptions,
        Optional<List<Gone>> gone,
        Optional<Opening> failedCheck) {
    public RememberedBrakes {
        lost = List.copyOf(lost);
        labels = List.copyOf(labels);
        accepted = List.copyOf(accepted);
        volumes = List.copyOf(volumes);
        streaks = List.copyOf(streaks);
        backlogs = List.copyOf(backlogs);
        resumptions = List.copyOf(resumptions);
        gone = gone.map(List::copyOf);
    }

    /** {@return no brakes} */
    public static RememberedBrakes none() {
        return new RememberedBrakes(
                List.of(),
                List.of(),
                List.of(),
                Optional.empty(),
                List.of(),
                List.of(),
                List.of(),
                List.of(),
                Optional.empty(),
                Optional.empty());
    }

    /** A brake that is on: the id with which users acknowledge it, and what it found. */
    public record Opening(String id, String message) {}

    /** The loss of one value of a label by a node. */
    public record Lost(String key, String node, String value, Instant at) {}

    /** The labels of a deleted node that rules read. */
    public record Gone(String node, Map<String, String> labels, Instant at) {
        public Gone {
            labels = Map.copyOf(labels);
        }
    }

    /**
     * An open breaker of a node label.
     *
     * @param namespace the namespace whose policies alone are held; absent if all are
     * @param from losses count from this instant on
     */
    public record LabelOpening(String key, Optional<String> namespace, Opening opening, Instant from) {}

    /** When a user acknowledged the loss of a label for the policies of a namespace. */
    public record Accepted(String key, Optional<String> namespace, Instant at) {}

    /**
     * An open volume breaker of one namespace.
     *
     * @param others how many pods of namespaces that are not held counted when it opened
     * @param bound how many pods were bound then
     */
    public record NamespaceOpening(String namespace, Opening opening, int others, int bound) {}

    /**
     * Moves in a row without a Ready replacement.
     *
     * @param namespace the namespace of these moves; absent for the moves of all namespaces
     * @param moves their plan IDs, oldest first
     * @param opening the breaker; absent while it is closed
     */
    public record Streak(Optional<String> namespace, List<String> moves, Optional<Opening> opening) {
        public Streak {
            moves = List.copyOf(moves);
        }
    }

    /**
     * The backlog of a policy.
     *
     * @param generation the generation of the policy when this was remembered
     */
    public record Backlog(PolicyId policy, String id, long generation) {}

    /**
     * A breaker that closed.
     *
     * @param healed whether it closed by itself, so that the first eviction waits for longer
     */
    public record SlowResumption(String breaker, BreakerScope scope, Instant closed, boolean healed) {}
}
