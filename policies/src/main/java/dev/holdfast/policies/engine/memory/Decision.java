package dev.holdfast.policies.engine.memory;

import dev.holdfast.policies.engine.report.ViolationState;
import dev.holdfast.policies.model.Pod;
import dev.holdfast.policies.plan.move.Hold;
import java.util.Optional;

/** The last decision about a due violation. */
public sealed interface Decision {
    ViolationState state();

    /** {@return whether status counts both decisions alike: at most the message and the next check of a hold differ} */
    default boolean countsLike(Decision other) {
        return state() == other.state()
                && (!(this instanceof Held(Hold hold))
                        || !(other instanceof Held(Hold before))
                        || hold.reason() == before.reason());
    }

    /** The violation is held. */
    record Held(Hold hold) implements Decision {
        @Override
        public ViolationState state() {
            return ViolationState.HELD;
        }
    }

    /** The violation is audited, and Enforce would evict now. */
    record WouldEvict(Pod victim, Optional<String> target) implements Decision {
        @Override
        public ViolationState state() {
            return ViolationState.WOULD_EVICT;
        }
    }

    /** A move for the violation is in flight. */
    record Evicting(String planId) implements Decision {
        @Override
        public ViolationState state() {
            return ViolationState.EVICTING;
        }
    }
}
