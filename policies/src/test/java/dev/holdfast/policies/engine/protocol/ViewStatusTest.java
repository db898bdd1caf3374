package dev.holdfast.policies.engine.protocol;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.policies.engine.Engine;
import dev.holdfast.policies.engine.EngineScenario;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** Tests the status that the engine reports for its views. */
class ViewStatusTest {
    private final Engine engine = new Engine(EngineScenario.settings());

    private ViewStatus after(Event event) {
        engine.step(event, EngineScenario.START);
        return Optional.ofNullable(engine.views().get(View.PODS)).orElseThrow();
    }

    @Test
    void beforeItsFirstSyncAViewIsMissing() {
        assertThat(engine.views()).containsOnlyKeys(View.values());
        assertThat(engine.views().values()).containsOnly(new ViewStatus.Missing("not synced yet"));
    }

    @Test
    void aViewIsSyncedUntilItIsLostAndThenSaysWhy() {
        ViewStatus synced = after(new Event.ViewSynced(View.PODS));
        assertThat(synced).isEqualTo(new ViewStatus.Synced());
        assertThat(synced.isSynced()).isTrue();
        assertThat(synced.missing()).isEmpty();

        ViewStatus lost = after(new Event.ViewLost(View.PODS, "the watch was cut", Instant.EPOCH));
        assertThat(lost.isSynced()).isFalse();
        assertThat(lost.missing()).contains("the watch was cut");
        assertThat(after(new Event.ViewLost(View.PODS, "no right", Instant.EPOCH))
                        .missing())
                .contains("no right");
        assertThat(after(new Event.ViewSynced(View.PODS))).isEqualTo(new ViewStatus.Synced());
    }

    @Test
    void oneViewSaysNothingOfAnotherAndAnAnswerStaysAsItIs() {
        Map<View, ViewStatus> before = engine.views();
        after(new Event.ViewSynced(View.NODES));

        assertThat(engine.views()).containsEntry(View.NODES, new ViewStatus.Synced());
        assertThat(engine.views()).containsEntry(View.PODS, new ViewStatus.Missing("not synced yet"));
        assertThat(before).containsEntry(View.NODES, new ViewStatus.Missing("not synced yet"));
    }
}
