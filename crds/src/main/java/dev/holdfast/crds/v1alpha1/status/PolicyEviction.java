package dev.holdfast.crds.v1alpha1.status;

import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import io.fabric8.generator.annotation.Required;
import io.fabric8.generator.annotation.Size;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * One eviction of a policy in its status, with the outcome of the move.
 *
 * @param time when the API server accepted the eviction, in whole seconds
 * @param namespace namespace of the evicted pod
 * @param pod name of the evicted pod
 * @param fromNode name of the node that the evicted pod ran on
 * @param toNode name of the node of the replacement; {@code null} until the replacement is bound
 * @param rule name of the policy's rule, or the kind of the pod's own rule
 * @param cause what broke the rule, for people, for example {@code label disk changed ssd -> hdd}
 * @param outcome {@code Moved}, {@code Futile} or {@code Gone}; {@code null} until the move has ended
 */
@JsonInclude(JsonInclude.Include.NON_NULL)
@JsonIgnoreProperties(ignoreUnknown = true)
public record PolicyEviction(
        @Required @JsonPropertyDescription("When the API server accepted the eviction. Example: 2026-11-20T15:42:11Z.")
        Instant time,

        @JsonPropertyDescription("Namespace of the evicted pod. Example: shop.") @Size(max = 63) @Nullable
        String namespace,

        @Required @JsonPropertyDescription("Name of the evicted pod. Example: web-5d9f8.") @Size(max = 253)
        String pod,

        @Required
        @JsonPropertyDescription("Name of the node that the evicted pod ran on. Example: node-12.")
        @Size(max = 253)
        String fromNode,

        @JsonPropertyDescription("Name of the node of the replacement pod. Example: node-7.") @Size(max = 253) @Nullable
        String toNode,

        @Required
        @JsonPropertyDescription("Name of the policy's rule, or the kind of the pod's own rule. Example: ssd.")
        @Size(max = 253)
        String rule,

        @JsonPropertyDescription("What broke the rule. Example: label disk changed ssd -> hdd.")
        @Size(max = 256)
        @Nullable
        String cause,

        @JsonPropertyDescription(
                "Moved (the replacement is Ready and the rule holds), Futile (the replacement violates the rule,"
                        + " or was not Ready in time) or Gone (the pod was not replaced). Example: Moved.")
        @Size(max = 63)
        @Nullable
        String outcome) {}
