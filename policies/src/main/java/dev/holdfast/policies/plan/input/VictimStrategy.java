package dev.holdfast.policies.plan.input;

import dev.holdfast.policies.evaluate.NodeRejection;
import dev.holdfast.policies.model.ClusterView;
import dev.holdfast.policies.model.Pod;
import dev.holdfast.policies.plan.move.Hold;
import dev.holdfast.policies.rule.Rule;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * Whether the rule owner is evicted for a broken rule, or a pod of lower priority in the owner's way ({@code victim:
 * LowestPriority}). The methods return what a plan does differently in the two cases.
 */
public sealed interface VictimStrategy permits OwnerVictim, SubstituteVictim {
    /** {@return the strategy that evicts the rule owner} */
    static VictimStrategy ofOwner() {
        return OwnerVictim.INSTANCE;
    }

    /**
     * {@return the rule owner}
     *
     * @param victim the pod to evict; it may be the rule owner
     */
    Pod owner(Pod victim);

    /**
     * {@return the candidates for the pods that must make way for the rule owner after the victim, in order; empty if
     * there are none}
     */
    List<Candidate> following();

    /** {@return UIDs of all pods that must move so that the rule holds; empty if only the rule owner moves} */
    Set<String> leaving();

    /** {@return a check that rejects nodes on which the victim would still be in the rule owner's way} */
    NodeRejection rejection(Rule rule, Pod victim, ClusterView view);

    /** {@return the hold, with the victim named in the message if it is not the rule owner} */
    Hold namingVictim(Hold hold, Pod victim);

    /**
     * {@return until when annotations of the victim forbid its eviction for the violation} Empty if the victim is the
     * rule owner: then the deadline of the violation already includes its annotations.
     */
    Optional<Instant> forgivenUntil(Candidate candidate, ClusterView view);

    /** {@return whether a policy may evict the victim although no other node would take it} */
    boolean mayEvictWithoutNode();

    /**
     * {@return whether rules of policies may contradict the broken rule, so that no node satisfies both for the victim}
     * Only the rule owner must satisfy the broken rule, so this is false for any other victim.
     */
    boolean mayContradict();

    /** {@return whether the candidate must be held if pods of untrusted namespaces caused the violation} */
    boolean needsTrust();
}
