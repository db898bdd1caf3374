package dev.holdfast.policies.index.change;

import dev.holdfast.policies.forgive.Cause;
import dev.holdfast.policies.model.Namespace;
import dev.holdfast.policies.model.Node;
import dev.holdfast.policies.model.Pod;
import dev.holdfast.policies.rule.PolicyId;
import dev.holdfast.policies.rule.Rule;
import java.util.Optional;

/**
 * A change of a pod, node, namespace or policy that may change verdicts. Each kind except a policy change has the
 * object before and after the change.
 */
public sealed interface FactChange {
    /**
     * {@return the cause of a violation that began with this change}
     *
     * @param rule the rule that is violated since this change
     * @param holder the rule owner in its state after the change
     */
    default Cause cause(Rule rule, Pod holder) {
        return CauseFinder.of(this, rule, holder);
    }

    /** A change of a pod; {@code before} is empty for a new pod, {@code after} for a deleted one. */
    record OfPod(Optional<Pod> before, Optional<Pod> after) implements FactChange {
        /** {@return whether this is a change of the given pod; pods are compared by UID} */
        boolean isOf(Pod pod) {
            return is(before, pod) || is(after, pod);
        }

        private static boolean is(Optional<Pod> one, Pod other) {
            return one.isPresent() && one.get().uid().equals(other.uid());
        }
    }

    /** A change of a node; {@code before} is empty for a new node, {@code after} for a deleted one. */
    record OfNode(String name, Optional<Node> before, Optional<Node> after) implements FactChange {}

    /** A change of a namespace; {@code before} is empty for a new Namespace object, {@code after} for a deleted one. */
    record OfNamespace(String name, Optional<Namespace> before, Optional<Namespace> after) implements FactChange {}

    /** A policy was created, edited or deleted. */
    record OfPolicy(PolicyId policy) implements FactChange {}
}
