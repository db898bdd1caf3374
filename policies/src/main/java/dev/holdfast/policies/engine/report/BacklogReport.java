package dev.holdfast.policies.engine.report;

import dev.holdfast.policies.rule.PolicyId;

/**
 * A backlog of a policy that began or is over.
 *
 * @param id under which it is acknowledged
 * @param message how many pods it is about, and what to do
 */
public record BacklogReport(PolicyId policy, String id, Turn turn, String message) implements BrakeReport {}
