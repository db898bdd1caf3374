package dev.holdfast.policies.evaluate;

import dev.holdfast.policies.model.Node;
import dev.holdfast.policies.model.Pod;
import dev.holdfast.policies.rule.RuleIdentity;
import java.util.List;
import java.util.Set;
import java.util.function.ToIntFunction;

/**
 * How a move of one pod changes the number of violations, including those of the rules of other pods.
 *
 * <p>Example: the only cache of a zone violates its own rule and moves to another zone. Three pods that must be near it
 * stay. One violation is healed and three begin: 2 more.
 */
@FunctionalInterface
public interface ImpactOnOthers {
    /** The impact if no other pod has rules: each other node heals the violation of the pod. */
    ImpactOnOthers NONE = (_, _, _, _) -> _ -> -1;

    /**
     * {@return how many more rules would be violated with the pod on the given node than on its present node;
     * negative if fewer}
     *
     * <p>It evaluates the rules of all other pods. The rules of the pod's own spec and the {@code further} rules
     * count as satisfied on the new node. Other rules that policies only audit for the pod do not count.
     *
     * @param further identities of policy rules that hold for the pod on the new node
     * @param leaving the UIDs of pods that will be gone before the move
     * @param arriving pods that will be bound before the move; the verdicts on their own rules do not count
     */
    ToIntFunction<Node> moreBroken(Pod pod, Set<RuleIdentity> further, Set<String> leaving, List<Pod> arriving);
}
