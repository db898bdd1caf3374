package dev.holdfast.policies.plan.move;

import dev.holdfast.policies.model.NamespacedName;
import dev.holdfast.policies.rule.PolicyId;
import dev.holdfast.policies.rule.RuleIdentity;
import java.time.Instant;

/**
 * One eviction to ask for now, with all that the API server's audit log should tell of it.
 *
 * @param planId the same in the request, events, log and explanations
 * @param uid the pod's, a precondition of the request
 * @param resourceVersion the one just read, a precondition of the request
 * @param rule the rule's name in the policy, or its kind for a rule of the pod's own spec
 * @param cause what broke the rule, in words
 * @param since since when it has been broken
 */
public record EvictionRequest(
        String planId,
        NamespacedName pod,
        String uid,
        long resourceVersion,
        PolicyId policy,
        String rule,
        RuleIdentity identity,
        String cause,
        Instant since) {}
