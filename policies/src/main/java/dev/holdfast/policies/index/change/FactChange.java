package dev.holdfast.policies.index.change;

import dev.holdfast.policies.evaluate.Cause;
import dev.holdfast.policies.model.Namespace;
import dev.holdfast.policies.model.Node;
import dev.holdfast.policies.model.Pod;
import dev.holdfast.policies.rule.PolicyId;
import dev.holdfast.policies.rule.Rule;
import java.util.Optional;

/** What an event changed of what verdicts depend on, before and after. */
public sealed interface FactChange {
    /**
     * {@return what of this change broke a rule}
     *
     * @param rule told to be Violated by this change
     * @param holder as it is now
     */
    default Cause cause(Rule rule, Pod holder) {
        return CauseReader.of(this, rule, holder);
    }

    /** A pod; absent before it was known, and after it is gone. */
    record OfPod(Optional<Pod> before, Optional<Pod> after) implements FactChange {
        /** {@return whether it is this pod, not another, that changed} */
        boolean isOf(Pod pod) {
            return is(before, pod) || is(after, pod);
        }

        private static boolean is(Optional<Pod> one, Pod other) {
            return one.isPresent() && one.get().uid().equals(other.uid());
        }
    }

    /** A node. */
    record OfNode(String name, Optional<Node> before, Optional<Node> after) implements FactChange {}

    /** A namespace. */
    record OfNamespace(String name, Optional<Namespace> before, Optional<Namespace> after) implements FactChange {}

    /** A policy came, was edited or went. */
    record OfPolicy(PolicyId policy) implements FactChange {}
}
