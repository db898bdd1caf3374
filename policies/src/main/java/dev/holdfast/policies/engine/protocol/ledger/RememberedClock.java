package dev.holdfast.policies.engine.protocol.ledger;

import dev.holdfast.policies.rule.PolicyId;
import dev.holdfast.policies.rule.RuleIdentity;
import java.time.Duration;

/**
 * The clock of a violation for one policy that enforces the rule.
 *
 * @param version the version of the policy: its UID and generation, and which pods the operator protects
 * @param forgiveness the forgiveness in force, lengthened by annotations
 * @param observed how long the violation was observed without interruption
 */
public record RememberedClock(
        String podUid, RuleIdentity rule, PolicyId policy, String version, Duration forgiveness, Duration observed) {
    /** {@return the same clock after the violation was observed for some more time} */
    public RememberedClock and(Duration more) {
        return new RememberedClock(podUid, rule, policy, version, forgiveness, observed.plus(more));
    }
}
