package dev.holdfast.crds.v1alpha1.status;

import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import io.fabric8.generator.annotation.Size;
import io.fabric8.generator.annotation.ValidationRule;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The status of a policy; its fields are {@code null} or empty until the operator has evaluated the policy.
 *
 * @param observedGeneration generation of the spec that this status describes
 * @param conditions at most one per condition type
 * @param effective mode and forgiveness in effect; the mode may be weaker than the spec's
 * @param pods how many pods are selected, violating, due and held
 * @param holds number of held violations per reason, the most frequent reason first
 * @param outlook a forecast of the evictions that mode Enforce would make
 * @param nextDeadlineTime when the next violation becomes due, in whole seconds
 * @param violations the {@value #MAX_VIOLATIONS} oldest violations, oldest first
 * @param recentEvictions the last {@value #MAX_EVICTIONS} evictions, newest first
 * @param leader the replica of the operator that wrote this status
 */
@JsonInclude(JsonInclude.Include.NON_EMPTY)
@JsonIgnoreProperties(ignoreUnknown = true)
@ValidationRule(
        value = PolicyStatus.CONDITIONS
                + " + (has(self.holds) ? self.holds.map(it, size(it.reason)).sum() : 0)"
                + " + (has(self.violations) ? self.violations.map(it, size(it.pod) + size(it.node) + size(it.rule)"
                + " + size(it.state) + (has(it.namespace) ? size(it.namespace) : 0)"
                + " + (has(it.reason) ? size(it.reason) : 0)"
                + " + (has(it.message) ? size(it.message) : 0)).sum() : 0)"
                + " + (has(self.recentEvictions) ? self.recentEvictions.map(it, size(it.pod) + size(it.fromNode)"
                + " + size(it.rule) + (has(it.namespace) ? size(it.namespace) : 0)"
                + " + (has(it.toNode) ? size(it.toNode) : 0) + (has(it.cause) ? size(it.cause) : 0)"
                + " + (has(it.outcome) ? size(it.outcome) : 0)).sum() : 0) <= " + PolicyStatus.MAX_BYTES,
        message = PolicyStatus.TOO_LONG)
public record PolicyStatus(
        @JsonPropertyDescription("metadata.generation of the spec that this status describes. Example: 3.") @Nullable
        Long observedGeneration,

        @JsonPropertyDescription("Ready (the policy is valid and evaluated; violations do not change it), Effective"
                + " (some rule can do something in the cluster as it is), Compliant (no rule is broken),"
                + " EnforcementHeld (a due violation is held) and, with `scheduling` other than None,"
                + " SchedulingEnforced (the API server adds the rules to new pods)."
                + " Example: [{type: Ready, status: \"True\", reason: Evaluated}].")
        @Size(max = 8)
        List<PolicyCondition> conditions,

        @JsonPropertyDescription("Values in effect, which may be weaker than the spec."
                + " Example: {mode: Audit, forgivenessSeconds: 300}.")
        @Nullable
        EffectivePolicy effective,

        @JsonPropertyDescription("Numbers of pods. Example: {selected: 120, violating: 3, due: 2, held: 1}.") @Nullable
        PodCounts pods,

        @JsonPropertyDescription("Why due violations are held, one entry per reason."
                + " Example: [{reason: DisruptionBudget, count: 1}].")
        @Size(max = 64)
        List<HoldCount> holds,

        @JsonPropertyDescription(
                "Evictions that mode Enforce would make, or makes where it is on; `pods.held` and `holds`"
                        + " report the rest. Example: {evictions: 130, maxEvictionsPerHour: 60, leastSeconds: 7200}.")
        @Nullable
        Outlook outlook,

        @JsonPropertyDescription("When the next violation becomes due. Example: 2026-11-20T15:42:10Z.") @Nullable
        Instant nextDeadlineTime,

        @JsonPropertyDescription("The 20 oldest violations, oldest first, or as many as fit into a"
                + " status of 8 KiB; `pods` counts all of them."
                + " Example: [{pod: web-1, node: node-12, rule: ssd, state: Forgiving}].")
        @Size(max = PolicyStatus.MAX_VIOLATIONS)
        List<PolicyViolation> violations,

        @JsonPropertyDescription("The last 10 evictions, newest first, or as many as fit into a status of 8 KiB."
                + " Example: [{pod: web-1, fromNode: node-12, toNode: node-7, rule: ssd, outcome: Moved}].")
        @Size(max = PolicyStatus.MAX_EVICTIONS)
        List<PolicyEviction> recentEvictions,

        @JsonPropertyDescription("The replica of the operator that leads and wrote this status, and since when."
                + " Example: {identity: holdfast-6c9f7d5b4-x2x7q_0b1f, acquireTime: 2026-11-20T15:42:10Z}.")
        @Nullable
        PolicyLeader leader) {

    /**
     * Maximum length of a status as JSON, in bytes. The operator lists fewer violations and evictions to stay below.
     */
    public static final int MAX_BYTES = 8_192;

    /** The message of the API server that refuses a status with longer texts. */
    public static final String TOO_LONG = "must have at most " + MAX_BYTES + " characters in all its texts together";

    /** CEL for the number of characters in the conditions of a status. */
    static final String CONDITIONS = "(has(self.conditions) ? self.conditions.map(it, size(it.type)"
            + " + size(it.reason) + size(it.message)).sum() : 0)";

    /** Maximum number of violations that a status lists. */
    public static final int MAX_VIOLATIONS = 20;

    /** Maximum number of evictions that a status lists. */
    public static final int MAX_EVICTIONS = 10;

    /** {@return this status with these violations} */
    public PolicyStatus withViolations(List<PolicyViolation> listed) {
        return new PolicyStatus(
                observedGeneration,
                conditions,
                effective,
                pods,
                holds,
                outlook,
                nextDeadlineTime,
                listed,
                recentEvictions,
                leader);
    }

    /** {@return this status with these evictions} */
    public PolicyStatus withRecentEvictions(List<PolicyEviction> listed) {
        return new PolicyStatus(
                observedGeneration,
                conditions,
                effective,
                pods,
                holds,
                outlook,
                nextDeadlineTime,
                violations,
                listed,
                leader);
    }

    /** {@return this status, written by another replica} */
    public PolicyStatus withLeader(@Nullable PolicyLeader other) {
        return new PolicyStatus(
                observedGeneration,
                conditions,
                effective,
                pods,
                holds,
                outlook,
                nextDeadlineTime,
                violations,
                recentEvictions,
                other);
    }

    public PolicyStatus {
        conditions = conditions == null ? List.of() : List.copyOf(conditions);
        holds = holds == null ? List.of() : List.copyOf(holds);
        violations = violations == null ? List.of() : List.copyOf(violations);
        recentEvictions = recentEvictions == null ? List.of() : List.copyOf(recentEvictions);
    }
}
