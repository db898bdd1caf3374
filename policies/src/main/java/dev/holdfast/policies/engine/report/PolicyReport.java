package dev.holdfast.policies.engine.report;

import dev.holdfast.policies.evaluate.Reason;
import dev.holdfast.policies.model.NamespacedName;
import dev.holdfast.policies.plan.controls.EffectiveLimits;
import dev.holdfast.policies.plan.move.Outcome;
import dev.holdfast.policies.rule.Mode;
import dev.holdfast.policies.rule.PolicyId;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * The status of one policy. The size of the status has a bound that does not depend on the size of the cluster.
 *
 * @param uid the UID of the policy's object; a policy that was deleted and created again has another one
 * @param generation the generation of the policy that the engine applies
 * @param mode the policy's mode, or the operator's mode ceiling if that is weaker
 * @param rules the names of the policy's rules, and the kinds of rules in the pods' own spec that it handles
 * @param limits how many pods the policy may evict: the lower ones of its own limits and the operator's
 * @param pods the numbers of pods that the policy selects and of those with violations
 * @param effect which rules can do something in the cluster as it is
 * @param violations the number of violations, by rule and state
 * @param holds the number of held violations, by reason
 * @param verdictDifference the first difference between the verdicts of the incremental index and the reference
 *     evaluators; absent if none was found. A difference stops all evictions
 * @param backlog the message of the unacknowledged backlog, and how to acknowledge it; absent without a backlog
 * @param lostLedger that the ledger could not be read, and until when violations wait for this reason; absent if the
 *     ledger was read, or after that time
 * @param outlook a forecast of the evictions that mode Enforce would start
 * @param nextDeadline when the next violation becomes due; absent if all violations are due already
 * @param oldest the 20 oldest violations, oldest first
 * @param recent the last 10 evictions, newest first
 * @param injection what is known of the injection of the policy's rules; absent if the policy does not inject them
 */
public record PolicyReport(
        PolicyId policy,
        String uid,
        long generation,
        Mode mode,
        Set<String> rules,
        EffectiveLimits limits,
        Pods pods,
        PolicyEffect effect,
        Map<RuleState, Integer> violations,
        Map<Reason, Integer> holds,
        Optional<String> verdictDifference,
        Optional<String> backlog,
        Optional<String> lostLedger,
        Outlook outlook,
        Optional<Instant> nextDeadline,
        List<ViolationReport> oldest,
        List<EvictionRecord> recent,
        Optional<InjectionReport> injection) {
    /** Creates a report of a policy whose name is its UID, whose rule has an effect, and that injects no rules. */
    public PolicyReport(
            PolicyId policy,
            long generation,
            Mode mode,
            Set<String> rules,
            EffectiveLimits limits,
            Pods pods,
            Map<RuleState, Integer> violations,
            Map<Reason, Integer> holds,
            Optional<String> verdictDifference,
            Optional<String> backlog,
            Optional<String> lostLedger,
            Outlook outlook,
            Optional<Instant> nextDeadline,
            List<ViolationReport> oldest,
            List<EvictionRecord> recent) {
        this(
                policy,
                policy.toString(),
                generation,
                mode,
                rules,
                limits,
                pods,
                new PolicyEffect(1, Map.of(), Set.of()),
                violations,
                holds,
                verdictDifference,
                backlog,
                lostLedger,
                outlook,
                nextDeadline,
                oldest,
                recent,
                Optional.empty());
    }

    public PolicyReport {
        rules = Set.copyOf(rules);
        violations = Map.copyOf(violations);
        holds = Map.copyOf(holds);
        oldest = List.copyOf(oldest);
        recent = List.copyOf(recent);
    }

    /** {@return the same report, of a policy that injects its rules} */
    public PolicyReport withInjection(InjectionReport known) {
        return new PolicyReport(
                policy,
                uid,
                generation,
                mode,
                rules,
                limits,
                pods,
                effect,
                violations,
                holds,
                verdictDifference,
                backlog,
                lostLedger,
                outlook,
                nextDeadline,
                oldest,
                recent,
                Optional.of(known));
    }

    /**
     * Numbers of pods. A pod with several violations counts once in each number.
     *
     * @param selected the pods that the policy selects
     * @param violating the pods with a violation
     * @param due the pods with a due violation
     * @param held the pods with a held violation
     */
    public record Pods(int selected, int violating, int due, int held) {}

    /**
     * A rule and a state of its violations.
     *
     * @param rule the rule's name in the policy, or its kind for a rule of the pod's own spec
     */
    public record RuleState(String rule, ViolationState state) {}

    /**
     * One eviction.
     *
     * @param toNode the node of the replacement; absent until the replacement is bound
     * @param outcome how the move ended; absent while it is in flight
     */
    public record EvictionRecord(
            Instant time,
            NamespacedName pod,
            String fromNode,
            Optional<String> toNode,
            String rule,
            String cause,
            Optional<Outcome> outcome) {
        /** {@return the same eviction with the replacement's node and, once known, the outcome of the move} */
        public EvictionRecord completed(Optional<String> landed, Optional<Outcome> ended) {
            return new EvictionRecord(time, pod, fromNode, landed, rule, cause, ended);
        }
    }
}
