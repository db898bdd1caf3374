package dev.holdfast.policies.engine.report;

import dev.holdfast.policies.rule.PolicyId;

/**
 * The report that a backlog of a policy began or ended.
 *
 * @param id the id of the backlog, with which users acknowledge it
 * @param message for users: the number of pods, and what to do
 */
public record BacklogReport(PolicyId policy, String id, Change change, String message) implements BrakeReport {}
