package dev.holdfast.it.bench.cluster;

import java.util.Collections;
import java.util.Set;

/**
 * A label change that breaks rules, with the patch that reverts it and the violations to expect.
 *
 * @param target the object to relabel
 * @param breaking the JSON merge patch that breaks the rules
 * @param healing the JSON merge patch that reverts the change
 * @param expectedViolation all violations that the change causes; never empty
 */
public record PlannedChange(Target target, String breaking, String healing, Set<ExpectedViolation> expectedViolation) {
    public PlannedChange {
        expectedViolation = Set.copyOf(expectedViolation);
        if (expectedViolation.isEmpty()) {
            throw new IllegalArgumentException("a change of " + target + " that breaks nothing");
        }
    }

    /** The object to relabel. */
    public sealed interface Target {
        /** {@return the object's name} */
        String name();

        /** A node. */
        record OfNode(String name) implements Target {}

        /** A pod. */
        record OfPod(String namespace, String name) implements Target {}
    }

    /** {@return whether both changes relabel the same object, or break the same rule of a pod} */
    boolean meets(PlannedChange other) {
        return target.equals(other.target) || !Collections.disjoint(expectedViolation, other.expectedViolation);
    }

    /** {@return the JSON merge patch that makes or reverts the change} */
    String patch(ChangeStep changeStep) {
        return switch (changeStep) {
            case BREAK -> breaking;
            case HEAL -> healing;
        };
    }
}
