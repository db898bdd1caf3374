package dev.holdfast.policies.evaluate;

import dev.holdfast.policies.model.Node;
import dev.holdfast.policies.rule.Rule;
import dev.holdfast.policies.selector.NodeMatcher;
import dev.holdfast.policies.selector.NodeMismatchText;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Evaluates nodeSelector and required node affinity (NS-1 to NA-10, X-1). Other pods have no effect. Node affinity that
 * a scheduler profile adds to all pods is not evaluated, because the operator cannot see it (NA-12).
 *
 * <p>Example: {@code disk In [ssd]} is violated on a node that was relabelled {@code disk=hdd}.
 */
final class NodeAffinityEvaluator implements NodeFilter {
    private final Rule.NodeAffinity rule;
    private final NodeMatcher matcher;

    /** The rule as text, and why no node can match it; null until the first violation needs them. */
    private @Nullable Described described;

    private record Described(String requirement, Optional<String> never, NodeMismatchText text) {}

    private NodeAffinityEvaluator(Rule.NodeAffinity rule) {
        this.rule = rule;
        this.matcher = NodeMatcher.of(rule.nodeSelector(), rule.required());
    }

    static NodeFilter prepare(Rule.NodeAffinity rule) {
        return new NodeAffinityEvaluator(rule);
    }

    @Override
    public boolean accepts(Node node) {
        return matcher.matches(node);
    }

    @Override
    public Verdict on(Node node) {
        return accepts(node) ? Verdict.satisfied() : Verdict.violated(mismatch(node));
    }

    private ViolationDetail mismatch(Node node) {
        Described known = described;
        if (known == null) {
            NodeMismatchText text = new NodeMismatchText(rule.nodeSelector(), rule.required());
            known = new Described(rule.describe(), text.never(), text);
            described = known;
        }
        String requirement = known.requirement();
        NodeMismatchText text = known.text();
        return known.never()
                .<ViolationDetail>map(why -> new ViolationDetail.UnmatchableRule(node.name(), requirement, why))
                .orElseGet(() -> new ViolationDetail.NodeMismatch(node.name(), requirement, text.on(node)));
    }
}
