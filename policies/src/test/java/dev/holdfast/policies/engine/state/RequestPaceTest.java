package dev.holdfast.policies.engine.state;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.policies.engine.EngineScenario;
import dev.holdfast.policies.plan.move.Hold;
import java.time.Duration;
import java.time.Instant;
import java.util.HashSet;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** Tests how long all requests wait after the API server throttled one. */
class RequestPaceTest {
    private static final Instant START = EngineScenario.START;

    private final RequestPace pace = new RequestPace();

    /** Throttles a request now, and returns how long all requests wait from now on. */
    private Duration throttled(String planId, Optional<Duration> retryAfter, Instant now) {
        pace.throttled(planId, retryAfter, now);
        return Duration.between(now, until(now));
    }

    private Instant until(Instant now) {
        return pace.against(now).flatMap(Hold::nextLook).orElse(now);
    }

    private static void isFrom(Duration wait, long seconds) {
        assertThat(wait).isBetween(Duration.ofSeconds(seconds), Duration.ofMillis(seconds * 1_500));
    }

    @Test
    void withoutThrottlingNothingWaits() {
        pace.answered();

        assertThat(pace.against(START)).isEmpty();
    }

    @Test
    void theWaitDoublesWithEachThrottledRequestAfterAWaitUpToAMinute() {
        Instant now = START;
        for (long seconds : new long[] {1, 2, 4, 8, 16, 32, 60, 60}) {
            Duration wait = throttled("plan", Optional.empty(), now);
            isFrom(wait, seconds);
            now = now.plus(wait);
            assertThat(pace.against(now)).as("after the wait").isEmpty();
        }
    }

    @Test
    void requestsThatWereSentTogetherDoubleTheWaitOnce() {
        throttled("1", Optional.empty(), START);
        Duration wait = throttled("2", Optional.empty(), START.plusMillis(10));

        assertThat(wait).isLessThanOrEqualTo(Duration.ofMillis(1_500));
        isFrom(throttled("3", Optional.empty(), START.plusSeconds(2)), 2);
    }

    @Test
    void eachAnsweredRequestHalvesTheNextWait() {
        Instant now = START;
        for (int i = 0; i < 4; i++) {
            now = now.plus(throttled("plan", Optional.empty(), now));
        }
        pace.answered();
        pace.answered();
        isFrom(throttled("plan", Optional.empty(), now), 4);
        pace.answered();
        pace.answered();
        pace.answered();
        pace.answered();

        isFrom(throttled("plan", Optional.empty(), now.plusSeconds(10)), 1);
    }

    @Test
    void aRequestThatIsAnsweredDuringTheWaitDoesNotEndIt() {
        throttled("1", Optional.empty(), START);
        pace.answered();

        isFrom(throttled("2", Optional.empty(), START.plusMillis(10)), 1);
    }

    @Test
    void theApiServersOwnWaitCountsIfItIsLonger() {
        isFrom(throttled("plan", Optional.of(Duration.ofMinutes(5)), START), 300);
        isFrom(throttled("plan", Optional.of(Duration.ofSeconds(1)), START.plusSeconds(500)), 2);
    }

    @Test
    void anEarlierEndNeverShortensAWait() {
        throttled("1", Optional.of(Duration.ofMinutes(5)), START);
        Instant end = until(START);

        pace.throttled("2", Optional.empty(), START.plusSeconds(1));

        assertThat(until(START)).isEqualTo(end);
    }

    @Test
    void thePlanIdMakesTheWaitDifferentAndTheSameIdTheSame() {
        Set<Duration> waits = new HashSet<>();
        for (int i = 0; i < 20; i++) {
            RequestPace one = new RequestPace();
            one.throttled("plan-" + i, Optional.empty(), START);
            RequestPace other = new RequestPace();
            other.throttled("plan-" + i, Optional.empty(), START);
            assertThat(one.against(START)).isEqualTo(other.against(START));
            waits.add(Duration.between(
                    START, one.against(START).flatMap(Hold::nextLook).orElseThrow()));
        }

        assertThat(waits).hasSizeGreaterThan(10);
    }
}
