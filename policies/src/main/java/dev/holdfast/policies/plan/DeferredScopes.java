package dev.holdfast.policies.plan;

import dev.holdfast.policies.plan.move.Scope;
import java.util.Collections;
import java.util.HashSet;
import java.util.IdentityHashMap;
import java.util.Set;

/**
 * The scopes of candidates who are put off to a later plan. Who comes after one of them in victim order and shares its
 * scope is put off too: else it would be moved in its stead.
 */
final class DeferredScopes {
    private final Set<Scope.Group> groups = new HashSet<>();

    /** All who conflict with one another have the same set in a plan; to compare what is in it would take too long. */
    private final Set<Set<String>> conflicts = Collections.newSetFromMap(new IdentityHashMap<>());

    void add(Scope scope) {
        switch (scope) {
            case Scope.Alone _ -> {
                // Nobody else is in it.
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
