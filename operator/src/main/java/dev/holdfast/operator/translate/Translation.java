package dev.holdfast.operator.translate;

import dev.holdfast.policies.plan.conduct.DisruptionControls;
import dev.holdfast.policies.rule.Policy;
import java.util.List;
import java.util.Optional;

/** What came of reading a policy. */
public sealed interface Translation {
    /** {@return the policy that the engine gets; empty if the spec was refused} */
    default Optional<Valid> valid() {
        return this instanceof Valid valid ? Optional.of(valid) : Optional.empty();
    }

    /** A translation that the engine can use. */
    sealed interface Valid extends Translation {
        /** {@return the policy in force from now on} */
        Policy policy();

        /** {@return how the policy lets pods be moved} */
        DisruptionControls disruptionControls();
    }

    /**
     * The policy as it is meant.
     *
     * @param disruptionControls how it lets pods be moved
     */
    record Understood(Policy policy, DisruptionControls disruptionControls) implements Valid {}

    /**
     * A newer version of the API has written fields or values that this one does not know. They may narrow what is to
     * be evicted, so all the rest is audited and nothing is enforced.
     *
     * @param policy at most AUDIT, without the rules that are not known
     * @param unknown never empty, in the order of the fields
     */
    record InPart(Policy policy, DisruptionControls disruptionControls, List<SpecProblem> unknown) implements Valid {
        public InPart {
            unknown = List.copyOf(unknown);
        }
    }

    /**
     * The policy cannot be used.
     *
     * @param problems all of them, never empty, in the order of the fields
     */
    record Refused(List<SpecProblem> problems) implements Translation {
        public Refused {
            problems = List.copyOf(problems);
        }
    }
}
