package dev.holdfast.policies.engine.state;

import dev.holdfast.policies.engine.report.ViolationState;
import dev.holdfast.policies.evaluate.Reason;
import dev.holdfast.policies.model.Pod;
import dev.holdfast.policies.plan.move.Hold;
import dev.holdfast.policies.rule.PolicyId;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;

/** The last decision about a due violation. */
public sealed interface RecordedDecision {
    ViolationState state();

    /**
     * {@return whether the status of policies counts two decisions in the same way: they have the same state and, if
     * held, the same reason}
     */
    default boolean countsLike(RecordedDecision other) {
        return state() == other.state()
                && (!(this instanceof Held held)
                        || !(other instanceof Held before)
                        || (held.hold().reason() == before.hold().reason()
                                && held.reasons().equals(before.reasons())));
    }

    /**
     * The violation is held.
     *
     * @param ofPolicies the hold of each requesting policy that has one of its own; {@code hold} is for all others
     */
    record Held(Hold hold, Map<PolicyId, Hold> ofPolicies) implements RecordedDecision {
        public Held {
            ofPolicies = Map.copyOf(ofPolicies);
        }

        /** Creates a decision that is the same for all requesting policies. */
        public Held(Hold hold) {
            this(hold, Map.of());
        }

        /** {@return the hold as one policy sees it} */
        public Hold of(PolicyId policy) {
            return ofPolicies.getOrDefault(policy, hold);
        }

        private Map<PolicyId, Reason> reasons() {
            return ofPolicies.entrySet().stream()
                    .collect(Collectors.toMap(
                            Map.Entry::getKey, entry -> entry.getValue().reason()));
        }

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
