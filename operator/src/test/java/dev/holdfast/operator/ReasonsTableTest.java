package dev.holdfast.operator;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.operator.publish.AnswerWords;
import dev.holdfast.operator.publish.EventReason;
import dev.holdfast.operator.reconcile.ConditionReason;
import dev.holdfast.operator.reconcile.ConditionType;
import dev.holdfast.policies.engine.report.Notification;
import dev.holdfast.policies.engine.report.ViolationState;
import dev.holdfast.policies.evaluate.Cause;
import dev.holdfast.policies.evaluate.Reason;
import dev.holdfast.policies.plan.move.Outcome;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.function.Function;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/**
 * The tables of reasons in the documentation have exactly one row for each label in the code, in the table of its kind.
 */
class ReasonsTableTest {
    private static final Pattern ROW =
            Pattern.compile("\\| <a id=\"([a-z]+-[a-z]+)\"></a>`(\\w+)` \\| (.+) \\| (.+) \\|");

    /** The kind of label in the tables under a heading. */
    private static final Map<String, String> KINDS = Map.of(
            "Holds", "hold",
            "Undetermined verdicts", "verdict",
            "States of a violation", "state",
            "Ends of a violation", "end",
            "Causes", "cause",
            "Answers of the Eviction API", "answer",
            "Outcomes of a move", "outcome",
            "Conditions", "condition",
            "Reasons of conditions", "reason",
            "Events", "event");

    /** Reasons of undetermined verdicts; all others are reasons of holds. */
    private static final Set<Reason> VERDICTS =
            Set.of(Reason.NOT_BOUND, Reason.FINISHED, Reason.TERMINATING, Reason.NODE_MISSING, Reason.UNPARSABLE_RULE);

    private static Stream<String> words() {
        return Stream.of(
                        Arrays.stream(Reason.values())
                                .map(it -> (VERDICTS.contains(it) ? "verdict " : "hold ") + it.label()),
                        words("state", ViolationState.values(), ViolationState::label),
                        words("end", Notification.End.values(), Notification.End::label),
                        words("outcome", Outcome.values(), Outcome::label),
                        words("condition", ConditionType.values(), ConditionType::label),
                        words("reason", ConditionReason.values(), ConditionReason::label),
                        words("event", EventReason.values(), EventReason::label),
                        words("cause", Cause.class.getPermittedSubclasses(), Class::getSimpleName),
                        AnswerWords.withoutAHold().stream().map(it -> "answer " + it))
                .flatMap(it -> it);
    }

    private static <T> Stream<String> words(String where, T[] values, Function<T, String> label) {
        return Arrays.stream(values).map(it -> where + " " + label.apply(it)).distinct();
    }

    /** One row of the page, with the kind of label from its heading. */
    private record Entry(String kind, String anchor, String word, String meaning, String remedy) {}

    private static List<Entry> rows() throws IOException {
        List<Entry> rows = new ArrayList<>();
        String kind = "";
        for (String line : Files.readAllLines(Path.of("..", "docs", "reasons.md"))) {
            if (line.startsWith("## ")) {
                kind = Objects.requireNonNull(KINDS.get(line.substring("## ".length())), line);
            } else if (!kind.isEmpty() && line.startsWith("| ") && !line.startsWith("| Word")) {
                Matcher row = ROW.matcher(line);
                assertThat(row.matches())
                        .as("a row of an anchored word and two more cells: %s", line)
                        .isTrue();
                rows.add(new Entry(kind, row.group(1), row.group(2), row.group(3), row.group(4)));
            }
        }
        return rows;
    }

    @Test
    void everyWordHasItsRowAndEveryRowItsWord() throws IOException {
        List<String> documented =
                rows().stream().map(row -> row.kind() + " " + row.word()).toList();

        assertThat(documented).doesNotHaveDuplicates().containsExactlyInAnyOrderElementsOf(words().toList());
    }

    @Test
    void everyWordHasTheAnchorOfItsKind() throws IOException {
        assertThat(rows())
                .isNotEmpty()
                .allSatisfy(row -> assertThat(row.anchor())
                        .isEqualTo(row.kind() + "-" + row.word().toLowerCase(Locale.ROOT)));
    }

    @Test
    void everyKindHasALinkToItsTable() throws IOException {
        String page = Files.readString(Path.of("..", "docs", "reasons.md"));

        assertThat(KINDS)
                .allSatisfy((heading, kind) -> assertThat(page)
                        .contains("| [%s](#%s) |"
                                .formatted(
                                        kind, heading.toLowerCase(Locale.ROOT).replace(' ', '-'))));
    }

    @Test
    void everyRowSaysWhatItMeansAndWhatToDo() throws IOException {
        assertThat(rows()).isNotEmpty().allSatisfy(row -> {
            assertThat(row.meaning()).endsWith(".");
            assertThat(row.remedy()).endsWith(".");
        });
    }
}
