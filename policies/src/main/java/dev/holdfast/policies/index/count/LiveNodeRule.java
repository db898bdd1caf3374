package dev.holdfast.policies.index.count;

import dev.holdfast.policies.model.Node;
import dev.holdfast.policies.model.Pod;
import dev.holdfast.policies.rule.Rule;
import dev.holdfast.policies.selector.NodeMatcher;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A live node affinity: its verdict depends only on the labels of the holder's own node. */
public final class LiveNodeRule extends LiveRule {
    private final NodeMatcher matcher;
    private final VerdictGroup mismatched = new VerdictGroup.Broken();

    LiveNodeRule(Rule.NodeAffinity rule) {
        super(List.of());
        this.matcher = NodeMatcher.of(rule.nodeSelector(), rule.required());
    }

    @Override
    public void came(Pod partner, Node node) {
        throw new IllegalStateException("a node rule has no partners");
    }

    @Override
    public void left(Pod partner, Node node) {
        throw new IllegalStateException("a node rule has no partners");
    }

    @Override
    @Nullable
    public VerdictGroup seat(Holder holder, Node node) {
        return matcher.matches(node) ? null : mismatched;
    }
}
