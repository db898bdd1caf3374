package dev.holdfast.operator;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.operator.publish.AnswerWords;
import dev.holdfast.operator.publish.EventReason;
import dev.holdfast.operator.reconcile.ConditionReason;
import dev.holdfast.operator.reconcile.ConditionType;
import dev.holdfast.policies.engine.Occurrence;
import dev.holdfast.policies.engine.ViolationState;
import dev.holdfast.policies.evaluate.Cause;
import dev.holdfast.policies.evaluate.Reason;
import dev.holdfast.policies.plan.Outcome;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.function.Function;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** The table of reasons in the documentation has a row for each word there is, and for none that there is not. */
class ReasonsTableTest {
    private static final Pattern ROW = Pattern.compile("\\| (\\w+) \\| `(\\w+)` \\| (.+) \\| (.+) \\|");

    /** Reasons for which nobody can tell whether a rule holds; all others hold a violation. */
    private static final Set<Reason> VERDICTS =
            Set.of(Reason.NOT_BOUND, Reason.FINISHED, Reason.TERMINATING, Reason.NODE_MISSING, Reason.UNPARSABLE_RULE);

    private static Stream<String> words() {
        return Stream.of(
                        Arrays.stream(Reason.values())
                                .map(it -> (VERDICTS.contains(it) ? "verdict " : "hold ") + it.label()),
                        words("state", ViolationState.values(), ViolationState::label),
                        words("end", Occurrence.End.values(), Occurrence.End::label),
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

    private static List<Matcher> rows() throws IOException {
        try (Stream<String> lines = Files.lines(Path.of("..", "docs", "reasons.md"))) {
            return lines.filter(line -> line.startsWith("| ") && !line.startsWith("| Where"))
                    .map(line -> {
                        Matcher row = ROW.matcher(line);
                        assertThat(row.matches())
                                .as("a row of four cells: %s", line)
                                .isTrue();
                        return row;
                    })
                    .toList();
        }
    }

    @Test
    void everyWordHasItsRowAndEveryRowItsWord() throws IOException {
        List<String> documented =
                rows().stream().map(row -> row.group(1) + " " + row.group(2)).toList();

        assertThat(documented).doesNotHaveDuplicates().containsExactlyInAnyOrderElementsOf(words().toList());
    }

    @Test
    void everyRowSaysWhatItMeans() throws IOException {
        assertThat(rows())
                .isNotEmpty()
                .allSatisfy(row -> assertThat(row.group(3)).endsWith("."));
    }
}
