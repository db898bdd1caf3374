package dev.holdfast.policies.engine;

import dev.holdfast.policies.forgive.ViolationKey;
import dev.holdfast.policies.model.Namespace;
import dev.holdfast.policies.model.Pod;
import dev.holdfast.policies.plan.Checks;
import dev.holdfast.policies.plan.Partners;
import dev.holdfast.policies.rule.HeldRule;
import dev.holdfast.policies.rule.PolicyId;
import dev.holdfast.policies.rule.VictimChoice;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;

/**
 * Finds who goes instead of a rule owner. That are the few in its way, where the policies want the lowest priority to go and
 * every one of them may: else the owner goes, which is one pod and heals the rule by itself. So it does where it has to go for
 * another rule anyway.
 *
 * <p>Example: of priority 1000, with two of priority 10 in its way: those two go, one after the other. With one of 10 and one
 * of 2000: the owner goes, since it would have to anyway.
 */
final class StandIns {
    private final State state;

    StandIns(State state) {
        this.state = state;
    }

    /** {@return the pods in the owner's way; empty where the owner goes} */
    List<Pod> of(Pod owner, HeldRule asked, Instant now, Supplier<Partners> partners) {
        if (asked.victim(state.ceiling) != VictimChoice.LOWEST_PRIORITY
                || mayGoFrom(owner, asked).filter(at -> !now.isBefore(at)).isPresent()) {
            return List.of();
        }
        List<Pod> few = partners.get().few(owner);
        return few.stream().allMatch(pod -> mayGo(pod, owner, asked)) ? few : List.of();
    }

    /** {@return from when the owner may go itself for another broken rule, and heal this one too; empty for never} */
    Optional<Instant> mayGoFrom(Pod owner, HeldRule asked) {
        return state.cluster.index().rulesOf(owner.uid()).stream()
                .filter(other -> !other.identity().equals(asked.identity()))
                .filter(other -> other.mode(state.ceiling) == asked.mode(state.ceiling))
                .filter(other -> other.victim(state.ceiling) == VictimChoice.RULE_OWNER)
                .filter(other -> other.askers(state.ceiling).stream().anyMatch(policy -> mayEverGo(owner, policy)))
                .map(other -> new ViolationKey(owner.uid(), owner.nodeName().orElseThrow(), other.identity()))
                .filter(key -> state.clocks.find(key).isPresent())
                .map(state.deadlines::of)
                .min(Comparator.naturalOrder());
    }

    private boolean mayGo(Pod pod, Pod owner, HeldRule asked) {
        return pod.protection().priority() < owner.protection().priority()
                && asked.askers(state.ceiling).stream().allMatch(policy -> lets(policy, pod));
    }

    /** {@return whether the pod is in a namespace that the policy selects, and none that it would hold whatever happens} */
    private boolean lets(PolicyId id, Pod pod) {
        boolean reached = state.cluster
                .index()
                .policy(id)
                .filter(policy -> policy.reaches(
                        pod.namespace(),
                        state.cluster.namespace(pod.namespace()).map(Namespace::labels)))
                .isPresent();
        return reached && mayEverGo(pod, id);
    }

    private boolean mayEverGo(Pod pod, PolicyId id) {
        return Checks.heldFromTheStart(
                        pod,
                        state.settings.protectedNamespaces(),
                        state.conductOf(id).allowed())
                .isEmpty();
    }
}
