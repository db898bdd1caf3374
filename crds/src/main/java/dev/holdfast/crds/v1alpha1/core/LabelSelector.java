package dev.holdfast.crds.v1alpha1.core;

import com.fasterxml.jackson.annotation.JsonIgnore;
import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import io.fabric8.generator.annotation.Pattern;
import io.fabric8.generator.annotation.Size;
import io.fabric8.generator.annotation.ValidationRule;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * A label selector; an empty selector matches everything.
 *
 * <p>An absent selector is {@code null} and differs from the empty one. In a pod affinity term or spread constraint, an
 * absent {@code labelSelector} matches no pod. In a pod affinity term, an absent {@code namespaceSelector} adds no
 * namespace to {@code namespaces}; if both are absent, the term is about the rule owner's namespace.
 *
 * @param matchLabels label keys and their exact values, in the order of the YAML; all must match
 * @param matchExpressions expressions over labels; all must match, in addition to {@code matchLabels}
 */
@JsonIgnoreProperties(ignoreUnknown = true)
@JsonInclude(JsonInclude.Include.NON_EMPTY)
public record LabelSelector(
        @JsonPropertyDescription("Labels that must all be present with exactly these values."
                + " Default: none. Example: {app: web, tier: frontend}.")
        @Size(max = 20)
        @ValidationRule(value = LabelSyntax.KEYS, message = LabelSyntax.KEYS_MESSAGE)
        Map<String, @Pattern(LabelSyntax.VALUE) @Size(max = LabelSyntax.MAX_VALUE) String> matchLabels,

        @JsonPropertyDescription("Expressions over labels that must all hold, in addition to `matchLabels`."
                + " Default: none. Example: [{key: tier, operator: In, values: [frontend, backend]}].")
        @Size(max = 10)
        List<LabelSelectorRequirement> matchExpressions) {

    public LabelSelector {
        matchLabels = matchLabels == null ? Map.of() : Collections.unmodifiableMap(new LinkedHashMap<>(matchLabels));
        matchExpressions = matchExpressions == null ? List.of() : List.copyOf(matchExpressions);
    }

    /** {@return whether this is {@code {}}, which matches everything} */
    @JsonIgnore
    public boolean isEmpty() {
        return matchLabels.isEmpty() && matchExpressions.isEmpty();
    }
}
