package dev.holdfast.policies.engine.breaker;

import dev.holdfast.policies.forgive.ViolationKey;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;

/** A set of violations and the number of pods that have them. A pod with several violations counts once. */
final class ViolatingPodCount {
    private final Map<ViolationKey, String> countedAs = new HashMap<>();
    private final Map<String, Integer> counts = new HashMap<>();

    void add(ViolationKey violation) {
        add(violation, violation.podUid());
    }

    /**
     * Counts a violation. All violations with the same {@code pod} count as one pod.
     *
     * @param pod the UID of a pod, or one text for several pods that shall count as one, for example {@code
     *     namespace/rule}
     */
    void add(ViolationKey violation, String pod) {
        if (countedAs.putIfAbsent(violation, pod) == null) {
            counts.merge(pod, 1, Integer::sum);
        }
    }

    /** Stops counting a violation; does nothing if it was not counted. */
    void remove(ViolationKey violation) {
        String pod = countedAs.remove(violation);
        if (pod != null) {
            counts.computeIfPresent(pod, (_, count) -> count == 1 ? null : count - 1);
        }
    }

    Set<ViolationKey> violations() {
        return Set.copyOf(countedAs.keySet());
    }

    boolean has(ViolationKey violation) {
        return countedAs.containsKey(violation);
    }

    /** {@return the texts that the violations count as, usually the UIDs of pods} */
    Set<String> counted() {
        return Set.copyOf(counts.keySet());
    }

    int pods() {
        return counts.size();
    }

    void clear() {
        countedAs.clear();
        counts.clear();
    }
}
