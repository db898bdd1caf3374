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
 * How many pods of each workload one policy may evict.
 *
 * @param maxConcurrentEvictions maximum number of evictions of a workload in flight at once; {@code null} if only the
 *     operator's limit applies
 * @param maxEvictionsPerHour maximum number of evictions of a workload within any hour, as a number or as a percentage
 *     of the workload's pods; {@code null} means no such limit
 * @param unknownFields fields that this version does not know, by name
 */
@JsonInclude(JsonInclude.Include.NON_NULL)
public record WorkloadLimits(
        @JsonPropertyDescription("Evictions of a workload in flight at once, 0 to 1000. Default: absent, only the"
                + " operator's `limits` apply: 1 unless configured otherwise. Example: 1.")
        @Min(0)
        @Max(1000)
        @Nullable
        Integer maxConcurrentEvictions,

        @JsonPropertyDescription("Evictions of a workload within any hour: a number from 0 to 10000, or a percentage of"
                + " its pods, rounded down but at least one unless it is 0%. Default: absent, no such limit."
                + " Example: \"10%\".")
        @Nullable
        IntOrString maxEvictionsPerHour,

        @JsonAnySetter @JsonAnyGetter Map<String, Object> unknownFields) {

    public WorkloadLimits {
        unknownFields = unknownFields == null ? Map.of() : unknownFields;
    }
}
