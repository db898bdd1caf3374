package dev.holdfast.policies.plan.move;

import dev.holdfast.policies.rule.PolicyId;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Optional;
import java.util.SequencedMap;
import java.util.SequencedSet;

/**
 * The order in which namespaces, and policies within them, last had a pod evicted, so that those served longest ago
 * come first. This order outlives the hour of the limits. Otherwise a namespace would return to the front when the
 * limit has room again, and the same namespaces would be served in each hour.
 *
 * <p>Example: the limit is 2 evictions in an hour, and namespaces a, b and c always have a due pod. The order is a, b;
 * then c, a; then b, c.
 */
public final class TurnHistory {
    /** How many namespaces, and pairs of a namespace and a policy, are remembered: those served last. */
    private static final int MOST = 10_000;

    private final SequencedMap<String, Long> namespaces = new LinkedHashMap<>();
    private final SequencedMap<Turn, Long> turns = new LinkedHashMap<>();
    private long evictions;

    /** The evictions that take turns together, because they are for one policy and of pods of one namespace. */
    public record Turn(String namespace, PolicyId policy) {}

    /**
     * The order of the last turns, for the next process of the operator. Of many, only the latest: an older one counts
     * as never served.
     *
     * @param namespaces the namespaces, in the order in which they were last served
     * @param turns the turns, in the order in which they were last served
     */
    public record Remembered(List<String> namespaces, List<Turn> turns) {
        static final int MOST = 1_000;

        public Remembered {
            namespaces = List.copyOf(namespaces);
            turns = List.copyOf(turns);
        }
    }

    Remembered remembered() {
        return new Remembered(last(namespaces.sequencedKeySet()), last(turns.sequencedKeySet()));
    }

    private static <K> List<K> last(SequencedSet<K> all) {
        return all.stream().skip(Math.max(0, all.size() - Remembered.MOST)).toList();
    }

    void recall(Remembered remembered) {
        evictions = 0;
        namespaces.clear();
        turns.clear();
        for (String namespace : remembered.namespaces()) {
            evictions++;
            put(namespaces, namespace, evictions);
        }
        for (Turn turn : remembered.turns()) {
            evictions++;
            put(turns, turn, evictions);
        }
    }

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
