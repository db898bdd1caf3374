package dev.holdfast.policies.index.change;

import dev.holdfast.policies.model.Pod;
import dev.holdfast.policies.rule.HeldRule;

/**
 * Hears every change of a verdict, during the event that brought it. Holders that flip together are told of together,
 * and are listed only if the listener asks.
 *
 * <p>During a call the index is between two states: a listener reads what it is handed, and asks the index itself nothing
 * until the event is over.
 */
public interface VerdictListener {
    /** The rule is Violated for these holders and was not before. */
    void broken(Holders holders, FactChange factChange);

    /** The rule is not Violated any more for these holders. */
    void mended(Holders holders, Ending ending, FactChange factChange);

    /** The rule is Violated as it was, and policies ask otherwise for it now. */
    void reasked(Pod holder, HeldRule before, HeldRule after, FactChange factChange);

    /** Why a rule is not Violated any more. */
    enum Ending {
        /** The verdict is Satisfied. */
        SATISFIED,
        /** The verdict is Undetermined, or the pod is gone. */
        UNDETERMINED,
        /** No policy asks for the rule any more. */
        NOT_ASKED
    }
}
