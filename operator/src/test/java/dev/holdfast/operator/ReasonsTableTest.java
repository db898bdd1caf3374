package dev.holdfast.operator;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.operator.publish.AnswerWords;
import dev.holdfast.operator.publish.EventReason;
import dev.holdfast.operator.reconcile.status.ConditionReason;
import dev.holdfast.operator.reconcile.status.ConditionType;
import dev.holdfast.policies.engine.report.ClockRestart;
import dev.holdfast.policies.engine.report.Notification;
import dev.holdfast.policies.engine.report.ViolationState;
import dev.holdfast.policies.evaluate.Reason;
import dev.holdfast.policies.forgive.Cause;
import dev.holdfast.policies.inject.InjectionOutcome;
import dev.holdfast.policies.plan.move.HoldEnd;
import dev.holdfast.policies.plan.move.Outcome;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/**
 * The tables of reasons in the documentation have exactly one row for each label in the code, in the table of its kind.
 */
class ReasonsTableTest {
    /** Reasons of undetermined verdicts alone; all others are reasons of holds. */
    private static final Set<Reason> VERDICTS =
            Set.of(Reason.NOT_BOUND, Reason.FINISHED, Reason.TERMINATING, Reason.NODE_MISSING, Reason.UNPARSABLE_RULE);

    /** Reasons of undetermined verdicts that hold other pods, too. */
    private static final Set<Reason> BOTH = Set.of(Reason.TOO_COMPLEX);

    private static Stream<String> words() {
        return Stream.of(
                        Arrays.stream(Reason.values())
                                .map(it -> (VERDICTS.contains(it) ? "verdict " : "hold ") + it.label()),
                        BOTH.stream().map(it -> "verdict " + it.label()),
                        words("state", ViolationState.values(), ViolationState::label),
                        words("end", Notification.End.values(), Notification.End::label),
                        words("restart", ClockRestart.values(), ClockRestart::label),
                        words("outcome", Outcome.values(), Outcome::label),
                        words("condition", ConditionType.values(), ConditionType::label),
                        words("reason", ConditionReason.values(), ConditionReason::label),
                        Arrays.stream(InjectionOutcome.values())
                                .filter(InjectionOutcome::isLeftOut)
                                .map(it -> "omission " + it.label()),
                        words("event", EventReason.values(), EventReason::label),
                        causes(),
                        AnswerWords.withoutAHold().stream().map(it -> "answer " + it))
                .flatMap(it -> it);
    }

    /** A redacted cause has the label of the cause that it redacts, and none of its own. */
    private static Stream<String> causes() {
        return Arrays.stream(Cause.class.getPermittedSubclasses())
                .filter(it -> it != Cause.Redacted.class)
                .map(it -> "cause " + it.getSimpleName());
    }

    private static <T> Stream<String> words(String where, T[] values, Function<T, String> label) {
        return Arrays.stream(values).map(it -> where + " " + label.apply(it)).distinct();
    }

    @Test
    void everyWordHasItsRowAndEveryRowItsWord() {
        List<String> documented = ReasonsPage.rows().stream()
                .map(row -> row.kind() + " " + row.word())
                .toList();

        assertThat(documented).doesNotHaveDuplicates().containsExactlyInAnyOrderElementsOf(words().toList());
    }

    @Test
    void everyHoldHasARowThatSaysHowItEnds() {
        List<String> expected = Arrays.stream(Reason.values())
                .flatMap(reason -> HoldEnd.of(reason).map(end -> row(reason, end)).stream())
                .toList();

        assertThat(ReasonsPage.ends())
                .as("the table of docs/reasons.md, which should be:%n%s", String.join("\n", expected))
                .isEqualTo(expected);
    }

    private static String row(Reason reason, HoldEnd end) {
        String kind = switch (end) {
            case HoldEnd.AtTime _ -> "in time";
            case HoldEnd.ByItself _ -> "by itself";
            case HoldEnd.ByPerson(var _, var advice) ->
                advice == HoldEnd.Advice.ADDED_WITHOUT_TIME ? "in time, else by a person" : "by a person";
        };
        String text =
                end.text().substring(0, 1).toUpperCase(Locale.ROOT) + end.text().substring(1);
        return "| `" + reason.label() + "` | " + kind + " | " + text + ". |";
    }

    @Test
    void everyWordHasTheAnchorOfItsKind() {
        assertThat(ReasonsPage.rows())
                .isNotEmpty()
                .allSatisfy(row -> assertThat(row.anchor())
                        .isEqualTo(row.kind() + "-" + row.word().toLowerCase(Locale.ROOT)));
    }

    @Test
    void everyKindHasALinkToItsTable() {
        String page = ReasonsPage.text();

        assertThat(ReasonsPage.KINDS)
                .allSatisfy((heading, kind) -> assertThat(page)
                        .contains("| [%s](#%s) |"
                                .formatted(
                                        kind, heading.toLowerCase(Locale.ROOT).replace(' ', '-'))));
    }

    @Test
    void everyRowSaysWhatItMeansAndWhatToDo() {
        assertThat(ReasonsPage.rows()).isNotEmpty().allSatisfy(row -> {
            assertThat(row.meaning()).endsWith(".");
            assertThat(row.remedy()).endsWith(".");
        });
    }
}
