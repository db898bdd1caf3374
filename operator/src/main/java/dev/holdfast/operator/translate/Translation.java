package dev.holdfast.operator.translate;

import dev.holdfast.policies.plan.conduct.DisruptionControls;
import dev.holdfast.policies.rule.Policy;
import java.util.List;
import java.util.Optional;

/** The result of translating a policy: understood fully, understood in part, or refused. */
public sealed interface Translation {
    /** {@return this translation if the engine can use it; empty if the spec was refused} */
    default Optional<Valid> valid() {
        return this instanceof Valid valid ? Optional.of(valid) : Optional.empty();
    }

    /** The translation of a valid spec, which the engine can use. */
    sealed interface Valid extends Translation {
        /** {@return the policy that is in force from now on} */
        Policy policy();

        /** {@return the policy's windows, exceptions, limits and other controls of when and how many pods it evicts} */
        DisruptionControls disruptionControls();
    }

    /**
     * A policy all of whose fields and values this version knows.
     *
     * @param policy the whole policy, with the modes in its spec
     */
    record Understood(Policy policy, DisruptionControls disruptionControls) implements Valid {}

    /**
     * A policy with fields or values that this version does not know. Such a field may exempt pods, so the policy is
     * only audited.
     *
     * @param policy the known part of the policy, with mode Enforce lowered to Audit everywhere
     * @param unknown the unknown fields and values, in the order in which they are read; never empty
     */
    record InPart(Policy policy, DisruptionControls disruptionControls, List<SpecProblem> unknown) implements Valid {
        public InPart {
            unknown = List.copyOf(unknown);
        }
    }

    /**
     * A policy with an invalid spec.
     *
     * @param problems all errors, in the order in which they are found; never empty
     */
    record Refused(List<SpecProblem> problems) implements Translation {
        public Refused {
            problems = List.copyOf(problems);
        }
    }
}
