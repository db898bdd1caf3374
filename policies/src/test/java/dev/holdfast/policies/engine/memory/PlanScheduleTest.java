package dev.holdfast.policies.engine.memory;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.policies.engine.EngineScenario;
import java.time.Instant;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** When the engine plans. */
class PlanScheduleTest {
    private static final Instant START = EngineScenario.START;

    private final PlanSchedule schedule = new PlanSchedule();

    @BeforeEach
    void a_plan_was_just_made() {
        schedule.begin(START);
    }

    private static Instant afterMillis(long millis) {
        return START.plusMillis(millis);
    }

    @Test
    void changes_within_200_milliseconds_lead_to_one_plan() {
        schedule.invalidate();
        schedule.invalidate();

        assertThat(schedule.isDue(afterMillis(199))).isFalse();
        assertThat(schedule.next()).contains(afterMillis(200));
        assertThat(schedule.isDue(afterMillis(200))).isTrue();
    }

    @Test
    void without_a_change_or_a_deadline_there_is_no_plan() {
        assertThat(schedule.isDue(afterMillis(3_600_000))).isFalse();
        assertThat(schedule.next()).isEmpty();
    }

    @Test
    void a_deadline_is_kept_to_the_moment_and_the_earliest_counts() {
        schedule.planBy(afterMillis(50));
        schedule.planBy(afterMillis(70));

        assertThat(schedule.isDue(afterMillis(49))).isFalse();
        assertThat(schedule.isDue(afterMillis(50))).isTrue();
    }

    @Test
    void after_a_plan_of_500_violations_the_next_waits_600_milliseconds_and_a_deadline_200() {
        schedule.pace(500);

        assertThat(schedule.planAgain(START)).isEqualTo(afterMillis(600));
        assertThat(schedule.isDue(afterMillis(599))).isFalse();
        schedule.planBy(afterMillis(50));
        assertThat(schedule.isDue(afterMillis(199))).isFalse();
        assertThat(schedule.isDue(afterMillis(200))).isTrue();
    }
}
