package dev.holdfast.policies.index.query;

import dev.holdfast.policies.model.Node;
import dev.holdfast.policies.model.Pod;
import dev.holdfast.policies.rule.AppliedRule;
import dev.holdfast.policies.rule.RuleIdentity;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;
import java.util.function.ToIntFunction;

/**
 * Counts how a move of one pod changes the number of violations in the cluster, including violations by other pods.
 *
 * <p>Example: the only cache of a zone violates its own rule and moves to another zone. Three pods that must be near
 * the cache stay behind. The move heals one violation and starts three: 2 more.
 */
@FunctionalInterface
public interface ImpactOnOthers {
    /** For a cluster where no other pod has rules: each move only heals the moved pod's own violation, hence -1. */
    ImpactOnOthers NONE = (_, _, _, _, _) -> _ -> -1;

    /**
     * {@return how many more rules would be violated with the pod on the given node than on its present node;
     * negative if fewer}
     *
     * <p>The function evaluates the rules of all other pods, except {@linkplain
     * dev.holdfast.policies.model.PodAffinityTerm#isClusterWide() cluster-wide} anti-affinity: no pod must move because
     * another one bars a whole zone to the pods of all namespaces. The function assumes that on the new node the pod
     * satisfies the rules of its own spec and the {@code further} rules, and ignores all other rules of the pod.
     *
     * @param further the identities of the policy rules that the new node must satisfy for the pod
     * @param leaving the UIDs of pods that will be gone before the move
     * @param arriving pods that will be bound before the move; violations of their own rules do not count
     * @param regarded a test which rules of other pods count, by the policies that request them; absent if all count
     */
    ToIntFunction<Node> additionalViolations(
            Pod pod,
            Set<RuleIdentity> further,
            Set<String> leaving,
            List<Pod> arriving,
            Optional<Predicate<AppliedRule>> regarded);

    /**
     * {@return whether any policy may have a rule that is required only where possible} A caller that disregards such
     * rules must then say so by {@code regarded}, which takes longer.
     */
    default boolean anyRequiredWherePossible() {
        return false;
    }
}
