package dev.holdfast.policies.index.count;

import dev.holdfast.policies.inject.PolicyInjection;
import java.util.Map;

/**
 * The outcomes of injecting the rules of one policy into the spec of the pods that it selects.
 *
 * @param injected the number of pods to which the API server added at least one of the rules
 * @param complete the number of pods for which the scheduler knows all of the rules
 * @param missing for each rule that is not in the spec of some pods, and each reason, the number of pods
 */
public record Injected(int injected, int complete, Map<PolicyInjection.OfRule, Integer> missing) {
    /** The value for a policy that injects nothing, or that selects no pod. */
    public static final Injected NONE = new Injected(0, 0, Map.of());

    public Injected {
        missing = Map.copyOf(missing);
    }
}
