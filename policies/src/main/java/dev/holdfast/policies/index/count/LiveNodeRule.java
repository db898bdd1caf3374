package dev.holdfast.policies.index.count;

import dev.holdfast.policies.evaluate.Evaluator;
import dev.holdfast.policies.evaluate.NodeFilter;
import dev.holdfast.policies.evaluate.Verdict;
import dev.holdfast.policies.evaluate.ViolationDetail;
import dev.holdfast.policies.model.Node;
import dev.holdfast.policies.model.Pod;
import dev.holdfast.policies.rule.Rule;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * A rule whose verdict depends only on the rule owner's own node, such as node affinity. Nothing is counted: the
 * reference evaluator gives the verdict. So a cross-check against that evaluator finds verdicts that were not updated,
 * but no error in the evaluator.
 */
public final class LiveNodeRule extends LiveRule {
    private final NodeFilter filter;
    private final VerdictGroup mismatched = new VerdictGroup.Broken();

    LiveNodeRule(Rule.OfNode rule) {
        super(List.of());
        this.filter = Evaluator.prepare(rule);
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
    public VerdictGroup join(RuleOwner ruleOwner, Node node) {
        return filter.accepts(node) ? null : mismatched;
    }

    /** {@return how pods on this node violate the rule; empty if the rule holds} */
    public Optional<ViolationDetail> violationDetail(Node node) {
        return filter.on(node) instanceof Verdict.Violated(ViolationDetail detail)
                ? Optional.of(detail)
                : Optional.empty();
    }
}
