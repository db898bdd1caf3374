package dev.holdfast.operator.publish;

import dev.holdfast.policies.evaluate.Reason;
import dev.holdfast.policies.plan.move.EvictionAnswer;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/** A sample of each kind of answer to an eviction request, and the names of answers. */
public final class AnswerWords {
    static final List<EvictionAnswer> ALL = List.of(
            new EvictionAnswer.Evicted(),
            new EvictionAnswer.Gone(),
            new EvictionAnswer.Conflict("changed"),
            new EvictionAnswer.OutOfBudget("none left", Optional.empty()),
            new EvictionAnswer.SeveralBudgets("two"),
            new EvictionAnswer.Throttled(Optional.empty()),
            new EvictionAnswer.RefusedByAdmission("no"),
            new EvictionAnswer.DryRunUnsupported("cannot"),
            new EvictionAnswer.Forbidden("may not"),
            new EvictionAnswer.NamespaceTerminating(),
            new EvictionAnswer.Failed("internal error"),
            new EvictionAnswer.Unknown("timed out"),
            new EvictionAnswer.NotSent("not leading"));

    private AnswerWords() {}

    /** {@return the names of the answers that lead to no hold; every other answer has the name of a hold reason} */
    public static List<String> withoutAHold() {
        Set<String> holds = Arrays.stream(Reason.values()).map(Reason::label).collect(Collectors.toSet());
        return ALL.stream()
                .map(EvictionAnswerLabel::label)
                .filter(label -> !holds.contains(label))
                .toList();
    }
}
