package dev.holdfast.it.bench.cluster;

import java.util.Optional;
import java.util.Set;

/**
 * A label change that breaks rules, with the patch that reverts it and the violations to expect.
 *
 * @param target the object to relabel
 * @param breaking the JSON merge patch that breaks the rules
 * @param healing the JSON merge patch that reverts the change
 * @param violations all violations that the change causes; never empty
 */
public record PlannedChange(Target target, String breaking, String healing, Set<ExpectedViolation> violations) {
    public PlannedChange {
        violations = Set.copyOf(violations);
        if (violations.isEmpty()) {
            throw new IllegalArgumentException("a change of " + target + " that breaks nothing");
        }
    }

    /** The two steps of a change: it breaks rules, and is reverted. */
    public enum Step {
        BREAK,
        HEAL
    }

    /** The object to relabel: a pod, or a node, which has no namespace. */
    public record Target(Optional<String> namespace, String name) {}

    /** {@return the JSON merge patch that makes or reverts the change} */
    String patch(Step step) {
        return switch (step) {
            case BREAK -> breaking;
            case HEAL -> healing;
        };
    }
}
