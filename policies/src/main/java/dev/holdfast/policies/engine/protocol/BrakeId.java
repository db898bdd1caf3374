package dev.holdfast.policies.engine.protocol;

import dev.holdfast.policies.model.DisruptionAnnotations;
import java.time.Instant;

/**
 * The printable ids of breaker openings and backlogs. With an id, users acknowledge exactly this opening or backlog. An
 * id ends with the time.
 */
public final class BrakeId {
    private BrakeId() {}

    /**
     * {@return a new id for the opening of a breaker or for a backlog, for example {@code disk@mcu8s1k0}} The id ends
     * with the time, so only ids of the same millisecond could be equal.
     *
     * @param what what the id starts with, for example a label key
     */
    public static String of(String what, Instant now) {
        return what + "@" + Long.toString(now.toEpochMilli(), Character.MAX_RADIX);
    }

    /** {@return when the breaker or backlog with this id was opened; the distant past if the id has no time} */
    public static Instant openedAt(String id) {
        try {
            return Instant.ofEpochMilli(Long.parseLong(id.substring(id.lastIndexOf('@') + 1), Character.MAX_RADIX));
        } catch (NumberFormatException _) {
            return Instant.EPOCH;
        }
    }

    /** {@return the kubectl command with which users acknowledge an opening} */
    public static String acknowledging(String id, BreakerSettings settings) {
        return "kubectl annotate namespace " + settings.namespace() + " --overwrite "
                + DisruptionAnnotations.ACKNOWLEDGE + "=" + id;
    }
}
