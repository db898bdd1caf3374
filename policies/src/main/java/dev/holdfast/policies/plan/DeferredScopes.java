package dev.holdfast.policies.plan;

import dev.holdfast.policies.plan.move.Scope;
import java.util.Collections;
import java.util.HashSet;
import java.util.IdentityHashMap;
import java.util.Set;

/**
 * The scopes that a plan defers to a later plan. When a candidate is deferred, later candidates of the same scope are
 * deferred too. Otherwise a pod that is later in victim order would move instead.
 */
final class DeferredScopes {
    private final Set<Scope.Group> groups = new HashSet<>();

    /**
     * Compared by identity: within a plan, all pods of one conflict set share one set object, and comparing contents is
     * slow.
     */
    private final Set<Set<String>> conflicts = Collections.newSetFromMap(new IdentityHashMap<>());

    void add(Scope scope) {
        switch (scope) {
            case Scope.Alone _ -> {
                // No other pod is in it.
            }
            case Scope.Group group -> groups.add(group);
            case Scope.Conflicting(Set<String> uids) -> conflicts.add(uids);
        }
    }

    boolean has(Scope scope) {
        return switch (scope) {
            case Scope.Alone _ -> false;
            case Scope.Group group -> groups.contains(group);
            case Scope.Conflicting(Set<String> uids) -> conflicts.contains(uids);
        };
    }
}
