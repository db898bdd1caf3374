package dev.holdfast.policies.index.change;

import dev.holdfast.policies.model.Pod;
import dev.holdfast.policies.rule.AppliedRule;

/**
 * Listener for changes of verdicts, called while the index applies an event. Holders whose verdicts change together are
 * reported in one call, and are listed only if the listener iterates over them.
 *
 * <p>During a call the index is in an intermediate state. A listener may read its arguments, but must not query the
 * index until the event is applied.
 */
public interface VerdictListener {
    /** These holders violate the rule now and did not before. */
    void broken(RuleOwners ruleOwners, FactChange factChange);

    /** These holders do not violate the rule any more. */
    void mended(RuleOwners ruleOwners, Ending ending, FactChange factChange);

    /** The holder still violates the rule, and its requesting policies or their settings for the rule changed. */
    void reasked(Pod holder, AppliedRule before, AppliedRule after, FactChange factChange);

    /** Why a rule is no longer violated. */
    enum Ending {
        /** The verdict is satisfied. */
        SATISFIED,
        /** The verdict is undetermined, or the pod is gone. */
        UNDETERMINED,
        /** No policy requests the rule any more. */
        NOT_ASKED
    }
}
