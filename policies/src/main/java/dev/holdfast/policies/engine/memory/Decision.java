package dev.holdfast.policies.engine.memory;

import dev.holdfast.policies.engine.report.ViolationState;
import dev.holdfast.policies.model.Pod;
import dev.holdfast.policies.plan.move.Hold;
import java.util.Optional;

/** What was last decided about a due violation. */
public sealed interface Decision {
    ViolationState state();

    /** {@return whether numbers are the same after either decision: only for when it is held may differ} */
    default boolean countsLike(Decision other) {
        return state() == other.state()
                && (!(this instanceof Held(Hold hold))
                        || !(other instanceof Held(Hold before))
                        || hold.reason() == before.reason());
    }

    /** It is held. */
    record Held(Hold hold) implements Decision {
        @Override
        public ViolationState state() {
            return ViolationState.HELD;
        }
    }

    /** It is audited, and Enforce would evict now. */
    record WouldEvict(Pod victim, Optional<String> target) implements Decision {
        @Override
        public ViolationState state() {
            return ViolationState.WOULD_EVICT;
        }
    }

    /** Its pod is being moved. */
    record Evicting(String planId) implements Decision {
        @Override
        public ViolationState state() {
            return ViolationState.EVICTING;
        }
    }
}
