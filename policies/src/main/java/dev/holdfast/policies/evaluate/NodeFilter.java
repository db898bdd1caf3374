package dev.holdfast.policies.evaluate;

import dev.holdfast.policies.model.Node;

/** A node filter for one pod and one rule, prepared from a cluster view: would the rule accept the pod on a node? */
@FunctionalInterface
public interface NodeFilter {
    /** {@return the verdict as if the pod were on this node and no longer on its present node} */
    Verdict on(Node node);

    /** {@return whether the verdict is that the rule holds; for many nodes, because no detail is made} */
    default boolean accepts(Node node) {
        return on(node) instanceof Verdict.Satisfied;
    }
}
