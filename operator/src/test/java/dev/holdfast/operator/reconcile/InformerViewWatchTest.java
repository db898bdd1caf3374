package dev.holdfast.operator.reconcile;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.policies.engine.protocol.Event;
import dev.holdfast.policies.engine.protocol.View;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Tests when the view of policies is synced and when it is lost. */
class InformerViewWatchTest {
    private final List<Object> told = new ArrayList<>();
    private InformerState state = InformerState.BEHIND;
    private Instant now = Instant.parse("2026-11-20T12:00:00Z");
    private final InformerViewWatch watch =
            new InformerViewWatch(View.POLICIES, () -> state, () -> told.add("handed over"), told::add, () -> now);

    private void look(InformerState found) {
        now = now.plusSeconds(1);
        state = found;
        watch.check();
    }

    @Test
    void itIsSyncedOnceAllIsHandedOver() {
        look(InformerState.BEHIND);
        look(InformerState.FOLLOWING);
        look(InformerState.FOLLOWING);

        assertThat(told).containsExactly("handed over", new Event.ViewSynced(View.POLICIES));
        assertThat(watch.untilNextLook()).isEqualTo(Duration.ofSeconds(1));
    }

    @Test
    void itKnowsWhenTheWatchesWereLastOpenThoughNothingChanges() {
        look(InformerState.FOLLOWING);
        look(InformerState.FOLLOWING);
        assertThat(watch.lastFollowing()).isEqualTo(now);

        Instant open = now;
        look(InformerState.BEHIND);
        assertThat(watch.lastFollowing()).isEqualTo(open);
    }

    @Test
    void aWatchThatBeginsAgainIsNoLoss() {
        look(InformerState.FOLLOWING);
        told.clear();
        look(InformerState.BEHIND);
        look(InformerState.FOLLOWING);
        look(InformerState.BEHIND);

        assertThat(told).isEmpty();
    }

    @Test
    void aWatchThatStaysDownIsALossAndItsReturnHandsOverAgain() {
        look(InformerState.FOLLOWING);
        Instant lastFollowing = now;
        told.clear();
        look(InformerState.BEHIND);
        look(InformerState.BEHIND);
        look(InformerState.BEHIND);
        look(InformerState.FOLLOWING);
        assertThat(told)
                .as("what the watch has missed may still be on its way")
                .containsExactly(new Event.ViewLost(View.POLICIES, "the watch of the policies is down", lastFollowing));
        look(InformerState.FOLLOWING);

        assertThat(told)
                .containsExactly(
                        new Event.ViewLost(View.POLICIES, "the watch of the policies is down", lastFollowing),
                        "handed over",
                        new Event.ViewSynced(View.POLICIES));
    }

    @Test
    void beforeTheFirstSyncNothingIsLost() {
        look(InformerState.BEHIND);
        look(InformerState.BEHIND);
        look(InformerState.BEHIND);

        assertThat(told).isEmpty();
        assertThat(watch.untilNextLook()).isEqualTo(Duration.ofMillis(50));
    }
}
