package dev.holdfast.policies.evaluate;

import dev.holdfast.policies.model.ClusterView;
import dev.holdfast.policies.model.Node;
import dev.holdfast.policies.model.Pod;
import dev.holdfast.policies.rule.Rule;
import dev.holdfast.policies.selector.ParseResult;
import java.util.Optional;
import java.util.OptionalInt;

/** A filter for a topology spread constraint of one pod, which also knows the skew on any node. */
public interface SpreadSkew extends NodeFilter {
    /**
     * {@return the skew in pods as if the pod were on this node and no longer on its present one; empty without the
     * key}
     */
    OptionalInt skew(Node node);

    /** {@return the least skew that a node can have, in pods: 1 if the pod counts itself, else 0} */
    int least();

    /** {@return the skew of the fullest domain, in pods} */
    int greatest();

    /** {@return the skew of a constraint, prepared from a cluster view; empty if its selector cannot be parsed} */
    static Optional<SpreadSkew> of(Rule.TopologySpread rule, Pod pod, ClusterView view) {
        return switch (TopologySpreadEvaluator.parsed(rule, pod, view)) {
            case ParseResult.Unusable<TopologySpreadEvaluator> _ -> Optional.empty();
            case ParseResult.Usable<TopologySpreadEvaluator>(TopologySpreadEvaluator evaluator) ->
                Optional.of(evaluator);
        };
    }
}
