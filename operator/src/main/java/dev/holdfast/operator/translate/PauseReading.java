package dev.holdfast.operator.translate;

import dev.holdfast.policies.plan.controls.Pause;
import java.util.List;

/**
 * An EnforcementPause as the engine gets it, with the errors in its spec.
 *
 * @param pause the pause; if its spec is invalid, a pause of all evictions in all namespaces
 * @param problems the errors, first the invalid fields, then the unknown ones; empty if the pause is valid
 */
public record PauseReading(Pause pause, List<SpecProblem> problems) {
    public PauseReading {
        problems = List.copyOf(problems);
    }
}
