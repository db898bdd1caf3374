package dev.holdfast.policies.engine.breaker;

import dev.holdfast.policies.compact.CompactMap;
import dev.holdfast.policies.forgive.ViolationKey;
import java.util.Map;

/** The number of pods that have violations of a set. A pod with several violations counts once. */
final class ViolatingPodCount {
    private final Map<ViolationKey, String> countedAs = new CompactMap<>();
    private final Map<String, Integer> counts = new CompactMap<>();

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

    int pods() {
        return counts.size();
    }
}
