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
 * Which pod is evicted for a broken rule, and what follows from that for its plan: the rule owner, or a pod of lower priority
 * in its way ({@code victim: LowestPriority}).
 */
public sealed interface VictimStrategy permits OwnerVictim, SubstituteVictim {
    /** {@return the strategy that evicts the rule owner} */
    static VictimStrategy ofOwner() {
        return OwnerVictim.INSTANCE;
    }

    /** {@return the pod whose rule is broken} */
    Pod owner(Pod victim);

    /** {@return the candidates that must be moved after the victim, in that order: else the rule stays broken} */
    List<Candidate> following();

    /** {@return UIDs of the pods that all leave for the rule, beside the victim} */
    Set<String> leaving();

    /** {@return an objection to nodes on which the victim would still break the rule of another pod} */
    NodeRejection objection(Rule rule, Pod victim, ClusterView view);

    /** {@return the hold, with the victim named in the message if it is not the rule owner} */
    Hold named(Hold hold, Pod victim);

    /** {@return until when annotations forgive the violation, if its deadline does not include them yet} */
    Optional<Instant> forgivenUntil(Candidate candidate, ClusterView view);

    /** {@return whether a policy may have the victim evicted if no other node would take it} */
    boolean mayGoWithoutPlace();

    /** {@return whether rules that policies bring to the victim may contradict the broken one} */
    boolean mayContradict();

    /** {@return whether the rule must be broken by pods of namespaces that the victim trusts} */
    boolean needsTrust();
}
