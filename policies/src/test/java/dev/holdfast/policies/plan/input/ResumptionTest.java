package dev.holdfast.policies.plan.input;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.params.provider.Arguments.argumentSet;

import dev.holdfast.policies.plan.controls.OperatorLimits;
import dev.holdfast.policies.plan.move.BreakerScope;
import java.time.Duration;
import java.time.Instant;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Tests the slow resumption of evictions after a breaker closed. */
class ResumptionTest {
    private static final Instant CLOSED = Instant.parse("2026-11-20T12:00:00Z");
    private static final Resumption ACKNOWLEDGED =
            new Resumption("disk@1", new BreakerScope.NodeLabel("disk"), CLOSED, CLOSED);
    private static final Resumption HEALED =
            Resumption.afterHealing("disk@1", new BreakerScope.NodeLabel("disk"), CLOSED);

    static Stream<Arguments> steps() {
        return Stream.of(
                argumentSet("acknowledged: one in the first ten minutes", ACKNOWLEDGED, 0, 1),
                argumentSet("acknowledged: two in the next", ACKNOWLEDGED, 10, 2),
                argumentSet("acknowledged: sixty-four after an hour", ACKNOWLEDGED, 60, 64),
                argumentSet("healed: none in the first ten minutes", HEALED, 9, 0),
                argumentSet("healed: one in the next", HEALED, 10, 1),
                argumentSet("healed: two in those after", HEALED, 20, 2));
    }

    @ParameterizedTest
    @MethodSource("steps")
    void howManyAreAllowedInTenMinutes(Resumption resumption, int minutes, int allowed) {
        assertThat(resumption.allowed(CLOSED.plus(Duration.ofMinutes(minutes)))).isEqualTo(allowed);
    }

    static Stream<Arguments> ends() {
        return Stream.of(
                argumentSet("120 an hour: not over while a step allows 64", 120, 69, false),
                argumentSet("120 an hour: over when a step allows 128", 120, 70, true),
                argumentSet("6 an hour: not over at once", 6, 0, false),
                argumentSet("6 an hour: over when a step allows 8", 6, 30, true));
    }

    @ParameterizedTest
    @MethodSource("ends")
    void itIsOverWhenTheLimitsAllowNoMore(int perHour, int minutes, boolean over) {
        assertThat(ACKNOWLEDGED.isOver(
                        new OperatorLimits(10, perHour, 5, 2, 1), CLOSED.plus(Duration.ofMinutes(minutes))))
                .isEqualTo(over);
    }
}
