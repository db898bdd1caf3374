package dev.holdfast.crds.v1alpha1;

import com.fasterxml.jackson.annotation.JsonAnyGetter;
import com.fasterxml.jackson.annotation.JsonAnySetter;
import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import io.fabric8.generator.annotation.Default;
import io.fabric8.generator.annotation.Max;
import io.fabric8.generator.annotation.Min;
import io.fabric8.generator.annotation.Required;
import io.fabric8.generator.annotation.Size;
import io.fabric8.generator.annotation.ValidationRule;
import java.util.Map;

/**
 * A recurring time in which a pause applies. A pause window has no action, unlike a {@link PolicyWindow}, because an
 * open window of a pause always stops evictions.
 *
 * @param name name of the window, unique in the pause
 * @param schedule when the window opens, in the syntax of a CronJob
 * @param durationSeconds seconds that the window stays open each time
 * @param timeZone IANA name of the time zone of the schedule, such as {@code Etc/UTC}
 * @param unknownFields fields that this version does not know, by name
 */
@JsonInclude(JsonInclude.Include.NON_NULL)
public record PauseWindow(
        @Required
        @JsonPropertyDescription(PolicyText.WINDOW_NAME)
        @Size(max = 63)
        @ValidationRule(value = PolicyText.IS_NAME, message = PolicyText.IS_NAME_MESSAGE)
        String name,

        @Required
        @JsonPropertyDescription(PolicyText.WINDOW_SCHEDULE)
        @Size(min = 1, max = 100)
        @ValidationRule(value = ScheduleText.IS_SCHEDULE, message = ScheduleText.IS_SCHEDULE_MESSAGE)
        String schedule,

        @Required @JsonPropertyDescription(PolicyText.WINDOW_DURATION) @Min(60) @Max(604_800)
        Integer durationSeconds,

        @JsonPropertyDescription(PolicyText.WINDOW_TIME_ZONE)
        @Default(PolicyWindow.UTC)
        @Size(min = 1, max = 64)
        @ValidationRule(value = ScheduleText.IS_TIME_ZONE, message = ScheduleText.IS_TIME_ZONE_MESSAGE)
        String timeZone,

        @JsonAnySetter @JsonAnyGetter Map<String, Object> unknownFields) {
    public PauseWindow {
        name = name == null ? "" : name;
        schedule = schedule == null ? "" : schedule;
        durationSeconds = durationSeconds == null ? 0 : durationSeconds;
        timeZone = timeZone == null ? PolicyWindow.UTC : timeZone;
        unknownFields = unknownFields == null ? Map.of() : unknownFields;
    }
}
