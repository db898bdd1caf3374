package dev.holdfast.policies.index.pods;

import dev.holdfast.policies.model.Scheduling;
import dev.holdfast.policies.rule.AppliedRule;
import dev.holdfast.policies.rule.Mode;
import dev.holdfast.policies.rule.NodeKeys;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/** The node label keys that rules of pods read, with the policies that enforce these rules. */
final class NodeKeyReaders {
    /** The number of rules that depend on a node label, by the key of this label. */
    private final Map<String, Integer> rules = new HashMap<>();

    /** The number of requests to enforce these rules, by the key of the label, and by whose request it is. */
    private final Map<String, Map<Reader, Integer>> enforcing = new HashMap<>();

    /** @param namespace the namespace of the enforcing policies; absent for those of cluster policies */
    private record Reader(Optional<String> namespace, Duration forgiveness) {}

    boolean isEmpty() {
        return rules.isEmpty() && enforcing.isEmpty();
    }

    /**
     * Counts a rule that pods are held to.
     *
     * @param more 1 for a new rule, -1 for one that is gone
     */
    void count(AppliedRule rule, Scheduling scheduling, int more) {
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
