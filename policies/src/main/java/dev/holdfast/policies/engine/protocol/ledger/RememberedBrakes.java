package dev.holdfast.policies.engine.protocol.ledger;

import dev.holdfast.policies.plan.move.BreakerScope;
import dev.holdfast.policies.rule.PolicyId;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The brakes (breakers, backlogs, failed checks of verdicts and pauses), for the next process of the operator. Brakes
 * wait for the cluster to heal or for a person, and a restart is neither.
 *
 * @param lost the changes of node labels a short time ago
 * @param labels the open breakers of node labels
 * @param accepted when users acknowledged losses of labels for the policies of a namespace
 * @param volume the open volume breaker for all namespaces
 * @param volumes the open volume breakers of single namespaces
 * @param streaks the moves in a row without a Ready replacement
 * @param resumptions the breakers after which evictions resume slowly
 * @param gone the labels that deleted nodes had; absent if an earlier version wrote this
 * @param failedCheck the failed check: two evaluations of a rule disagreed, as its text explains
 * @param dynamic the labels that change all the time on most nodes; absent if an earlier version wrote this
 * @param pauses the pauses that applied; absent if an earlier version wrote this
 */
public record RememberedBrakes(
        List<Changed> lost,
        List<LabelOpening> labels,
        List<Accepted> accepted,
        Optional<Opening> volume,
        List<NamespaceOpening> volumes,
        List<Streak> streaks,
        List<Backlog> backlogs,
        List<SlowResumption> resumptions,
        Optional<List<Gone>> gone,
        Optional<Opening> failedCheck,
        Optional<List<Dynamic>> dynamic,
        Optional<List<Paused>> pauses) {
    public RememberedBrakes {
        lost = List.copyOf(lost);
        labels = List.copyOf(labels);
        accepted = List.copyOf(accepted);
        volumes = List.copyOf(volumes);
        streaks = List.copyOf(streaks);
        backlogs = List.copyOf(backlogs);
        resumptions = List.copyOf(resumptions);
        gone = gone.map(List::copyOf);
        dynamic = dynamic.map(List::copyOf);
        pauses = pauses.map(List::copyOf);
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
                Optional.empty(),
                Optional.empty(),
                Optional.empty());
    }

    /** {@return these brakes with other changes of labels and other backlogs} */
    public RememberedBrakes with(List<Changed> otherLost, List<Backlog> otherBacklogs) {
        return new RememberedBrakes(
                otherLost,
                labels,
                accepted,
                volume,
                volumes,
                streaks,
                otherBacklogs,
                resumptions,
                gone,
                failedCheck,
                dynamic,
                pauses);
    }

    /**
     * {@return brakes that hold the same or more, and have a shorter text} A change of a label that broke rules of any
     * policy counts for all policies. Each backlog holds all violating pods of its policy.
     */
    public RememberedBrakes shorter() {
        return with(
                lost.stream().map(Changed::breakingAll).toList(),
                backlogs.stream().map(Backlog::holdingAll).toList());
    }

    /** An open breaker or another active brake: the id with which users acknowledge it, and its message. */
    public record Opening(String id, String message) {}

    /**
     * A value of a label that left a node, or came to it.
     *
     * @param came true if the value came; absent if it left
     * @param broke the namespaces of the policies that enforce a rule which this change broke, and an empty text for
     *     cluster policies; absent if a value came and broke none. Absent for a value that left only if an earlier
     *     version wrote this: then each value that left counts
     */
    public record Changed(
            String key, String node, String value, Instant at, Optional<Boolean> came, Optional<List<String>> broke) {
        public Changed {
            broke = broke.map(List::copyOf);
        }

        private Changed breakingAll() {
            return new Changed(key, node, value, at, came, broke.map(one -> one.isEmpty() ? one : List.of("")));
        }
    }

    /**
     * A label that changes all the time on most nodes.
     *
     * @param at when the label was last seen to change so
     */
    public record Dynamic(String key, Instant at) {}

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
     * @param others how many pods of namespaces that are not held counted when the breaker opened
     * @param bound how many pods were bound when the breaker opened
     */
    public record NamespaceOpening(String namespace, Opening opening, int others, int bound) {}

    /**
     * Moves in a row without a Ready replacement.
     *
     * @param namespace the namespace of these moves; absent for the moves of all namespaces
     * @param moves the plan IDs of the moves, oldest first
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
     * @param since what brought the pods under the policy, as text that can follow "since"; absent if an earlier
     *     version wrote this
     * @param gone how many further pods came under the policy, and no longer violate a rule; absent if an earlier
     *     version wrote this
     * @param part the pods that the backlog holds; absent if it holds all violating pods of the policy, or if an
     *     earlier version wrote this
     */
    public record Backlog(
            PolicyId policy,
            String id,
            long generation,
            Optional<String> since,
            Optional<Integer> gone,
            Optional<Part> part) {
        private Backlog holdingAll() {
            return new Backlog(policy, id, generation, since, gone, Optional.empty());
        }
    }

    /**
     * The violating pods that a backlog holds.
     *
     * @param namespaces the namespaces of the pods
     * @param pods the UIDs of the pods; absent if there are too many, so that all violating pods of these namespaces
     *     are held
     */
    public record Part(List<String> namespaces, Optional<List<String>> pods) {
        public Part {
            namespaces = List.copyOf(namespaces);
            pods = pods.map(List::copyOf);
        }
    }

    /**
     * A pause that applied.
     *
     * @param message the message of the holds that the pause caused
     * @param namespaces the paused namespaces; absent if all, or too many
     * @param windows a hash of the windows; absent if the pause had none, or if an earlier version wrote this
     */
    public record Paused(String message, Optional<List<String>> namespaces, Optional<String> windows) {
        public Paused {
            namespaces = namespaces.map(List::copyOf);
        }
    }

    /**
     * A breaker that closed.
     *
     * @param healed whether the breaker closed by itself, so that the first eviction waits for longer
     */
    public record SlowResumption(String breaker, BreakerScope scope, Instant closed, boolean healed) {}
}
