package dev.holdfast.operator.app;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.policies.engine.protocol.Event;
import dev.holdfast.policies.engine.protocol.View;
import dev.holdfast.policies.model.ClusterEvent;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Which events reach the engine before and after the API server goes back to an older state. */
class HistoryGuardTest {
    private static final Event SYNCED = new Event.ViewSynced(View.PODS);
    private static final Event FACT = new Event.ObjectChanged(new ClusterEvent.NamespaceGone("shop"));
    private static final Event CUT = new Event.ViewLost(View.PODS, "the watch was cut", Instant.EPOCH.plusSeconds(1));
    private static final Event ANOTHER_PAST =
            new Event.ViewLost(View.PODS, "a backup was restored", Event.ViewLost.NEVER);

    private final List<Event> engine = new ArrayList<>();
    private final List<String> fatal = new ArrayList<>();
    private final HistoryGuard guard = new HistoryGuard(engine::add, fatal::add);

    @Test
    void anInterruptedWatchIsNoOtherPast() {
        List.of(SYNCED, FACT, CUT, SYNCED).forEach(guard);

        assertThat(engine).containsExactly(SYNCED, FACT, CUT, SYNCED);
        assertThat(fatal).isEmpty();
    }

    @Test
    void afterAnotherPastTheOperatorStopsAndNoViewIsSynced() {
        List.of(SYNCED, ANOTHER_PAST, SYNCED, FACT).forEach(guard);

        assertThat(engine).containsExactly(SYNCED, ANOTHER_PAST, FACT);
        assertThat(fatal).containsExactly("a backup was restored");
    }
}
