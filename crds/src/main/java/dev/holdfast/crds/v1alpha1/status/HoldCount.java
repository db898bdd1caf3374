package dev.holdfast.crds.v1alpha1.status;

import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import io.fabric8.generator.annotation.Max;
import io.fabric8.generator.annotation.Min;
import io.fabric8.generator.annotation.Required;
import io.fabric8.generator.annotation.Size;

/**
 * How many of a policy's due violations are held for one reason.
 *
 * @param reason the reason of the hold in CamelCase, such as {@code DisruptionBudget}
 * @param count number of violations, at least 1
 */
@JsonIgnoreProperties(ignoreUnknown = true)
public record HoldCount(
        @Required
        @JsonPropertyDescription("Why these violations are held, from the table of reasons. Example: DisruptionBudget.")
        @Size(max = 63)
        String reason,

        @Required
        @JsonPropertyDescription("Number of violations held for this reason. Example: 1.")
        @Min(0)
        @Max(Integer.MAX_VALUE)
        int count) {}
