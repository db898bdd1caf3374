package dev.holdfast.policies.evaluate;

import dev.holdfast.policies.model.Node;
import dev.holdfast.policies.model.Pod;
import dev.holdfast.policies.rule.RuleIdentity;
import java.util.List;
import java.util.Set;
import java.util.function.ToIntFunction;

/**
 * All pods whose rules are held, as those who are there when another one is moved: what comes and what goes may break a rule
 * of theirs, or heal it.
 *
 * <p>Example: the only cache of a zone, whose own rule is broken, moves to another zone, and the three pods that must be near
 * it stay. One rule is healed and three are broken: 2 more.
 */
@FunctionalInterface
public interface ImpactOnOthers {
    /** Where nobody else's rules are held: the broken one of the pod is healed anywhere else. */
    ImpactOnOthers NONE = (_, _, _, _) -> _ -> -1;

    /**
     * {@return how many more rules would be broken with the pod on a node than with it where it is, those of all others as
     * they come out, and those of its own spec and the further ones all holding; negative where fewer would be} What else
     * policies ask of the pod, which is only audited, does not count.
     *
     * @param further rules that policies bring to the pod and that will hold for it on the node
     * @param leaving the UIDs of pods that will have gone before
     * @param arriving pods that will have come before, on nodes; the verdicts on their own rules are not counted
     */
    ToIntFunction<Node> moreBroken(Pod pod, Set<RuleIdentity> further, Set<String> leaving, List<Pod> arriving);
}
