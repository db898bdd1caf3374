package dev.holdfast.operator.feed;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.policies.engine.protocol.Event;
import dev.holdfast.policies.engine.protocol.Event.ViewLost;
import dev.holdfast.policies.engine.protocol.Event.ViewSynced;
import dev.holdfast.policies.engine.protocol.View;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class ViewGateTest {
    private final List<WatchedKind> owners =
            List.of(WatchedKind.REPLICA_SETS, WatchedKind.STATEFUL_SETS, WatchedKind.JOBS);
    private static final Instant HEARD = Instant.parse("2026-11-20T12:00:00Z");

    private final List<Event> told = new ArrayList<>();
    private final ViewGate gate = new ViewGate(View.OWNERS, owners, told::add);

    @Test
    void aViewIsSyncedOnceAllItsKindsAre() {
        gate.synced(owners.get(0));
        gate.synced(owners.get(1));
        assertThat(told).isEmpty();

        gate.synced(owners.get(2));

        assertThat(told).containsExactly(new ViewSynced(View.OWNERS));
    }

    @Test
    void aViewIsLostWithOneOfItsKindsAndBackWithIt() {
        owners.forEach(gate::synced);
        told.clear();

        gate.lost(owners.get(1), "no API server", HEARD);
        gate.lost(owners.get(2), "no API server", HEARD);
        gate.synced(owners.get(1));
        gate.synced(owners.get(2));

        assertThat(told)
                .containsExactly(new ViewLost(View.OWNERS, "no API server", HEARD), new ViewSynced(View.OWNERS));
    }

    @Test
    void ofSeveralKindsThatAreLostTheOneSilentLongestIsTold() {
        owners.forEach(gate::synced);
        told.clear();

        gate.lost(owners.get(0), "no API server", HEARD);
        gate.lost(owners.get(1), "no API server", HEARD.minusSeconds(50));
        gate.lost(owners.get(2), "no API server", HEARD.minusSeconds(10));

        assertThat(told)
                .containsExactly(
                        new ViewLost(View.OWNERS, "no API server", HEARD),
                        new ViewLost(View.OWNERS, "no API server", HEARD.minusSeconds(50)));
    }

    @Test
    void aViewThatWasNeverThereSaysWhyAndSaysItAgainWhenThatChanges() {
        gate.lost(owners.get(0), "no API server", HEARD);
        gate.lost(owners.get(0), "no API server", HEARD);
        gate.lost(owners.get(0), "no right", HEARD);

        assertThat(told)
                .containsExactly(
                        new ViewLost(View.OWNERS, "no API server", HEARD),
                        new ViewLost(View.OWNERS, "no right", HEARD));
    }

    @Test
    void ofKindsThatFailEachForItsOwnReasonOneIsToldAndNotAllInTurn() {
        owners.forEach(gate::synced);
        told.clear();

        for (int retry = 0; retry < 3; retry++) {
            gate.lost(WatchedKind.JOBS, "no right to list jobs", HEARD);
            gate.lost(WatchedKind.STATEFUL_SETS, "no right to list statefulsets", HEARD);
        }

        assertThat(told).containsExactly(new ViewLost(View.OWNERS, "no right to list jobs", HEARD));
    }

    @Test
    void aKindThatComesAndGoesDoesNotDrownTheOneSilentForLonger() {
        owners.forEach(gate::synced);
        told.clear();

        for (int retry = 0; retry < 3; retry++) {
            gate.lost(WatchedKind.STATEFUL_SETS, "no right to list statefulsets", HEARD);
            gate.lost(WatchedKind.JOBS, "no right to list jobs", HEARD.plusSeconds(1));
            gate.synced(WatchedKind.JOBS);
        }

        assertThat(told).containsExactly(new ViewLost(View.OWNERS, "no right to list statefulsets", HEARD));
    }

    @Test
    void whatIsStillMissingIsToldOnceTheOneSilentLongestIsBack() {
        owners.forEach(gate::synced);
        told.clear();

        gate.lost(WatchedKind.JOBS, "no right to list jobs", HEARD);
        gate.lost(WatchedKind.STATEFUL_SETS, "no right to list statefulsets", HEARD.plusSeconds(1));
        gate.synced(WatchedKind.JOBS);

        assertThat(told)
                .containsExactly(
                        new ViewLost(View.OWNERS, "no right to list jobs", HEARD),
                        new ViewLost(View.OWNERS, "no right to list statefulsets", HEARD.plusSeconds(1)));
    }

    @Test
    void aReasonIsNewsOnceUntilItsKindIsSyncedAgain() {
        assertThat(gate.lost(WatchedKind.JOBS, "no right", HEARD)).isTrue();
        assertThat(gate.lost(WatchedKind.JOBS, "no right", HEARD.plusSeconds(1)))
                .isFalse();
        assertThat(gate.lost(WatchedKind.JOBS, "no right", HEARD.minusSeconds(1)))
                .isFalse();
        assertThat(gate.lost(WatchedKind.JOBS, "no API server", HEARD)).isTrue();
        assertThat(gate.lost(WatchedKind.REPLICA_SETS, "no API server", HEARD)).isTrue();

        gate.synced(WatchedKind.JOBS);
        assertThat(gate.lost(WatchedKind.JOBS, "no API server", HEARD)).isTrue();
    }
}
