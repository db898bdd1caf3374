package dev.holdfast.policies.plan;

import dev.holdfast.policies.rule.PolicyId;

/** A policy for which a candidate would be moved. */
public record Asker(PolicyId policy, Conduct conduct) {}
