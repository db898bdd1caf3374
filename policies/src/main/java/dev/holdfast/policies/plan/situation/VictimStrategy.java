package dev.holdfast.policies.plan.situation;

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
 * Chooses which pod is evicted for a broken rule, with the consequences for the plan: the rule owner, or a pod of lower
 * priority in its way ({@code victim: LowestPriority}).
 */
public sealed interface VictimStrategy permits OwnerVictim, SubstituteVictim {
    /** {@return the strategy that evicts the rule owner} */
    static VictimStrategy ofOwner() {
        return OwnerVictim.INSTANCE;
    }

    /** {@return the rule owner} */
    Pod owner(Pod victim);

    /** {@return the candidates that must move after the victim, in order; otherwise the rule stays broken} */
    List<Candidate> following();

    /**
     * {@return UIDs of all pods that leave for the rule, including the victim; empty if only the rule owner leaves}
     */
    Set<String> leaving();

    /** {@return an objection to nodes on which the victim would still break the rule of another pod} */
    NodeRejection objection(Rule rule, Pod victim, ClusterView view);

    /** {@return the hold, with the victim named in the message if it is not the rule owner} */
    Hold named(Hold hold, Pod victim);

    /**
     * {@return until when annotations of the victim forgive the violation; empty if the violation's deadline includes
     * them already}
     */
    Optional<Instant> forgivenUntil(Candidate candidate, ClusterView view);

    /** {@return whether a policy may evict the victim without a feasible node} */
    boolean mayGoWithoutPlace();

    /** {@return whether rules that policies add to the victim can contradict the broken rule} */
    boolean mayContradict();

    /** {@return whether only pods of trusted namespaces may have caused the violation} */
    boolean needsTrust();
}
