package dev.holdfast.policies.engine.report;

import dev.holdfast.policies.index.count.Injected;
import dev.holdfast.policies.model.NamespacedName;
import java.util.Optional;

/**
 * What is known of the injection of a policy's rules into new pods.
 *
 * @param injected what became of the rules in the spec of the pods that the policy selects
 * @param uninjected the number of pods that prove that the API server does not inject a rule: they were created after
 *     this revision of the policy took effect, and nothing in them speaks against the rule
 * @param example the first of them by name, and a rule that it lacks; absent if there are none
 */
public record InjectionReport(Injected injected, int uninjected, Optional<Example> example) {
    /** What is known before the policy has selected a pod. */
    public static final InjectionReport NOTHING = new InjectionReport(Injected.NONE, 0, Optional.empty());

    /** A pod and a rule that it lacks. */
    public record Example(NamespacedName pod, String rule) {}
}
