package dev.holdfast.operator.translate;

import dev.holdfast.policies.plan.conduct.DisruptionControls;
import dev.holdfast.policies.rule.Policy;
import java.util.List;
import java.util.Optional;

/** The result of reading a policy. */
public sealed interface Translation {
    /** {@return the policy that the engine gets; empty if the spec was refused} */
    default Optional<Valid> valid() {
        return this instanceof Valid valid ? Optional.of(valid) : Optional.empty();
    }

    /** A translation that the engine can use. */
    sealed interface Valid extends Translation {
        /** {@return the policy in force from now on} */
        Policy policy();

        /** {@return the policy's disruption controls} */
        DisruptionControls disruptionControls();
    }

    /**
     * A policy that this version understands fully.
     *
     * @param disruptionControls the policy's disruption controls
     */
    record Understood(Policy policy, DisruptionControls disruptionControls) implements Valid {}

    /**
     * A policy with fields or values that this version does not know. They may narrow what is evicted, so the known
     * part is only audited.
     *
     * @param policy the known part, with modes of at most AUDIT
     * @param unknown never empty, in the order of the fields
     */
    record InPart(Policy policy, DisruptionControls disruptionControls, List<SpecProblem> unknown) implements Valid {
        public InPart {
            unknown = List.copyOf(unknown);
        }
    }

    /**
     * An invalid policy.
     *
     * @param problems all of them, never empty, in the order of the fields
     */
    record Refused(List<SpecProblem> problems) implements Translation {
        public Refused {
            problems = List.copyOf(problems);
        }
    }
}
