package dev.holdfast.policies.index.pods;

import dev.holdfast.policies.model.Scheduling;
import dev.holdfast.policies.rule.AppliedRule;
import dev.holdfast.policies.rule.Mode;
import dev.holdfast.policies.rule.NodeKeys;
import java.time.Duration;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** The node label keys that rules of pods read, with the policies that enforce these rules. */
final class NodeKeyReaders {
    /** The number of rules that depend on a node label, by the key of this label. */
    private final Map<String, Integer> rules = new HashMap<>();

    /** The number of rules that the loss of a label can break, by the key of the label. */
    private final Map<String, Integer> needing = new HashMap<>();

    /** The number of requests to enforce these rules, by the key of the label and the requester. */
    private final Map<String, Map<Reader, Integer>> enforcing = new HashMap<>();

    /** @param namespace the namespace of the enforcing policies; absent for those of cluster policies */
    private record Reader(Optional<String> namespace, Duration forgiveness) {}

    boolean isEmpty() {
        return rules.isEmpty() && needing.isEmpty() && enforcing.isEmpty();
    }

    /**
     * Counts a rule that pods are held to.
     *
     * @param more 1 for a new rule, -1 for one that is gone
     */
    void count(AppliedRule rule, Scheduling scheduling, int more) {
        NodeKeys.neededBy(rule.rule(), scheduling).forEach(key -> add(more, key, needing));
        for (String key : NodeKeys.of(rule.rule(), scheduling)) {
            add(more, key, rules);
            Map<Reader, Integer> readers = enforcing.computeIfAbsent(key, _ -> new HashMap<>());
            rule.requests().stream()
                    .filter(request -> request.enforcement().mode() == Mode.ENFORCE)
                    .map(request -> new Reader(
                            request.policy().namespace(), request.enforcement().forgiveness()))
                    .forEach(reader -> add(more, reader, readers));
            if (readers.isEmpty()) {
                enforcing.remove(key);
            }
        }
    }

    private static <K> void add(int more, K key, Map<K, Integer> counts) {
        counts.merge(key, more, (one, other) -> one + other == 0 ? null : one + other);
    }

    /**
     * {@return the namespaces of the policies that enforce rules which depend on node labels, by the keys of the
     * labels}
     *
     * @param scheduling the scheduling constraints of the rule owner
     */
    static Map<String, Set<Optional<String>>> enforcers(List<AppliedRule> rules, Scheduling scheduling) {
        Map<String, Set<Optional<String>>> enforcers = new HashMap<>();
        for (AppliedRule rule : rules) {
            Set<Optional<String>> namespaces = rule.enforcers();
            if (!namespaces.isEmpty()) {
                NodeKeys.of(rule.rule(), scheduling)
                        .forEach(key -> enforcers
                                .computeIfAbsent(key, _ -> new HashSet<>())
                                .addAll(namespaces));
            }
        }
        return enforcers;
    }

    boolean needs(String nodeKey) {
        return needing.containsKey(nodeKey);
    }

    boolean has(String nodeKey) {
        return rules.containsKey(nodeKey);
    }

    /** {@return see {@link RuleAssignment#longestForgiveness}} */
    Map<Optional<String>, Duration> longestForgiveness(String nodeKey) {
        Map<Optional<String>, Duration> longest = new HashMap<>();
        enforcing
                .getOrDefault(nodeKey, Map.of())
                .keySet()
                .forEach(reader -> longest.merge(
                        reader.namespace(),
                        reader.forgiveness(),
                        (one, other) -> one.compareTo(other) >= 0 ? one : other));
        return longest;
    }
}
