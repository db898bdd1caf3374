package dev.holdfast.policies.evaluate;

import dev.holdfast.policies.rule.Rule;
import dev.holdfast.policies.selector.NodeMatcher;

/**
 * Evaluates nodeSelector and required node affinity (NS-1 to NA-10, X-1). Other pods have no effect. Node affinity that
 * a scheduler profile adds to all pods is not evaluated, because the operator cannot see it (NA-12).
 *
 * <p>Example: {@code disk In [ssd]} is violated on a node that was relabelled {@code disk=hdd}.
 */
final class NodeAffinityEvaluator {
    private NodeAffinityEvaluator() {}

    static NodeFilter prepare(Rule.NodeAffinity rule) {
        NodeMatcher matcher = NodeMatcher.of(rule.nodeSelector(), rule.required());
        return node -> matcher.matches(node)
                ? Verdict.satisfied()
                : Verdict.violated(new ViolationDetail.NodeMismatch(node.name(), rule.describe()));
    }
}
