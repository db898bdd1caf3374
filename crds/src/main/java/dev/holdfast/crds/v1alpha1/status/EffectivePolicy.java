package dev.holdfast.crds.v1alpha1.status;

import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import dev.holdfast.crds.v1alpha1.choice.Mode;
import io.fabric8.generator.annotation.Max;
import io.fabric8.generator.annotation.Min;
import io.fabric8.generator.annotation.Required;
import org.jspecify.annotations.Nullable;

/**
 * The mode and forgiveness in effect for a policy: its own values, capped or filled in by the operator's configuration.
 *
 * @param mode the policy's mode, at most the operator's {@code maxMode}
 * @param forgivenessSeconds seconds that a violation must last: the policy's value, or the operator's default
 * @param limits how many pods the policy may evict, with all defaults
 */
@JsonInclude(JsonInclude.Include.NON_NULL)
@JsonIgnoreProperties(ignoreUnknown = true)
public record EffectivePolicy(
        @Required
        @JsonPropertyDescription("Mode in effect: the policy's own, at most the operator's maxMode. Example: Audit.")
        Mode mode,

        @Required
        @JsonPropertyDescription(
                "Seconds a violation must last: the policy's own or the operator's default." + " Example: 300.")
        @Min(0)
        @Max(Integer.MAX_VALUE)
        int forgivenessSeconds,

        @JsonPropertyDescription(
                "Limits in effect: the lower of the policy's own and the operator's, with all defaults. Example:"
                        + " {maxConcurrentEvictions: 10, maxEvictionsPerHour: 120, minReplicas: 1, maxUnavailable:"
                        + " \"10%\", perWorkload: {maxConcurrentEvictions: 1}}.")
        @Nullable
        EffectiveLimits limits) {}
