package dev.holdfast.policies.engine;

import dev.holdfast.policies.forgive.ViolationKey;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;

/** Some violations, and how many pods have them: one with several is one pod. */
final class PodCount {
    private final Set<ViolationKey> violations = new HashSet<>();
    private final Map<String, Integer> byPod = new HashMap<>();

    void add(ViolationKey violation) {
        if (violations.add(violation)) {
            byPod.merge(violation.podUid(), 1, Integer::sum);
        }
    }

    /** Counts a violation no more; nothing happens if it was not counted. */
    void remove(ViolationKey violation) {
        if (violations.remove(violation)) {
            byPod.computeIfPresent(violation.podUid(), (_, count) -> count == 1 ? null : count - 1);
        }
    }

    Set<ViolationKey> violations() {
        return Set.copyOf(violations);
    }

    int pods() {
        return byPod.size();
    }

    void clear() {
        violations.clear();
        byPod.clear();
    }
}
