package dev.holdfast.policies.engine.ledger;

import dev.holdfast.policies.rule.PolicyId;
import dev.holdfast.policies.rule.RuleIdentity;
import java.time.Duration;

/**
 * The clock of a violation for one policy that enforces the rule.
 *
 * @param version the version of the policy: its UID and generation
 * @param forgiveness the forgiveness in force, lengthened by annotations
 * @param observed how long the violation was observed without interruption
 */
public record RememberedClock(
        String podUid, RuleIdentity rule, PolicyId policy, String version, Duration forgiveness, Duration observed) {}
