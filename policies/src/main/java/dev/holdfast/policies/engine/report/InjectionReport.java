package dev.holdfast.policies.engine.report;

import dev.holdfast.policies.index.count.Injected;
import dev.holdfast.policies.model.NamespacedName;
import java.util.Optional;

/**
 * What the operator knows about the injection of a policy's rules into new pods.
 *
 * @param injected the outcomes of the rules in the spec of the pods that the policy selects
 * @param uninjected the number of pods that prove that the API server does not inject a rule: they were created after
 *     this revision of the policy took effect, and nothing in the pods prevents its injection
 * @param example the first of them by name, and a rule that it lacks; absent if there are none
 */
public record InjectionReport(Injected injected, int uninjected, Optional<Example> example) {
    /** The report before the policy has selected a pod. */
    public static final InjectionReport NOTHING = new InjectionReport(Injected.NONE, 0, Optional.empty());

    /** A pod without an injected rule, and that rule. */
    public record Example(NamespacedName pod, String rule) {}
}
