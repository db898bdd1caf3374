package dev.holdfast.operator.translate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.params.provider.Arguments.argumentSet;

import dev.holdfast.crds.CrdFile;
import dev.holdfast.policies.plan.controls.CronSchedule;
import dev.holdfast.policies.selector.ParseResult;
import java.util.List;
import java.util.Random;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Tests that the pattern for schedules in the CRDs accepts every schedule that the operator accepts, and beyond these
 * only ranges that run backwards.
 */
class SchedulePatternTest {
    private static final List<String> ITEMS = List.of(
            "*", "0", "5", "05", "7", "07", "8", "12", "13", "23", "24", "31", "32", "59", "60", "00", "-", "mon",
            "SUN", "JAN", "dec", "x", "1-5", "5-1", "mon-fri", "*/2", "*/0", "1/99", "1/100", "0-59/7", "1,2", "1,,2",
            "@daily");

    private static Pattern pattern() {
        List<String> patterns = CrdFile.all().stream()
                .flatMap(file -> Pattern.compile("self\\.matches\\(r'(\\^\\\\s.*?\\$)'\\)", Pattern.DOTALL)
                        .matcher(file.yaml().replaceAll("\\n\\s+", " ").replace("''", "'"))
                        .results()
                        .map((MatchResult found) -> found.group(1)))
                .distinct()
                .toList();
        assertThat(patterns).as("one pattern in all CRDs").hasSize(1);
        return Pattern.compile(patterns.getFirst());
    }

    static Stream<Arguments> macros() {
        return Stream.of(
                        "@hourly",
                        "@daily",
                        "@midnight",
                        "@weekly",
                        "@monthly",
                        "@yearly",
                        "@annually",
                        "@reboot",
                        " @Daily ")
                .map(it -> argumentSet(it, it));
    }

    @ParameterizedTest
    @MethodSource("macros")
    void theSameMacrosAreAccepted(String macro) {
        assertThat(pattern().matcher(macro).matches()).isEqualTo(isUsable(macro));
    }

    @Test
    void randomSchedulesAreAcceptedByBothUnlessARangeRunsBackwards() {
        long seed = System.nanoTime();
        Random random = new Random(seed);
        Pattern pattern = pattern();
        int accepted = 0;
        for (int i = 0; i < 20_000; i++) {
            int fields = random.nextInt(20) == 0 ? 4 : 5;
            String schedule = String.join(
                    " ",
                    Stream.generate(() -> ITEMS.get(random.nextInt(ITEMS.size())))
                            .limit(fields)
                            .toList());
            if (schedule.contains("5-1")) {
                continue;
            }
            boolean usable = isUsable(schedule);
            assertThat(pattern.matcher(schedule).matches())
                    .as("'%s' is accepted, as the operator does; seed %d", schedule, seed)
                    .isEqualTo(usable);
            accepted += usable ? 1 : 0;
        }
        assertThat(accepted).as("accepted schedules; seed %d", seed).isGreaterThan(100);
    }

    private static boolean isUsable(String schedule) {
        return CronSchedule.of(schedule) instanceof ParseResult.Usable<CronSchedule>;
    }
}
