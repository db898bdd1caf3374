package dev.holdfast.policies.plan.move;

import dev.holdfast.policies.model.NamespacedName;
import dev.holdfast.policies.rule.PolicyId;
import dev.holdfast.policies.rule.RuleIdentity;
import java.time.Instant;
import java.util.OptionalLong;

/**
 * One eviction to request now, with the details that the request carries for the API server's audit log.
 *
 * @param planId the ID of the move, which the request, events, log and explanations show
 * @param pod the pod to evict
 * @param uid the pod's UID, a precondition of the request
 * @param resourceVersion the pod's resourceVersion as just read, a precondition of the request; absent for a pod that
 *     changed during three earlier requests, because it may change all the time
 * @param policy the policy that the pod is moved for
 * @param rule the rule's name in the policy, or its kind for a rule of the pod's own spec
 * @param identity the identity of the broken rule
 * @param cause the change that broke the rule, as text
 * @param since when the violation started
 */
public record EvictionRequest(
        String planId,
        NamespacedName pod,
        String uid,
        OptionalLong resourceVersion,
        PolicyId policy,
        String rule,
        RuleIdentity identity,
        String cause,
        Instant since) {}
