package dev.holdfast.policies.plan;

import dev.holdfast.policies.plan.move.Scope;
import java.util.Collections;
import java.util.HashSet;
import java.util.IdentityHashMap;
import java.util.Set;

/**
 * The scopes that a plan leaves to a later plan. A scope is what must be decided together, for example pods that
 * conflict with one another. If the plan does not look for a node for one candidate of a scope, it skips all following
 * candidates of the scope too. Otherwise a pod that is less suitable as a victim would move instead.
 */
final class DeferredScopes {
    private final Set<Scope.SameRule> sameRules = new HashSet<>();

    /**
     * The sets of conflicting pods (their UIDs) that are left to a later plan. The sets are compared by object
     * identity, because comparing contents is slow. In a plan, all pods of a conflict share one set object.
     */
    private final Set<Set<String>> conflicts = Collections.newSetFromMap(new IdentityHashMap<>());

    void add(Scope scope) {
        switch (scope) {
            case Scope.Alone _ -> {
                // No other candidate has this scope.
            }
            case Scope.SameRule sameRule -> sameRules.add(sameRule);
            case Scope.Conflicting(Set<String> uids) -> conflicts.add(uids);
        }
    }

    boolean has(Scope scope) {
        return switch (scope) {
            case Scope.Alone _ -> false;
            case Scope.SameRule sameRule -> sameRules.contains(sameRule);
            case Scope.Conflicting(Set<String> uids) -> conflicts.contains(uids);
        };
    }
}
