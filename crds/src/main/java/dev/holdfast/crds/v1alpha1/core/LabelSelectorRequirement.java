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
 * One expression of a label selector.
 *
 * @param key the label key, never empty in an admitted object
 * @param operator how the label is compared
 * @param values at least one for {@code In} and {@code NotIn}, none for {@code Exists} and
 *     {@code DoesNotExist}
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
public record LabelSelectorRequirement(
        @Required
        @JsonPropertyDescription("Key of the label to compare. Required. Example: app.")
        @Size(max = LabelSyntax.MAX_KEY)
        @ValidationRule(value = LabelSyntax.KEY, message = LabelSyntax.KEY_MESSAGE)
        String key,

        @Required
        @JsonPropertyDescription("How the label is compared: In (present with one of `values`), NotIn (absent, or"
                + " with none of `values`), Exists or DoesNotExist. Required. Example: In.")
        LabelOperator operator,

        @JsonPropertyDescription("Values to compare with: at least one for In and NotIn, none for Exists and"
                + " DoesNotExist. Default: none. Example: [frontend, backend].")
        @Size(max = 50)
        List<@Pattern(LabelSyntax.VALUE) @Size(max = LabelSyntax.MAX_VALUE) String> values) {

    public LabelSelectorRequirement {
        key = key == null ? "" : key;
        operator = operator == null ? LabelOperator.UNRECOGNIZED : operator;
        values = values == null ? List.of() : List.copyOf(values);
    }
}
