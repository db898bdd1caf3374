package dev.holdfast.policies.evaluate;

import dev.holdfast.policies.model.Node;

/** A question about one pod and one rule, prepared over a cluster view: what would the scheduler say of this node? */
@FunctionalInterface
public interface NodeFilter {
    /** {@return the verdict on the node, the pod itself taken out of the cluster first} */
    Verdict on(Node node);
}
