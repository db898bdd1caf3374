package dev.holdfast.policies.index.count;

import dev.holdfast.policies.inject.PolicyInjection;
import java.util.HashMap;
import java.util.Map;

/** Counts the outcomes of the rules that one policy injects, for all pods that the policy selects. */
public final class InjectionCounts {
    private final Map<PolicyInjection.OfRule, Integer> missing = new HashMap<>();
    private int injected;
    private int complete;

    /**
     * Counts pods in which this became of the rules.
     *
     * @param more how many pods there are more; negative if there are fewer
     */
    public void count(PolicyInjection injection, int more) {
        if (injection.rules().isEmpty()) {
            return;
        }
        injected += injection.isInjected() ? more : 0;
        complete += injection.isComplete() ? more : 0;
        for (PolicyInjection.OfRule rule : injection.rules()) {
            if (!rule.outcome().isInSpec()) {
                missing.merge(rule, more, (before, change) -> before + change == 0 ? null : before + change);
            }
        }
    }

    /** {@return the counts now} */
    public Injected now() {
        return missing.isEmpty() && injected == 0 && complete == 0
                ? Injected.NONE
                : new Injected(injected, complete, missing);
    }
}
