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
        @JsonPropertyDescription("Pods that this policy holds to their rules. Example: 120.")
        @Min(0)
        @Max(Integer.MAX_VALUE)
        int selected,

        @Required
        @JsonPropertyDescription("Of the selected pods, those with a broken rule. Example: 3.")
        @Min(0)
        @Max(Integer.MAX_VALUE)
        int violating,

        @Required
        @JsonPropertyDescription("Of the violating pods, those whose forgiveness has passed. Example: 2.")
        @Min(0)
        @Max(Integer.MAX_VALUE)
        int due,

        @Required
        @JsonPropertyDescription("Of the due pods, those held now; `holds` says why. Example: 1.")
        @Min(0)
        @Max(Integer.MAX_VALUE)
        int held) {}
