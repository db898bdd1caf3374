package dev.holdfast.crds.v1alpha1.status;

import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import io.fabric8.generator.annotation.Max;
import io.fabric8.generator.annotation.Min;
import io.fabric8.generator.annotation.Required;
import org.jspecify.annotations.Nullable;

/**
 * A forecast of the evictions that mode Enforce makes for a policy, or would make if the policy had that mode.
 *
 * @param evictions number of pods that would be evicted
 * @param maxEvictionsPerHour maximum number of these evictions that the limits allow within any hour
 * @param leastSeconds minimum time in seconds until the last of these evictions; {@code null} if the limits allow none
 */
@JsonInclude(JsonInclude.Include.NON_NULL)
@JsonIgnoreProperties(ignoreUnknown = true)
public record Outlook(
        @Required
        @JsonPropertyDescription(
                "Pods that would be evicted: those without a hold, and those that only wait for limits or"
                        + " for a later plan. Example: 130.")
        @Min(0)
        @Max(Integer.MAX_VALUE)
        int evictions,

        @Required
        @JsonPropertyDescription("Maximum number of these evictions within any hour, by the operator's limits and those"
                + " of the policy. Example: 60.")
        @Min(0)
        @Max(Integer.MAX_VALUE)
        int maxEvictionsPerHour,

        @JsonPropertyDescription("Minimum time in seconds that all these evictions take; absent if the limits allow"
                + " none. Example: 7200, because 60 are evicted at once, 60 an hour later and 10 after two hours.")
        @Min(0)
        @Max(Integer.MAX_VALUE)
        @Nullable
        Integer leastSeconds) {}
