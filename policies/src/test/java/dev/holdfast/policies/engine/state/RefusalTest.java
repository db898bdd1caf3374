package dev.holdfast.policies.engine.state;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.params.provider.Arguments.argumentSet;

import dev.holdfast.policies.engine.EngineScenario;
import dev.holdfast.policies.evaluate.Reason;
import dev.holdfast.policies.plan.move.EvictionAnswer;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Tests how long the engine waits after repeated refusals of the API server. */
class RefusalTest {
    private static final Instant NOW = EngineScenario.START;

    static Stream<Arguments> rows() {
        return Stream.of(
                row("a failing API server: doubling up to 5 min", failed(), 10, 20, 40, 80, 160, 300, 300),
                row(
                        "refused by a webhook: doubling up to an hour",
                        refused(),
                        60,
                        120,
                        240,
                        480,
                        960,
                        1920,
                        3600,
                        3600),
                row(
                        "a budget that allows no eviction now: doubling up to 5 min",
                        outOfBudget(Optional.empty()),
                        10,
                        20,
                        40,
                        80,
                        160,
                        300),
                row(
                        "a budget with a retry time of 7 s: 7 s each time",
                        outOfBudget(Optional.of(Duration.ofSeconds(7))),
                        7,
                        7,
                        7),
                row("too many requests: doubling up to 1 min", throttled(), 1, 2, 4, 8, 16, 32, 60, 60),
                row("a missing permission: a minute each time", new EvictionAnswer.Forbidden("no"), 60, 60, 60),
                row("several budgets: 5 min each time", new EvictionAnswer.SeveralBudgets("two"), 300, 300),
                row(
                        "a namespace that is being deleted: doubling up to 5 min",
                        new EvictionAnswer.NamespaceTerminating(),
                        10,
                        20,
                        40));
    }

    private static Arguments row(String name, EvictionAnswer answer, int... seconds) {
        return argumentSet(name, answer, IntStream.of(seconds).boxed().toList());
    }

    private static EvictionAnswer failed() {
        return new EvictionAnswer.Failed("500");
    }

    private static EvictionAnswer refused() {
        return new EvictionAnswer.RefusedByAdmission("no");
    }

    private static EvictionAnswer throttled() {
        return new EvictionAnswer.Throttled(Optional.empty());
    }

    private static EvictionAnswer outOfBudget(Optional<Duration> retryAfter) {
        return new EvictionAnswer.OutOfBudget("none left", retryAfter);
    }

    private static long seconds(Refusal refusal) {
        return Duration.between(NOW, refusal.hold().nextLook().orElseThrow()).toSeconds();
    }

    @ParameterizedTest
    @MethodSource("rows")
    void theSameRefusalInARowWaitsThisNumberOfSeconds(EvictionAnswer answer, List<Integer> expected) {
        Optional<Refusal> last = Optional.empty();
        for (int seconds : expected) {
            last = Optional.of(Refusal.of(answer, last, NOW));
            assertThat(last.map(RefusalTest::seconds)).contains((long) seconds);
        }
    }

    @Test
    void aRefusalForAnotherReasonBeginsFromZero() {
        Refusal first = Refusal.of(failed(), Optional.empty(), NOW);
        Refusal second = Refusal.of(failed(), Optional.of(first), NOW);
        Refusal other = Refusal.of(refused(), Optional.of(second), NOW);
        Refusal again = Refusal.of(failed(), Optional.of(other), NOW);

        assertThat(Stream.of(first, second, other, again).map(RefusalTest::seconds))
                .containsExactly(10L, 20L, 60L, 10L);
    }

    @Test
    void readsThatFailDoubleUpToAMinuteAndDoNotCountForWhatTheFeedLacks() {
        Refusal first = Refusal.ofRead(Reason.API_ERROR, "timeout", Optional.empty(), NOW);
        Refusal second = Refusal.ofRead(Reason.API_ERROR, "timeout", Optional.of(first), NOW);
        Refusal behind = Refusal.ofRead(Reason.VIEW_BEHIND, "newer", Optional.of(second), NOW);

        assertThat(Stream.of(first, second, behind).map(RefusalTest::seconds)).containsExactly(1L, 2L, 1L);
    }
}
