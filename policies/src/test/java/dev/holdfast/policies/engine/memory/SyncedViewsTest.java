package dev.holdfast.policies.engine.memory;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.policies.engine.EngineScenario;
import dev.holdfast.policies.engine.protocol.View;
import java.time.Instant;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Which views are synced, and when a gap in observation is over. */
class SyncedViewsTest {
    private static final Instant START = EngineScenario.START;

    private final SyncedViews views = new SyncedViews();

    @BeforeEach
    void all_are_synced() {
        for (View view : View.values()) {
            views.synced(view, START);
        }
    }

    @Test
    void while_one_view_is_lost_none_counts_as_synced() {
        views.lost(View.BUDGETS, "forbidden", START.plusSeconds(10));

        assertThat(views.all()).isFalse();
        assertThat(views.since(View.PODS)).isEmpty();
        assertThat(views.firstMissing()).isEqualTo("view budgets: forbidden");
    }

    @Test
    void a_view_that_is_synced_again_counts_from_then() {
        views.lost(View.PODS, "timeout", START.plusSeconds(10));
        views.synced(View.PODS, START.plusSeconds(20));

        assertThat(views.since(View.PODS)).contains(START.plusSeconds(20));
        assertThat(views.since(View.NODES)).contains(START);
    }

    @Test
    void a_gap_starts_with_the_view_silent_longest_and_ends_with_the_last_one_that_is_synced() {
        views.lost(View.PODS, "timeout", START.plusSeconds(10));
        views.lost(View.NODES, "timeout", START.plusSeconds(5));
        views.synced(View.PODS, START.plusSeconds(20));
        assertThat(views.endedGap()).isEmpty();

        views.synced(View.NODES, START.plusSeconds(30));

        assertThat(views.endedGap()).contains(START.plusSeconds(5));
        assertThat(views.endedGap()).isEmpty();
    }

    @Test
    void a_lost_view_that_shows_no_violations_makes_no_gap() {
        views.lost(View.PAUSES, "timeout", START.plusSeconds(10));
        views.synced(View.PAUSES, START.plusSeconds(20));

        assertThat(views.endedGap()).isEmpty();
    }
}
