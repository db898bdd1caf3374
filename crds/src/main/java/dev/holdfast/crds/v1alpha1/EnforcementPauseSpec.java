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
 * The spec of an EnforcementPause: in which namespaces it stops evictions, when and why.
 *
 * @param reason why evictions are stopped; never empty in an admitted object
 * @param namespaceSelector namespaces whose pods are not evicted; {@code null} and empty both mean all
 * @param windows times in which the pause applies; empty means always
 * @param expirationTime when the pause ends, in RFC 3339; {@code null} if only its deletion ends it
 * @param unknownFields fields that this version does not know, by name
 */
@JsonInclude(JsonInclude.Include.NON_NULL)
@ValidationRule(
        value = PolicyText.REASON_SAYS_SOMETHING,
        fieldPath = ".reason",
        message = PolicyText.REASON_SAYS_SOMETHING_MESSAGE)
public record EnforcementPauseSpec(
        @Required
        @JsonPropertyDescription("Why evictions are stopped and whom to ask; each hold's message"
                + " shows it; 1 to 256"
                + " characters. Required. Example: quarter end; ask team billing.")
        @Size(min = 1, max = 256)
        String reason,

        @JsonPropertyDescription("Labels of the namespaces whose pods are not evicted; {} means all. Default:"
                + " absent, which means all namespaces. Example: {matchLabels: {team: billing}}.")
        @Nullable
        LabelSelector namespaceSelector,

        @JsonPropertyDescription("When the pause applies: while any of its windows is open. Default: none, which"
                + " means always. Example: [{name: office-hours, schedule: \"0 8 * * 1-5\", durationSeconds: 36000,"
                + " timeZone: Europe/Zurich}].")
        @JsonInclude(JsonInclude.Include.NON_EMPTY)
        @Size(max = 20)
        List<PauseWindow> windows,

        @JsonPropertyDescription("When the pause ends by itself, in RFC 3339. Default: absent, only its deletion ends"
                + " it. Example: \"2026-12-31T00:00:00Z\".")
        @Nullable
        String expirationTime,

        @JsonAnySetter @JsonAnyGetter Map<String, Object> unknownFields) {
    public EnforcementPauseSpec {
        reason = reason == null ? "" : reason;
        windows = windows == null ? List.of() : List.copyOf(windows);
        unknownFields = unknownFields == null ? Map.of() : unknownFields;
    }
}
