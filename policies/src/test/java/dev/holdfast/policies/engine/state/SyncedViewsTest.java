package dev.holdfast.policies.engine.state;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.policies.engine.EngineScenario;
import dev.holdfast.policies.engine.protocol.View;
import java.time.Instant;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Tests which views are synced, and when a gap in observation has ended. */
class SyncedViewsTest {
    private static final Instant START = EngineScenario.START;

    private final SyncedViews views = new SyncedViews();

    @BeforeEach
    void allAreSynced() {
        for (View view : View.values()) {
            views.synced(view, START);
        }
    }

    @Test
    void whileOneViewIsLostNoneCountsAsSynced() {
        views.lost(View.BUDGETS, "forbidden", START.plusSeconds(10));

        assertThat(views.all()).isFalse();
        assertThat(views.since(View.PODS)).isEmpty();
        assertThat(views.firstMissing()).isEqualTo("view budgets: forbidden");
    }

    @Test
    void aViewThatIsSyncedAgainCountsFromThen() {
        views.lost(View.PODS, "timeout", START.plusSeconds(10));
        views.synced(View.PODS, START.plusSeconds(20));

        assertThat(views.since(View.PODS)).contains(START.plusSeconds(20));
        assertThat(views.since(View.NODES)).contains(START);
    }

    @Test
    void aGapStartsWithTheViewSilentLongestAndEndsWithTheLastOneThatIsSynced() {
        views.lost(View.PODS, "timeout", START.plusSeconds(10));
        views.lost(View.NODES, "timeout", START.plusSeconds(5));
        views.synced(View.PODS, START.plusSeconds(20));
        assertThat(views.endedGap()).isEmpty();

        views.synced(View.NODES, START.plusSeconds(30));

        assertThat(views.endedGap()).contains(START.plusSeconds(5));
        assertThat(views.endedGap()).isEmpty();
    }

    @Test
    void aLostViewThatShowsNoViolationsMakesNoGap() {
        views.lost(View.PAUSES, "timeout", START.plusSeconds(10));
        views.synced(View.PAUSES, START.plusSeconds(20));

        assertThat(views.endedGap()).isEmpty();
    }
}
