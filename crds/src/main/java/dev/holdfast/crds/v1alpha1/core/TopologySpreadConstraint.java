package dev.holdfast.crds.v1alpha1.core;

import com.fasterxml.jackson.annotation.JsonAnyGetter;
import com.fasterxml.jackson.annotation.JsonAnySetter;
import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import io.fabric8.generator.annotation.Max;
import io.fabric8.generator.annotation.Min;
import io.fabric8.generator.annotation.Required;
import io.fabric8.generator.annotation.Size;
import io.fabric8.generator.annotation.ValidationRule;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A topology spread constraint: how evenly pods must be spread over domains.
 *
 * @param maxSkew number of pods by which a domain may exceed the domain with the fewest; at least 1 in an admitted
 *     object
 * @param topologyKey key of the node label whose value names the domain
 * @param whenUnsatisfiable {@code DO_NOT_SCHEDULE} in an admitted object
 * @param labelSelector labels of the pods that are counted; {@code null} and empty count no pod
 * @param minDomains number of domains that must exist; while there are fewer, the domain with the fewest pods counts as
 *     empty; {@code null} means 1
 * @param nodeAffinityPolicy whether to count nodes that the pod's node affinity rules out; {@code null} means
 *     {@code HONOR}: they do not count
 * @param nodeTaintsPolicy whether to count nodes with taints that the pod does not tolerate; {@code null} means
 *     {@code IGNORE}: they count
 * @param matchLabelKeys keys of pod labels; a pod counts only if it has the rule owner's current value for each of them
 * @param unknownFields fields that this version does not know, by name; a rule that has any must not be enforced
 */
@JsonInclude(JsonInclude.Include.NON_NULL)
@ValidationRule(
        value = "!has(self.matchLabelKeys) || size(self.matchLabelKeys) == 0 || has(self.labelSelector)",
        fieldPath = ".matchLabelKeys",
        message = "needs `labelSelector`, if only as {}")
@ValidationRule(
        value = MatchLabelKeys.NOT_IN_SELECTOR,
        fieldPath = ".matchLabelKeys",
        message = MatchLabelKeys.NOT_IN_SELECTOR_MESSAGE)
public record TopologySpreadConstraint(
        @Required
        @JsonPropertyDescription("Number of pods by which a domain may exceed the domain with the fewest."
                + " Required, at least 1. Example: 1.")
        @Min(1)
        @Max(1_000_000)
        int maxSkew,

        @Required
        @JsonPropertyDescription("Key of the node label whose value names the domain: nodes with the same value"
                + " are one domain. Required. Example: topology.kubernetes.io/zone.")
        @Size(max = LabelSyntax.MAX_KEY)
        @ValidationRule(value = LabelSyntax.KEY, message = LabelSyntax.KEY_MESSAGE)
        String topologyKey,

        @Required
        @JsonPropertyDescription("Must be DoNotSchedule: rules of a policy are required rules, but a constraint with"
                + " ScheduleAnyway is only preferred. Required. Example: DoNotSchedule.")
        UnsatisfiableAction whenUnsatisfiable,

        @JsonPropertyDescription("Labels of the pods that are counted, in the namespace of the pod that owns the rule."
                + " Absent and {} count none, so that the rule always holds. Default: absent."
                + " Example: {matchLabels: {app: web}}.")
        @Nullable
        LabelSelector labelSelector,

        @JsonPropertyDescription(
                "Number of domains that must exist. While there are fewer, the domain with the fewest pods"
                        + " counts as empty. Default: absent, which means 1. Example: 3.")
        @Min(1)
        @Max(1_000_000)
        @Nullable
        Integer minDomains,

        @JsonPropertyDescription("Whether nodes that the pod's own nodeSelector and node affinity rule out count: Honor"
                + " (they do not) or Ignore (they do). Default: absent, which means Honor. Example: Ignore.")
        @Nullable
        NodeInclusionPolicy nodeAffinityPolicy,

        @JsonPropertyDescription(
                "Whether nodes with taints that the pod does not tolerate count: Honor (they do not) or"
                        + " Ignore (they do). Default: absent, which means Ignore. Example: Honor.")
        @Nullable
        NodeInclusionPolicy nodeTaintsPolicy,

        @JsonPropertyDescription("Keys of pod labels: only pods with the same value as the pod that owns the rule are"
                + " counted. Keys that this pod does not have are ignored. Default: none."
                + " Example: [pod-template-hash].")
        @JsonInclude(JsonInclude.Include.NON_EMPTY)
        @Size(max = 10)
        @ValidationRule(value = LabelSyntax.KEYS, message = LabelSyntax.KEYS_MESSAGE)
        List<@Size(max = LabelSyntax.MAX_KEY) String> matchLabelKeys,

        @JsonAnySetter @JsonAnyGetter Map<String, Object> unknownFields) {

    public TopologySpreadConstraint {
        topologyKey = topologyKey == null ? "" : topologyKey;
        whenUnsatisfiable = whenUnsatisfiable == null ? UnsatisfiableAction.UNRECOGNIZED : whenUnsatisfiable;
        matchLabelKeys = matchLabelKeys == null ? List.of() : List.copyOf(matchLabelKeys);
        unknownFields = unknownFields == null ? Map.of() : unknownFields;
    }
}
