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
 * How one policy stands: bounded whatever the size of the cluster.
 *
 * @param generation the generation of the policy that is in force
 * @param mode the policy's mode under the operator's ceiling
 * @param pods pods in numbers
 * @param violations violations in numbers, by rule and state
 * @param holds how many violations are held, by reason
 * @param distrust how verdicts were found to be wrong, which stops all enforcement; absent as long as they are right
 * @param backlog what an edit would have moved and nobody has acknowledged, and how to; absent where there is nothing to ask
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
        /** {@return the same eviction with what became of it} */
        public EvictionRecord completed(Optional<String> landed, Optional<Outcome> ended) {
            return new EvictionRecord(time, pod, fromNode, landed, rule, cause, ended);
        }
    }
}
