package dev.holdfast.crds.v1alpha1.status;

import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import io.fabric8.generator.annotation.Max;
import io.fabric8.generator.annotation.Min;
import io.fabric8.generator.annotation.Required;

/**
 * Numbers of pods in the status of a policy: selected, violating, due, and held back from eviction. A pod with several
 * broken rules counts once.
 *
 * @param selected pods whose rules the policy watches
 * @param violating selected pods with a broken rule
 * @param due violating pods with a rule that has been broken for at least the forgiveness
 * @param held due pods that are not evicted now, for a reason such as {@code DisruptionBudget}
 */
@JsonIgnoreProperties(ignoreUnknown = true)
public record PodCounts(
        @Required
        @JsonPropertyDescription("Number of pods that this policy selects. Example: 120.")
        @Min(0)
        @Max(Integer.MAX_VALUE)
        int selected,

        @Required
        @JsonPropertyDescription("Number of selected pods with a broken rule. Example: 3.")
        @Min(0)
        @Max(Integer.MAX_VALUE)
        int violating,

        @Required
        @JsonPropertyDescription("Number of violating pods whose forgiveness has passed. Example: 2.")
        @Min(0)
        @Max(Integer.MAX_VALUE)
        int due,

        @Required
        @JsonPropertyDescription("Number of due pods that are held now; `holds` has the reasons. Example: 1.")
        @Min(0)
        @Max(Integer.MAX_VALUE)
        int held) {}
