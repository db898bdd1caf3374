package dev.holdfast.operator.translate;

import dev.holdfast.policies.plan.controls.DisruptionControls;
import dev.holdfast.policies.rule.Enforcement;
import dev.holdfast.policies.rule.Mode;
import dev.holdfast.policies.rule.Policy;
import dev.holdfast.policies.rule.PolicyScheduling;
import dev.holdfast.policies.rule.RuleKind;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** The result of translating a policy: understood fully, understood in part, or refused. */
public sealed interface Translation {
    /** {@return this translation if the engine can use it; empty if the spec was refused} */
    default Optional<Valid> valid() {
        return this instanceof Valid valid ? Optional.of(valid) : Optional.empty();
    }

    /**
     * {@return the policy with mode Enforce lowered to Audit, for the policy and for each of its rules}
     *
     * @param scheduling what the API server does with its rules
     */
    static Policy audited(Policy policy, PolicyScheduling scheduling) {
        Map<RuleKind, Enforcement> podRules = new EnumMap<>(RuleKind.class);
        policy.podRules().forEach((kind, enforcement) -> podRules.put(kind, lowered(enforcement)));
        List<Policy.NamedRule> rules = policy.rules().stream()
                .map(rule -> new Policy.NamedRule(rule.name(), rule.rule(), lowered(rule.enforcement())))
                .toList();
        return new Policy(
                policy.id(),
                policy.generation(),
                policy.mode().atMost(Mode.AUDIT),
                policy.pods(),
                policy.nodes(),
                policy.namespaces(),
                podRules,
                rules,
                scheduling,
                policy.annotationRules().map(Translation::lowered));
    }

    private static Enforcement lowered(Enforcement enforcement) {
        return enforcement.in(enforcement.mode().atMost(Mode.AUDIT));
    }

    /** The translation of a valid spec, which the engine can use. */
    sealed interface Valid extends Translation {
        /** {@return the policy that is in force from now on} */
        Policy policy();

        /**
         * {@return the policy with mode Enforce lowered to Audit, because a later spec was refused} The API server
         * reads the later spec, and knows nothing of this one.
         */
        default Policy audited(Refused later) {
            return Translation.audited(policy(), later.scheduling());
        }

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
     * @param scheduling INJECT if the API server injects the rules of the spec, whether or not the operator can use
     *     them
     */
    record Refused(List<SpecProblem> problems, PolicyScheduling scheduling) implements Translation {
        public Refused {
            problems = List.copyOf(problems);
        }
    }
}
