package dev.holdfast.policies.engine.state;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.policies.engine.EngineScenario;
import java.time.Instant;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Tests when the engine plans. */
class PlanScheduleTest {
    private static final Instant START = EngineScenario.START;

    private final PlanSchedule schedule = new PlanSchedule();

    @BeforeEach
    void aPlanWasJustMade() {
        schedule.begin(START);
    }

    private static Instant afterMillis(long millis) {
        return START.plusMillis(millis);
    }

    @Test
    void changesWithin200MillisecondsLeadToOnePlan() {
        schedule.invalidate();
        schedule.invalidate();

        assertThat(schedule.isDue(afterMillis(199))).isFalse();
        assertThat(schedule.next()).contains(afterMillis(200));
        assertThat(schedule.isDue(afterMillis(200))).isTrue();
    }

    @Test
    void withoutAChangeOrADeadlineThereIsNoPlan() {
        assertThat(schedule.isDue(afterMillis(3_600_000))).isFalse();
        assertThat(schedule.next()).isEmpty();
    }

    @Test
    void aDeadlineIsKeptToTheMomentAndTheEarliestCounts() {
        schedule.planAt(afterMillis(50));
        schedule.planAt(afterMillis(70));

        assertThat(schedule.isDue(afterMillis(49))).isFalse();
        assertThat(schedule.isDue(afterMillis(50))).isTrue();
    }

    @Test
    void aLookThatIsNoDeadlineWaits200Milliseconds() {
        schedule.planBy(afterMillis(50));
        schedule.planBy(afterMillis(70));

        assertThat(schedule.isDue(afterMillis(199))).isFalse();
        assertThat(schedule.next()).contains(afterMillis(200));
        schedule.planBy(afterMillis(900));
        assertThat(schedule.next()).contains(afterMillis(200));
    }

    @Test
    void aLaterLookWaitsForItsTimeAndNotOnlyFor200Milliseconds() {
        schedule.planBy(afterMillis(900));

        assertThat(schedule.next()).contains(afterMillis(900));
    }

    @Test
    void violationsThatNeedNoPlanCountHalf() {
        schedule.pace(250, 500);

        assertThat(schedule.planAgain(START)).isEqualTo(afterMillis(600));
    }

    @Test
    void afterAPlanOf500ViolationsTheNextWaits600MillisecondsAndADeadline200() {
        schedule.pace(500, 0);

        assertThat(schedule.planAgain(START)).isEqualTo(afterMillis(600));
        assertThat(schedule.isDue(afterMillis(599))).isFalse();
        schedule.planAt(afterMillis(50));
        assertThat(schedule.isDue(afterMillis(199))).isFalse();
        assertThat(schedule.isDue(afterMillis(200))).isTrue();
    }

    @Test
    void noPlanIsMadeWhileAnAnswerIsAwaited() {
        schedule.planAt(afterMillis(50));
        schedule.awaitUntil(afterMillis(2_000));
        assertThat(schedule.next()).contains(afterMillis(2_000));

        schedule.resume();

        assertThat(schedule.next()).contains(afterMillis(50));
    }
}
