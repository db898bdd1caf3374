package dev.holdfast.policies.index;

import dev.holdfast.policies.model.Namespace;
import dev.holdfast.policies.model.Node;
import dev.holdfast.policies.model.Pod;
import dev.holdfast.policies.rule.PolicyId;
import java.util.Optional;

/** What an event changed of what verdicts depend on, before and after. */
public sealed interface Change {
    /** A pod; absent before it was known, and after it is gone. */
    record OfPod(Optional<Pod> before, Optional<Pod> after) implements Change {}

    /** A node. */
    record OfNode(String name, Optional<Node> before, Optional<Node> after) implements Change {}

    /** A namespace. */
    record OfNamespace(String name, Optional<Namespace> before, Optional<Namespace> after) implements Change {}

    /** A policy came, was edited or went. */
    record OfPolicy(PolicyId policy) implements Change {}
}
