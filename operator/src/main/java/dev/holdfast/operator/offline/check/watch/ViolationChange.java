package dev.holdfast.operator.offline.check.watch;

import com.fasterxml.jackson.annotation.JsonValue;
import dev.holdfast.operator.offline.check.CheckReport;

/**
 * A change of one violation, as {@code holdfast check --watch -o json} writes it. Published as {@code
 * docs/schemas/violation-change.json}: no field changes its meaning.
 *
 * @param time when the change was observed
 * @param why the change of the cluster or of a policy that led to this one, as far as it is known
 * @param violation the violation; of one that ended, as it was last seen
 */
public record ViolationChange(
        String apiVersion, String kind, Event event, String time, String why, CheckReport.Violation violation) {
    static final String KIND = "ViolationChange";

    /** What happens to a violation. */
    public enum Event {
        /** A pod violates a rule from now on. */
        BEGAN("Began"),
        /** The forgiveness of a policy that enforces the rule has passed. */
        DUE("Due"),
        /** The violation is over. */
        ENDED("Ended");

        private final String label;

        Event(String label) {
            this.label = label;
        }

        /** {@return the event as documents have it} */
        @JsonValue
        public String label() {
            return label;
        }
    }
}
