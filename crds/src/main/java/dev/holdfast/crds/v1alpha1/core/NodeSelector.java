package dev.holdfast.crds.v1alpha1.core;

import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import io.fabric8.generator.annotation.Required;
import io.fabric8.generator.annotation.Size;
import io.fabric8.generator.annotation.ValidationRule;
import java.util.List;

/**
 * A node selector: a node matches if it matches at least one of the terms.
 *
 * @param nodeSelectorTerms terms in the order of the YAML; a term without expressions and fields matches no node
 */
@JsonIgnoreProperties(ignoreUnknown = true)
public record NodeSelector(
        @Required
        @JsonPropertyDescription("Terms of which at least one must match the node. A term without expressions and"
                + " fields matches no node. Required. Example:"
                + " [{matchExpressions: [{key: disk, operator: In, values: [ssd]}]}].")
        @Size(min = 1, max = 10)
        @ValidationRule(
                value = "self.exists(t, has(t.matchExpressions) && size(t.matchExpressions) > 0"
                        + " || has(t.matchFields) && size(t.matchFields) > 0)",
                message = "at least one term must have `matchExpressions` or `matchFields`: a term without them"
                        + " matches no node")
        List<NodeSelectorTerm> nodeSelectorTerms) {

    public NodeSelector {
        nodeSelectorTerms = nodeSelectorTerms == null ? List.of() : List.copyOf(nodeSelectorTerms);
    }
}
