package dev.holdfast.crds.v1alpha1.core;

import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import io.fabric8.generator.annotation.Required;
import io.fabric8.generator.annotation.Size;
import io.fabric8.generator.annotation.ValidationRule;
import java.util.List;

/**
 * One {@code matchFields} expression over a node. The name of the node is the only field that Kubernetes supports.
 *
 * @param key {@code metadata.name} in an admitted object
 * @param operator how the name of the node is compared with the value
 * @param values exactly one node name in an admitted object
 */
@JsonIgnoreProperties(ignoreUnknown = true)
public record NodeFieldRequirement(
        @Required
        @JsonPropertyDescription(
                "Field to compare: only metadata.name, the name of the node." + " Required. Example: metadata.name.")
        @Size(max = 63)
        @ValidationRule(value = "self == 'metadata.name'", message = "must be 'metadata.name'")
        String key,

        @Required
        @JsonPropertyDescription("How the name is compared: In (it is the value) or NotIn (it is another)."
                + " Required. Example: NotIn.")
        NodeFieldOperator operator,

        @Required
        @JsonPropertyDescription("Exactly one node name. Required. Example: [node-12].")
        @Size(max = 50)
        @ValidationRule(
                value = "size(self) == 1",
                message = "must have exactly one node name; give each further node a term of its own")
        @ValidationRule(
                value = "size(self) != 1 || !format.dns1123Subdomain().validate(self[0]).hasValue()",
                message = "must be the name of a node: lower-case letters, digits, '-' or '.', beginning and ending"
                        + " with a letter or digit")
        List<@Size(max = 253) String> values) {

    public NodeFieldRequirement {
        key = key == null ? "" : key;
        operator = operator == null ? NodeFieldOperator.UNRECOGNIZED : operator;
        values = values == null ? List.of() : List.copyOf(values);
    }
}
