package dev.holdfast.crds.v1alpha1.status;

import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import io.fabric8.generator.annotation.Required;
import io.fabric8.generator.annotation.Size;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * One violation of a policy in its status: one broken rule of one pod.
 *
 * @param namespace namespace of the pod
 * @param pod name of the rule owner, the pod whose rule is broken
 * @param node name of the node that the pod runs on
 * @param rule name of the policy's rule, or the kind of the pod's own rule
 * @param sinceTime when the violation began, in whole seconds
 * @param deadlineTime when the forgiveness has passed or will pass, in whole seconds
 * @param state {@code Forgiving}, {@code Held}, {@code WouldEvict} or {@code Evicting}
 * @param reason why the violation is held, such as {@code DisruptionBudget}; {@code null} if it is not held
 * @param message what broke the rule and what would heal it, for people
 */
@JsonInclude(JsonInclude.Include.NON_NULL)
@JsonIgnoreProperties(ignoreUnknown = true)
public record PolicyViolation(
        @JsonPropertyDescription("Namespace of the pod. Example: shop.") @Size(max = 63) @Nullable
        String namespace,

        @Required @JsonPropertyDescription("Name of the pod whose rule is broken. Example: web-5d9f8.") @Size(max = 253)
        String pod,

        @Required @JsonPropertyDescription("Name of the node that the pod runs on. Example: node-12.") @Size(max = 253)
        String node,

        @Required
        @JsonPropertyDescription("Name of the policy's rule, or the kind of the pod's own rule. Example: ssd.")
        @Size(max = 253)
        String rule,

        @Required
        @JsonPropertyDescription("When the operator's clock for the violation started. Example: 2026-11-20T15:37:10Z.")
        Instant sinceTime,

        @JsonPropertyDescription("When the forgiveness of the violation ends or ended. Example: 2026-11-20T15:42:10Z.")
        @Nullable
        Instant deadlineTime,

        @Required @JsonPropertyDescription("Forgiving, Held, WouldEvict or Evicting. Example: Held.") @Size(max = 63)
        String state,

        @JsonPropertyDescription("Why the violation is held, from the table of reasons. Example: DisruptionBudget.")
        @Size(max = 63)
        @Nullable
        String reason,

        @JsonPropertyDescription(
                "What broke the rule and what would heal the violation. Example: label disk changed ssd -> hdd.")
        @Size(max = 512)
        @Nullable
        String message) {}
