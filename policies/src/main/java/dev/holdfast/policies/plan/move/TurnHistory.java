package dev.holdfast.policies.plan.move;

import dev.holdfast.policies.rule.PolicyId;
import java.util.LinkedHashMap;
import java.util.Optional;
import java.util.SequencedMap;

/**
 * The order in which namespaces, and policies within them, last had a pod evicted, so that those served longest ago come
 * first. It outlives the hour of the limits. Otherwise a namespace would return to the front when the limit has room again, and
 * the same namespaces would be served in each hour.
 *
 * <p>Example: the limit is 2 evictions in an hour, and namespaces a, b and c always have a due pod. They are served as a,
 * b; then c, a; then b, c.
 */
public final class TurnHistory {
    /** How many namespaces, and pairs of a namespace and a policy, are remembered: those served last. */
    private static final int MOST = 10_000;

    private final SequencedMap<String, Long> namespaces = new LinkedHashMap<>();
    private final SequencedMap<Turn, Long> turns = new LinkedHashMap<>();
    private long evictions;

    /** The evictions that take turns together, because they are for one policy and of pods of one namespace. */
    public record Turn(String namespace, PolicyId policy) {}

    /** Records that a pod was evicted in a turn. */
    void served(Turn turn) {
        evictions++;
        put(namespaces, turn.namespace(), evictions);
        put(turns, turn, evictions);
    }

    private static <K> void put(SequencedMap<K, Long> all, K key, long eviction) {
        all.remove(key);
        all.putLast(key, eviction);
        if (all.size() > MOST) {
            all.pollFirstEntry();
        }
    }

    /** {@return the number of the last eviction of a pod of the namespace, from 1 on; 0 if none is remembered} */
    public long last(String namespace) {
        return Optional.ofNullable(namespaces.get(namespace)).orElse(0L);
    }

    /** {@return the number of the last eviction in a turn, from 1 on; 0 if none is remembered} */
    public long last(Turn turn) {
        return Optional.ofNullable(turns.get(turn)).orElse(0L);
    }
}
