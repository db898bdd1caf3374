package dev.holdfast.policies.effect;

import java.util.Optional;

/** Whether a rule can do something in a cluster as it is. */
public sealed interface RuleFinding {
    /** The rule can do nothing. */
    record Nothing(NoEffect cause) implements RuleFinding {}

    /** The rule can do something, as far as one can tell. */
    record Something() implements RuleFinding {}

    /** The search had examined too much before it found an answer. */
    record NotExamined() implements RuleFinding {}

    /** {@return why the rule can do nothing; empty if it can do something, or if that is not known} */
    default Optional<NoEffect> none() {
        return switch (this) {
            case Nothing(NoEffect cause) -> Optional.of(cause);
            case Something _, NotExamined _ -> Optional.empty();
        };
    }
}
