package dev.holdfast.policies.evaluate;

import dev.holdfast.policies.model.Node;

/** A filter for nodes, prepared for one pod and one rule over a cluster view: would the scheduler accept a node? */
@FunctionalInterface
public interface NodeFilter {
    /** {@return the verdict with the pod on this node; the pod is first removed from its present node} */
    Verdict on(Node node);
}
