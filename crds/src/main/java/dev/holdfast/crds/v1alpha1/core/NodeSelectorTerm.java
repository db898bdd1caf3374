package dev.holdfast.crds.v1alpha1.core;

import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import io.fabric8.generator.annotation.Size;
import java.util.List;

/**
 * A node selector term: expressions over one node that must all hold. A term without any expression matches no node.
 *
 * @param matchExpressions expressions over the labels of the node; may be empty
 * @param matchFields expressions over the name of the node; may be empty
 */
@JsonIgnoreProperties(ignoreUnknown = true)
@JsonInclude(JsonInclude.Include.NON_EMPTY)
public record NodeSelectorTerm(
        @JsonPropertyDescription("Expressions over the labels of the node that must all hold."
                + " Default: none. Example: [{key: disk, operator: In, values: [ssd]}].")
        @Size(max = 10)
        List<NodeSelectorRequirement> matchExpressions,

        @JsonPropertyDescription("Expressions over the name of the node that must all hold."
                + " Default: none. Example: [{key: metadata.name, operator: NotIn, values: [node-12]}].")
        @Size(max = 10)
        List<NodeFieldRequirement> matchFields) {

    public NodeSelectorTerm {
        matchExpressions = matchExpressions == null ? List.of() : List.copyOf(matchExpressions);
        matchFields = matchFields == null ? List.of() : List.copyOf(matchFields);
    }
}
