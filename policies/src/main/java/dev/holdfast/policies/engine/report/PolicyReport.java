package dev.holdfast.policies.engine.report;

import dev.holdfast.policies.evaluate.Reason;
import dev.holdfast.policies.model.NamespacedName;
import dev.holdfast.policies.plan.move.Outcome;
import dev.holdfast.policies.rule.Mode;
import dev.holdfast.policies.rule.PolicyId;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The status of one policy. Its size has a bound that does not depend on the size of the cluster.
 *
 * @param generation the generation of the policy that is in force
 * @param mode the policy's mode under the operator's ceiling
 * @param pods the numbers of pods
 * @param violations the number of violations, by rule and state
 * @param holds the number of held violations, by reason
 * @param distrust the first difference between the index and {@code evaluate}, which stops all enforcement; absent if
 *     none was found
 * @param backlog the message of the unacknowledged backlog, and how to acknowledge it; absent without a backlog
 * @param outlook what Enforce would do now
 * @param nextDeadline the nearest end of a forgiveness
 * @param oldest the 20 oldest violations, oldest first
 * @param recent the last 10 evictions, newest first
 */
public record PolicyReport(
        PolicyId policy,
        long generation,
        Mode mode,
        Pods pods,
        Map<RuleState, Integer> violations,
        Map<Reason, Integer> holds,
        Optional<String> distrust,
        Optional<String> backlog,
        Outlook outlook,
        Optional<Instant> nextDeadline,
        List<ViolationReport> oldest,
        List<EvictionRecord> recent) {
    public PolicyReport {
        violations = Map.copyOf(violations);
        holds = Map.copyOf(holds);
        oldest = List.copyOf(oldest);
        recent = List.copyOf(recent);
    }

    /** Numbers of pods: those the policy selects, and of them those with a violation, a due one, a held one. */
    public record Pods(int selected, int violating, int due, int held) {}

    /** A rule, by its name or kind, and a state. */
    public record RuleState(String rule, ViolationState state) {}

    /**
     * One eviction.
     *
     * @param toNode where the replacement is; absent until it is bound
     * @param outcome absent while the move is in flight
     */
    public record EvictionRecord(
            Instant time,
            NamespacedName pod,
            String fromNode,
            Optional<String> toNode,
            String rule,
            String cause,
            Optional<Outcome> outcome) {
        /** {@return the same eviction with the replacement's node and the outcome} */
        public EvictionRecord completed(Optional<String> landed, Optional<Outcome> ended) {
            return new EvictionRecord(time, pod, fromNode, landed, rule, cause, ended);
        }
    }
}
