package dev.holdfast.it.bench.cluster;

import java.util.Collections;
import java.util.Set;

/**
 * A change of one label that breaks rules, and the one that heals them.
 *
 * @param target what is relabelled
 * @param breaking a JSON merge patch
 * @param healing the merge patch that takes it back
 * @param broken all violations that come of it; never empty
 */
public record Change(Target target, String breaking, String healing, Set<Broken> broken) {
    public Change {
        broken = Set.copyOf(broken);
        if (broken.isEmpty()) {
            throw new IllegalArgumentException("a change of " + target + " that breaks nothing");
        }
    }

    /** What is relabelled. */
    public sealed interface Target {
        /** {@return its name} */
        String name();

        /** A node. */
        record OfNode(String name) implements Target {}

        /** A pod. */
        record OfPod(String namespace, String name) implements Target {}
    }

    /** {@return whether the two change the same object, or break a rule of the same pod} */
    boolean meets(Change other) {
        return target.equals(other.target) || !Collections.disjoint(broken, other.broken);
    }

    /** {@return the patch of a step} */
    String patch(Step step) {
        return switch (step) {
            case BREAK -> breaking;
            case HEAL -> healing;
        };
    }
}
