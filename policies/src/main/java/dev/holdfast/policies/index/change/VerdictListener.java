package dev.holdfast.policies.index.change;

import dev.holdfast.policies.model.Pod;
import dev.holdfast.policies.rule.AppliedRule;

/**
 * Listener for changes of verdicts, called while the index applies an event. Pods whose verdicts on a rule change
 * together are reported in one call. The pods are listed only if the listener iterates over them.
 *
 * <p>During a call the index is in an intermediate state. A listener may read its arguments, but must not query the
 * index until the event is applied.
 */
public interface VerdictListener {
    /** Ignores all changes, for callers that read verdicts from the index. */
    VerdictListener NONE = new VerdictListener() {
        @Override
        public void broken(RuleOwners ruleOwners, FactChange factChange) {
            // Read from the index.
        }

        @Override
        public void mended(RuleOwners ruleOwners, Ending ending, FactChange factChange) {
            // Read from the index.
        }

        @Override
        public void requestsChanged(Pod holder, AppliedRule before, AppliedRule after, FactChange factChange) {
            // Read from the index.
        }
    };

    /**
     * Called when these pods begin to violate the rule.
     *
     * @param factChange the change that led to the violations
     */
    void broken(RuleOwners ruleOwners, FactChange factChange);

    /**
     * Called when these pods do not violate the rule any more.
     *
     * @param ending why the violations ended
     * @param factChange the change that ended the violations
     */
    void mended(RuleOwners ruleOwners, Ending ending, FactChange factChange);

    /**
     * Called when a pod still violates a rule, but other policies request the rule now or their settings for it
     * changed.
     *
     * @param holder the pod
     * @param before the rule with the policies that requested it before, and their settings
     * @param after the same rule with the policies that request it now, and their settings
     */
    void requestsChanged(Pod holder, AppliedRule before, AppliedRule after, FactChange factChange);

    /** Why a rule is no longer violated. */
    enum Ending {
        /** The verdict is satisfied. */
        SATISFIED,
        /** The verdict is undetermined, or the pod is gone. */
        UNDETERMINED,
        /** No policy requests the rule any more. */
        NOT_REQUESTED
    }
}
