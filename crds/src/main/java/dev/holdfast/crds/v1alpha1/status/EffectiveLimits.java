package dev.holdfast.crds.v1alpha1.status;

import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import io.fabric8.generator.annotation.Max;
import io.fabric8.generator.annotation.Min;
import io.fabric8.generator.annotation.Required;
import io.fabric8.kubernetes.api.model.IntOrString;
import org.jspecify.annotations.Nullable;

/**
 * The limits in effect for a policy: the lower of its own and the operator's, with all defaults.
 *
 * @param maxConcurrentEvictions maximum number of evictions in flight at once
 * @param maxEvictionsPerHour maximum number of evictions within any hour
 * @param minReplicas number of other pods of a workload that must stay Ready when one is evicted
 * @param maxUnavailable number or percentage of the desired pods of a workload that may be missing or not Ready
 * @param perWorkload limits for each workload
 */
@JsonInclude(JsonInclude.Include.NON_NULL)
@JsonIgnoreProperties(ignoreUnknown = true)
public record EffectiveLimits(
        @Required @JsonPropertyDescription("Evictions in flight at once. Example: 10.") @Min(0) @Max(Integer.MAX_VALUE)
        int maxConcurrentEvictions,

        @Required @JsonPropertyDescription("Evictions within any hour. Example: 120.") @Min(0) @Max(Integer.MAX_VALUE)
        int maxEvictionsPerHour,

        @Required
        @JsonPropertyDescription(
                "Other pods of a workload that must stay Ready when one of them is evicted. Example: 1.")
        @Min(0)
        @Max(Integer.MAX_VALUE)
        int minReplicas,

        @Required
        @JsonPropertyDescription(
                "Desired pods of a workload that may be missing, not Ready, Pending or terminating when"
                        + " one of them is evicted, that one included. Example: \"10%\".")
        IntOrString maxUnavailable,

        @Required @JsonPropertyDescription("Limits for each workload. Example: {maxConcurrentEvictions: 1}.")
        PerWorkload perWorkload) {

    /**
     * The limits in effect for each workload.
     *
     * @param maxConcurrentEvictions maximum number of evictions of a workload in flight at once
     * @param maxEvictionsPerHour maximum number or percentage of a workload's pods evicted within any hour;
     *     {@code null} means no such limit
     */
    @JsonInclude(JsonInclude.Include.NON_NULL)
    @JsonIgnoreProperties(ignoreUnknown = true)
    public record PerWorkload(
            @Required
            @JsonPropertyDescription("Evictions of a workload in flight at once. Example: 1.")
            @Min(0)
            @Max(Integer.MAX_VALUE)
            int maxConcurrentEvictions,

            @JsonPropertyDescription(
                    "Evictions of a workload within any hour; absent if there is no such limit. Example:" + " \"10%\".")
            @Nullable
            IntOrString maxEvictionsPerHour) {}
}
