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
 * The status of an EnforcementPause; its fields are {@code null} or empty until the operator has evaluated the pause.
 *
 * @param observedGeneration generation of the spec that this status describes
 * @param conditions at most one per condition type
 * @param untilTime when an active pause ends, or when an expired one ended, in whole seconds; {@code null} outside its
 * windows, and if only its deletion ends it
 */
@JsonInclude(JsonInclude.Include.NON_EMPTY)
@JsonIgnoreProperties(ignoreUnknown = true)
@ValidationRule(value = PolicyStatus.CONDITIONS + " <= " + PolicyStatus.MAX_BYTES, message = PolicyStatus.TOO_LONG)
public record PauseStatus(
        @JsonPropertyDescription("metadata.generation of the spec that this status describes. Example: 3.") @Nullable
        Long observedGeneration,

        @JsonPropertyDescription("Ready (the pause is valid; an invalid one stops all evictions) and Active (the"
                + " pause applies now). Example: [{type: Active, status: \"True\", reason: Active}].")
        @Size(max = 8)
        List<PolicyCondition> conditions,

        @JsonPropertyDescription("When an active pause ends, or when an expired one ended. Absent if"
                + " only its deletion ends it, and outside its windows. Example: 2026-12-31T00:00:00Z.")
        @Nullable
        Instant untilTime) {
    public PauseStatus {
        conditions = conditions == null ? List.of() : List.copyOf(conditions);
    }
}
