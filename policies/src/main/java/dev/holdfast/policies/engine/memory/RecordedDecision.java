package dev.holdfast.policies.engine.memory;

import dev.holdfast.policies.engine.report.ViolationState;
import dev.holdfast.policies.model.Pod;
import dev.holdfast.policies.plan.move.Hold;
import java.util.Optional;

/** The last decision about a due violation. */
public sealed interface RecordedDecision {
    ViolationState state();

    /**
     * {@return whether the status of policies counts two decisions in the same way: they have the same state and, if
     * held, the same reason}
     */
    default boolean countsLike(RecordedDecision other) {
        return state() == other.state()
                && (!(this instanceof Held(Hold hold))
                        || !(other instanceof Held(Hold before))
                        || hold.reason() == before.reason());
    }

    /** The violation is held. */
    record Held(Hold hold) implements RecordedDecision {
        @Override
        public ViolationState state() {
            return ViolationState.HELD;
        }
    }

    /**
     * No policy enforces the rule; in mode Enforce the victim would be evicted now.
     *
     * @param target a node that would take the replacement; absent if the policy lets the pod be evicted without such a
     *     node
     */
    record WouldEvict(Pod victim, Optional<String> target) implements RecordedDecision {
        @Override
        public ViolationState state() {
            return ViolationState.WOULD_EVICT;
        }
    }

    /** A move for the violation is in flight. */
    record Evicting(String planId) implements RecordedDecision {
        @Override
        public ViolationState state() {
            return ViolationState.EVICTING;
        }
    }
}
