package dev.holdfast.crds.v1alpha1;

import com.fasterxml.jackson.annotation.JsonAnyGetter;
import com.fasterxml.jackson.annotation.JsonAnySetter;
import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import dev.holdfast.crds.v1alpha1.choice.WindowAction;
import io.fabric8.generator.annotation.Default;
import io.fabric8.generator.annotation.Max;
import io.fabric8.generator.annotation.Min;
import io.fabric8.generator.annotation.Required;
import io.fabric8.generator.annotation.Size;
import io.fabric8.generator.annotation.ValidationRule;
import java.util.Map;

/**
 * A recurring time in which a policy may evict, or must not evict.
 *
 * @param name name of the window, unique in the policy
 * @param action whether the policy may evict while the window is open
 * @param schedule when the window opens, in the syntax of a CronJob
 * @param durationSeconds seconds that the window stays open each time
 * @param timeZone IANA name of the time zone of the schedule, such as {@code Etc/UTC}
 * @param unknownFields fields that this version does not know, by name
 */
@JsonInclude(JsonInclude.Include.NON_NULL)
public record PolicyWindow(
        @Required
        @JsonPropertyDescription(PolicyText.WINDOW_NAME)
        @Size(max = 63)
        @ValidationRule(value = PolicyText.IS_NAME, message = PolicyText.IS_NAME_MESSAGE)
        String name,

        @Required
        @JsonPropertyDescription("What the window does while it is open: Deny holds every eviction of the policy. If"
                + " the list has any Allow, evictions are held while no Allow is open. Deny beats Allow. Required."
                + " Example: Deny.")
        WindowAction action,

        @Required
        @JsonPropertyDescription(PolicyText.WINDOW_SCHEDULE)
        @Size(min = 1, max = 100)
        @ValidationRule(value = ScheduleText.IS_SCHEDULE, message = ScheduleText.IS_SCHEDULE_MESSAGE)
        String schedule,

        @Required @JsonPropertyDescription(PolicyText.WINDOW_DURATION) @Min(60) @Max(604_800)
        Integer durationSeconds,

        @JsonPropertyDescription(PolicyText.WINDOW_TIME_ZONE)
        @Default("Etc/UTC")
        @Size(min = 1, max = 64)
        @ValidationRule(value = ScheduleText.IS_TIME_ZONE, message = ScheduleText.IS_TIME_ZONE_MESSAGE)
        String timeZone,

        @JsonAnySetter @JsonAnyGetter Map<String, Object> unknownFields) {
    /** The value of {@code timeZone} if the YAML has none. */
    public static final String UTC = "Etc/UTC";

    public PolicyWindow {
        name = name == null ? "" : name;
        action = action == null ? WindowAction.UNRECOGNIZED : action;
        schedule = schedule == null ? "" : schedule;
        durationSeconds = durationSeconds == null ? 0 : durationSeconds;
        timeZone = timeZone == null ? UTC : timeZone;
        unknownFields = unknownFields == null ? Map.of() : unknownFields;
    }
}
