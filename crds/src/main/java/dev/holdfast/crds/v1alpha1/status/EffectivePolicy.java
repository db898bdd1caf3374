package dev.holdfast.crds.v1alpha1.status;

import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import dev.holdfast.crds.v1alpha1.choice.Mode;
import io.fabric8.generator.annotation.Max;
import io.fabric8.generator.annotation.Min;
import io.fabric8.generator.annotation.Required;

/**
 * The values of a policy in effect, after the operator's own ceilings and defaults.
 *
 * @param mode the policy's mode, capped by the operator's
 * @param forgivenessSeconds the policy's value, or the operator's default
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
        int forgivenessSeconds) {}
