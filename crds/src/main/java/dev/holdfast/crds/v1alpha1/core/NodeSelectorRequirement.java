package dev.holdfast.crds.v1alpha1.core;

import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import io.fabric8.generator.annotation.Pattern;
import io.fabric8.generator.annotation.Required;
import io.fabric8.generator.annotation.Size;
import io.fabric8.generator.annotation.ValidationRule;
import java.util.List;

/**
 * One expression over a label of a node.
 *
 * @param key the label key, never empty in an admitted object
 * @param operator how the label is compared
 * @param values at least one for {@code In} and {@code NotIn}, exactly one whole number for {@code Gt} and {@code Lt},
 *     none for {@code Exists} and {@code DoesNotExist}
 */
@JsonIgnoreProperties(ignoreUnknown = true)
@JsonInclude(JsonInclude.Include.NON_EMPTY)
@ValidationRule(
        value = "!(self.operator in ['In', 'NotIn']) || (has(self.values) && size(self.values) > 0)",
        fieldPath = ".values",
        message = "must have at least one value when `operator` is 'In' or 'NotIn'")
@ValidationRule(
        value = "!(self.operator in ['Exists', 'DoesNotExist']) || !has(self.values) || size(self.values) == 0",
        fieldPath = ".values",
        message = "must be left out when `operator` is 'Exists' or 'DoesNotExist'")
@ValidationRule(
        value = "!(self.operator in ['Gt', 'Lt']) || (has(self.values) && size(self.values) == 1"
                + " && self.values[0].matches('^[0-9]{1,18}$'))",
        fieldPath = ".values",
        message = "must have exactly one whole number, of at most 18 digits and without a sign, when `operator` is 'Gt'"
                + " or 'Lt'")
public record NodeSelectorRequirement(
        @Required
        @JsonPropertyDescription("Key of the node label to compare. Required. Example: disk.")
        @Size(max = LabelSyntax.MAX_KEY)
        @ValidationRule(value = LabelSyntax.KEY, message = LabelSyntax.KEY_MESSAGE)
        String key,

        @Required
        @JsonPropertyDescription("How the label is compared: In (present with one of `values`), NotIn (absent, or"
                + " with none of `values`), Exists, DoesNotExist, Gt or Lt (a whole number above or below the"
                + " value). Required. Example: In.")
        NodeOperator operator,

        @JsonPropertyDescription(
                "Values to compare with: at least one for In and NotIn, exactly one whole number for Gt"
                        + " and Lt, none for Exists and DoesNotExist. Default: none. Example: [ssd, nvme].")
        @Size(max = 50)
        List<@Pattern(LabelSyntax.VALUE) @Size(max = LabelSyntax.MAX_VALUE) String> values) {

    public NodeSelectorRequirement {
        key = key == null ? "" : key;
        operator = operator == null ? NodeOperator.UNRECOGNIZED : operator;
        values = values == null ? List.of() : List.copyOf(values);
    }
}
