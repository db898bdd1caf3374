package dev.holdfast.crds.v1alpha1;

import com.fasterxml.jackson.annotation.JsonAnyGetter;
import com.fasterxml.jackson.annotation.JsonAnySetter;
import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import dev.holdfast.crds.v1alpha1.core.LabelSelector;
import io.fabric8.generator.annotation.Required;
import io.fabric8.generator.annotation.Size;
import io.fabric8.generator.annotation.ValidationRule;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Pods that the policy does not evict for a while. Their violations are still reported, as held.
 *
 * @param name name of the exception, unique in the policy
 * @param podSelector the excepted pods; empty means all; never {@code null} in an admitted object
 * @param expirationTime when the exception ends, in RFC 3339; {@code null} means never
 * @param reason why these pods are excepted
 * @param unknownFields fields that this version does not know, by name
 */
@JsonInclude(JsonInclude.Include.NON_NULL)
@ValidationRule(
        value = PolicyText.REASON_SAYS_SOMETHING,
        fieldPath = ".reason",
        message = PolicyText.REASON_SAYS_SOMETHING_MESSAGE)
public record PolicyException(
        @Required
        @JsonPropertyDescription(PolicyText.EXCEPTION_NAME)
        @Size(max = 63)
        @ValidationRule(value = PolicyText.IS_NAME, message = PolicyText.IS_NAME_MESSAGE)
        String name,

        @Required
        @JsonPropertyDescription("Labels of the pods that this policy does not evict; {} means all. Required."
                + " Example: {matchLabels: {app: web, role: primary}}.")
        @Nullable
        LabelSelector podSelector,

        @JsonPropertyDescription("When the exception ends, in RFC 3339. Default: absent, it never ends. Example:"
                + " \"2026-12-31T00:00:00Z\".")
        @Nullable
        String expirationTime,

        @Required
        @JsonPropertyDescription("The reason, which each hold's message shows; 1 to 256 characters. Required."
                + " Example: failover planned.")
        @Size(min = 1, max = 256)
        String reason,

        @JsonAnySetter @JsonAnyGetter Map<String, Object> unknownFields) {

    public PolicyException {
        name = name == null ? "" : name;
        reason = reason == null ? "" : reason;
        unknownFields = unknownFields == null ? Map.of() : unknownFields;
    }
}
