package dev.holdfast.policies.engine;

import dev.holdfast.policies.forgive.Violation;
import dev.holdfast.policies.model.Pod;
import dev.holdfast.policies.plan.Scope;
import java.util.ArrayDeque;
import java.util.Collection;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;

/**
 * The connected sets of pods that conflict by anti-affinity, whatever their terms. Example: a conflicts with b by one
 * rule and b with c by another: a, b and c are one set, since moving b may heal both.
 */
final class Conflicts {
    private Conflicts() {}

    /** {@return the set that the violation's rule owner is in} */
    static Scope around(Violation start, Collection<Violation> all) {
        Map<String, Set<String>> conflicts = new HashMap<>();
        for (Violation violation : all) {
            String owner = violation.key().podUid();
            for (Pod partner : violation.breach().partners()) {
                conflicts.computeIfAbsent(owner, _ -> new HashSet<>()).add(partner.uid());
                conflicts.computeIfAbsent(partner.uid(), _ -> new HashSet<>()).add(owner);
            }
        }
        Set<String> reached = new HashSet<>();
        Deque<String> open = new ArrayDeque<>(Set.of(start.key().podUid()));
        while (!open.isEmpty()) {
            String uid = open.removeFirst();
            if (reached.add(uid)) {
                open.addAll(conflicts.getOrDefault(uid, Set.of()));
            }
        }
        return new Scope.Conflicting(reached);
    }
}
