package dev.holdfast.policies.soft;

import java.util.List;

/** Whether a move of a pod would improve an unmet soft rule for certain. */
public sealed interface Improvement {
    /**
     * On each node where the scheduler may place the replacement, the rule is better met.
     *
     * @param gain the least gain of these nodes: pods of skew, or the sum of the weights of terms
     * @param nodes these nodes
     */
    record Certain(long gain, List<String> nodes) implements Improvement {
        public Certain {
            nodes = List.copyOf(nodes);
        }
    }

    /**
     * A move might not improve the rule, or would make something else worse.
     *
     * @param text why, with the names and numbers
     */
    record Uncertain(Obstacle obstacle, String text) implements Improvement {}

    /** Why a move would not improve a soft rule for certain. */
    enum Obstacle {
        /** The scheduler refuses all other nodes. */
        NO_NODE("NoNode"),
        /** A preferred term cannot be parsed, so that the scheduler would leave the replacement Pending. */
        PREFERRED_TERM_INVALID("PreferredTermInvalid"),
        /** The pod has more preferences than are read. */
        TOO_COMPLEX("TooComplex"),
        /** The scheduler may place the replacement where the gain is too small. */
        TOO_LITTLE_GAIN("TooLittleGain"),
        /** The scheduler may place the replacement where other soft rules of the pod are worse met. */
        OTHER_RULE_WORSE("OtherRuleWorse"),
        /** The move would begin a violation of a required rule. */
        STARTS_VIOLATIONS("StartsViolations");

        private final String label;

        Obstacle(String label) {
            this.label = label;
        }

        /** {@return the word that commands and documents show} */
        public String label() {
            return label;
        }
    }
}
