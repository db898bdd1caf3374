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
import java.util.Map;

/**
 * A time that comes again and again in which the policy may evict, or may not.
 *
 * @param action what an open window does
 * @param schedule when it opens, as a CronJob writes it
 * @param durationSeconds how long it stays open
 * @param timeZone whose clocks the schedule goes by
 * @param unknownFields fields this version does not know, by name
 */
@JsonInclude(JsonInclude.Include.NON_NULL)
public record PolicyWindow(
        @Required
        @JsonPropertyDescription("What the window does while it is open: Deny holds every eviction of the policy; with"
                + " any Allow in the list, evictions are held whenever none is open. Deny beats Allow. Required."
                + " Example: Deny.")
        WindowAction action,

        @Required
        @JsonPropertyDescription("When the window opens: minute, hour, day of month, month and day of week, as in a"
            + " CronJob; with @hourly, @daily, @weekly, @monthly and @yearly. In a night in which clocks go forward,"
            + " what would open in the hour left out opens right after it; where they go back, what has an hour of its"
            + " own opens once. Required. Example: 0 8 * * 1-5.")
        @Size(min = 1, max = 100)
        String schedule,

        @Required
        @JsonPropertyDescription("How long the window stays open each time: 60 to 604800 seconds (a week). Required."
                + " Example: 36000.")
        @Min(60)
        @Max(604_800)
        Integer durationSeconds,

        @JsonPropertyDescription(
                "Time zone of the schedule, by its IANA name. Default: Etc/UTC. Example: Europe/Zurich.")
        @Default("Etc/UTC")
        @Size(min = 1, max = 64)
        String timeZone,

        @JsonAnySetter @JsonAnyGetter Map<String, Object> unknownFields) {
    /** The zone of a schedule that names none. */
    public static final String UTC = "Etc/UTC";

    public PolicyWindow {
        action = action == null ? WindowAction.UNRECOGNIZED : action;
        schedule = schedule == null ? "" : schedule;
        durationSeconds = durationSeconds == null ? 0 : durationSeconds;
        timeZone = timeZone == null ? UTC : timeZone;
        unknownFields = unknownFields == null ? Map.of() : unknownFields;
    }
}
