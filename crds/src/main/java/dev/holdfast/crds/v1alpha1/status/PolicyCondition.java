package dev.holdfast.crds.v1alpha1.status;

import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import io.fabric8.generator.annotation.Required;
import io.fabric8.generator.annotation.Size;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * A condition of a policy or a pause, in the standard six fields of the Kubernetes API conventions.
 *
 * @param type type of the condition, such as {@code Ready}
 * @param status {@code True}, {@code False} or {@code Unknown}
 * @param reason the reason for the status, as one CamelCase word for programs, such as {@code Evaluated}
 * @param message the reason for the status and what to do, for people; at most 32768 characters
 * @param lastTransitionTime when {@code status} last changed, in whole seconds
 * @param observedGeneration generation of the spec that this condition describes
 */
@JsonInclude(JsonInclude.Include.NON_NULL)
@JsonIgnoreProperties(ignoreUnknown = true)
public record PolicyCondition(
        @Required
        @JsonPropertyDescription("Type of the condition, from the table of reasons. Example: Ready.")
        @Size(max = 316)
        String type,

        @Required @JsonPropertyDescription("True, False or Unknown. Example: \"True\".")
        String status,

        @Required
        @JsonPropertyDescription("Reason of the condition, from the table of reasons. Example: Evaluated.")
        @Size(min = 1, max = 1024)
        String reason,

        @Required
        @JsonPropertyDescription(
                "Why the condition has this status, and what to do. Example: 120 pods are held to 3 rules.")
        @Size(max = 32_768)
        String message,

        @Required @JsonPropertyDescription("When `status` last changed. Example: 2026-11-20T15:42:10Z.")
        Instant lastTransitionTime,

        @JsonPropertyDescription("metadata.generation of the spec that this condition describes. Example: 3.") @Nullable
        Long observedGeneration) {}
