package dev.holdfast.crds.v1alpha1;

import com.fasterxml.jackson.annotation.JsonAnyGetter;
import com.fasterxml.jackson.annotation.JsonAnySetter;
import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import io.fabric8.generator.annotation.Max;
import io.fabric8.generator.annotation.Min;
import io.fabric8.kubernetes.api.model.IntOrString;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * How many pods one policy may evict. The operator's own limits apply too.
 *
 * @param maxConcurrentEvictions maximum number of evictions of the policy in flight at once; {@code null} if only the
 *     operator's limit applies
 * @param maxEvictionsPerHour maximum number of evictions of the policy within any hour; {@code null} if only the
 *     operator's limit applies
 * @param minReplicas number of other pods of a workload that must stay Ready when one is evicted; {@code null} means 1
 * @param maxUnavailable number or percentage of the desired pods of a workload that may be missing or not Ready when
 *     one of them is evicted; {@code null} means 10 %
 * @param perWorkload limits for each workload; {@code null} means none
 * @param unknownFields fields that this version does not know, by name
 */
@JsonInclude(JsonInclude.Include.NON_NULL)
public record PolicyLimits(
        @JsonPropertyDescription("Evictions of this policy in flight at once, 0 to 1000; an eviction is in flight until"
                + " its replacement is Ready. Default: absent, only the operator's `limits` apply. Example: 5.")
        @Min(0)
        @Max(1000)
        @Nullable
        Integer maxConcurrentEvictions,

        @JsonPropertyDescription("Evictions of this policy within any hour, 0 to 10000. Default: absent, only the"
                + " operator's `limits` apply. Example: 60.")
        @Min(0)
        @Max(10_000)
        @Nullable
        Integer maxEvictionsPerHour,

        @JsonPropertyDescription("How many other pods of a workload must stay Ready when one of them is evicted, 0 to"
                + " 1000; otherwise the pod is held TooFewReplicas. Default: 1. Example: 2.")
        @Min(0)
        @Max(1000)
        @Nullable
        Integer minReplicas,

        @JsonPropertyDescription(
                "How many of the desired pods of a workload may be missing, not Ready, Pending or terminating when one"
                    + " of them is evicted, that one included: a number from 0 to 10000, or a percentage, rounded up;"
                    + " otherwise the pod is held WorkloadDegraded. With 0 no pod is evicted. Default: 10%. Example:"
                    + " \"25%\".")
        @Nullable
        IntOrString maxUnavailable,

        @JsonPropertyDescription(
                "Limits for each workload, which is the top controller of pods, such as a Deployment. Default: absent,"
                        + " only the operator's `limits` apply. Example: {maxEvictionsPerHour: \"10%\"}.")
        @Nullable
        WorkloadLimits perWorkload,

        @JsonAnySetter @JsonAnyGetter Map<String, Object> unknownFields) {

    public PolicyLimits {
        unknownFields = unknownFields == null ? Map.of() : unknownFields;
    }
}
