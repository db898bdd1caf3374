package dev.holdfast.operator.offline.demo;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.params.provider.Arguments.argumentSet;

import dev.holdfast.operator.offline.demo.SceneLog.PlacementEvent;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** The instant to which the demo counts down, read from events. */
class SceneLogTest {
    private static PlacementEvent event(String reason, String message) {
        return new PlacementEvent(reason, "Pod", "web-1", 1, message);
    }

    private static PlacementEvent violated(String second) {
        return event(
                "PlacementViolated",
                "Rule ssd broken since node n1 left: ... Due for eviction at 2026-11-20T15:00:" + second
                        + "Z (forgiveness 10s) unless n1 comes to match ssd; policy shop/keep.");
    }

    static Stream<Arguments> deadlines() {
        return Stream.of(
                argumentSet("no event: none", List.of(), ""),
                argumentSet("one violation: its deadline", List.of(violated("20")), "2026-11-20T15:00:20Z"),
                argumentSet("two: the first", List.of(violated("25"), violated("20")), "2026-11-20T15:00:20Z"),
                argumentSet("healed: none", List.of(violated("20"), event("PlacementHealed", "...")), ""),
                argumentSet("evicting: none", List.of(violated("20"), event("PlacementEvicting", "...")), ""),
                argumentSet("held: none", List.of(violated("20"), event("PlacementEvictionBlocked", "...")), ""),
                argumentSet(
                        "a violation in Audit: none",
                        List.of(event("PlacementViolated", "Would be due for eviction at 2026-11-20T15:00:20Z")),
                        ""));
    }

    @ParameterizedTest
    @MethodSource
    void deadlines(List<PlacementEvent> events, String deadline) {
        SceneLog sceneLog = new SceneLog(new Scene("shop", "a rule breaks", new Scene.Ending.Healed()));

        sceneLog.add(1, events, List.of());

        assertThat(sceneLog.deadline())
                .isEqualTo(Optional.of(deadline).filter(it -> !it.isEmpty()).map(Instant::parse));
    }
}
