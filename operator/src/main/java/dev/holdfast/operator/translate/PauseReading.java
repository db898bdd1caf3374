package dev.holdfast.operator.translate;

import dev.holdfast.policies.plan.conduct.Pause;
import java.util.List;

/**
 * What came of reading an EnforcementPause.
 *
 * @param pause as it is meant; of everything where it cannot be read, since nobody knows what it was to keep in place
 * @param problems why it cannot be read, in the order of the fields; empty when it can
 */
public record PauseReading(Pause pause, List<SpecProblem> problems) {
    public PauseReading {
        problems = List.copyOf(problems);
    }
}
