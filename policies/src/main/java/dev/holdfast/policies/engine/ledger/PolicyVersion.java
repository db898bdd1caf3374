package dev.holdfast.policies.engine.ledger;

import dev.holdfast.policies.rule.PolicyId;

/**
 * A policy that an operator knew.
 *
 * @param version the UID and generation of its object
 */
public record PolicyVersion(PolicyId policy, String version) {}
