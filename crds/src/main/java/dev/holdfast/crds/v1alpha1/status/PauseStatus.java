package dev.holdfast.crds.v1alpha1.status;

import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import io.fabric8.generator.annotation.Size;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What the operator makes of one pause; {@code null} or empty until it did.
 *
 * @param observedGeneration generation of the spec this status speaks of
 * @param conditions one a type
 * @param untilTime when it ends or has ended, whole seconds; {@code null} where only its deletion ends it
 */
@JsonInclude(JsonInclude.Include.NON_EMPTY)
@JsonIgnoreProperties(ignoreUnknown = true)
public record PauseStatus(
        @JsonPropertyDescription("metadata.generation of the spec that this status speaks of. Example: 3.") @Nullable
        Long observedGeneration,

        @JsonPropertyDescription("Ready (the pause can be read; one that cannot pauses everything) and Active (it"
                + " applies now). Example: [{type: Active, status: \"True\", reason: Active}].")
        @Size(max = 8)
        List<PolicyCondition> conditions,

        @JsonPropertyDescription("While the pause applies, until when; when it has expired, since when. Absent where"
                + " only its deletion ends it, and outside its windows. Example: 2026-12-31T00:00:00Z.")
        @Nullable
        Instant untilTime) {
    public PauseStatus {
        conditions = conditions == null ? List.of() : List.copyOf(conditions);
    }
}
