package dev.holdfast.crds.v1alpha1;

import com.fasterxml.jackson.annotation.JsonAnyGetter;
import com.fasterxml.jackson.annotation.JsonAnySetter;
import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import dev.holdfast.crds.v1alpha1.core.LabelSelector;
import io.fabric8.generator.annotation.Required;
import io.fabric8.generator.annotation.Size;
import io.fabric8.generator.annotation.ValidationRule;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What an EnforcementPause asks for.
 *
 * @param reason why; never empty in an admitted object
 * @param namespaceSelector whose pods stay; {@code null} and empty are all namespaces
 * @param windows when it applies; none is always
 * @param expirationTime when it ends, in RFC 3339, or {@code null} for when it is deleted
 * @param unknownFields fields this version does not know, by name
 */
@JsonInclude(JsonInclude.Include.NON_NULL)
@ValidationRule(
        value = PolicyText.REASON_SAYS_SOMETHING,
        fieldPath = ".reason",
        message = PolicyText.REASON_SAYS_SOMETHING_MESSAGE)
public record EnforcementPauseSpec(
        @Required
        @JsonPropertyDescription("Why nothing is to be moved, and whom to ask, for those who read the hold; 1 to 256"
                + " characters. Required. Example: quarter end; ask team billing.")
        @Size(min = 1, max = 256)
        String reason,

        @JsonPropertyDescription("Labels of the namespaces whose pods stay where they are; {} means all. Default:"
                + " absent, all namespaces. Example: {matchLabels: {team: billing}}.")
        @Nullable
        LabelSelector namespaceSelector,

        @JsonPropertyDescription("When the pause applies: while any of its windows is open. Default: none, which is"
                + " always. Example: [{schedule: \"0 8 * * 1-5\", durationSeconds: 36000, timeZone: Europe/Zurich}].")
        @JsonInclude(JsonInclude.Include.NON_EMPTY)
        @Size(max = 20)
        List<PauseWindow> windows,

        @JsonPropertyDescription("When the pause ends by itself, in RFC 3339. Default: absent, when it is deleted."
                + " Example: \"2026-12-31T00:00:00Z\".")
        @Nullable
        String expirationTime,

        @JsonAnySetter @JsonAnyGetter Map<String, Object> unknownFields) {
    public EnforcementPauseSpec {
        reason = reason == null ? "" : reason;
        windows = windows == null ? List.of() : List.copyOf(windows);
        unknownFields = unknownFields == null ? Map.of() : unknownFields;
    }
}
