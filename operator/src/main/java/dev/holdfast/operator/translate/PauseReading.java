package dev.holdfast.operator.translate;

import dev.holdfast.policies.plan.conduct.Pause;
import java.util.List;

/**
 * The result of reading an EnforcementPause.
 *
 * @param pause the pause; an invalid one pauses all evictions, since its intended scope is unknown
 * @param problems the errors in the order of the fields; empty if the pause is valid
 */
public record PauseReading(Pause pause, List<SpecProblem> problems) {
    public PauseReading {
        problems = List.copyOf(problems);
    }
}
