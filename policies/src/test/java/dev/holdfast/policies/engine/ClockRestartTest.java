package dev.holdfast.policies.engine;

import static dev.holdfast.policies.engine.TestPolicies.edited;
import static dev.holdfast.policies.engine.TestPolicies.enforcing;
import static dev.holdfast.policies.testing.Changes.podChanged;
import static dev.holdfast.policies.testing.Facts.cluster;
import static dev.holdfast.policies.testing.Facts.labels;
import static dev.holdfast.policies.testing.PodTraits.annotated;
import static dev.holdfast.policies.testing.PodTraits.nodeSelector;
import static dev.holdfast.policies.testing.PodTraits.on;
import static dev.holdfast.policies.testing.PodTraits.replicaOf;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.params.provider.Arguments.argumentSet;

import dev.holdfast.policies.engine.protocol.Event;
import dev.holdfast.policies.engine.protocol.View;
import dev.holdfast.policies.engine.report.ClockRestart;
import dev.holdfast.policies.rule.Mode;
import java.time.Duration;
import java.util.EnumMap;
import java.util.Map;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * What counts as a restart of a forgiveness. One pod has violated an enforced rule for 10 s, of 60 s that are forgiven.
 */
class ClockRestartTest {
    private static void loses(EngineScenario engineScenario, int seconds) {
        engineScenario.loses(View.PODS).afterSeconds(seconds).event(new Event.ViewSynced(View.PODS));
    }

    private static void leadsNoMore(EngineScenario engineScenario, int seconds) {
        engineScenario
                .event(new Event.LeadershipLost("the lease was not renewed", engineScenario.now))
                .afterSeconds(seconds);
    }

    static Stream<Arguments> rows() {
        return Stream.of(
                row("nothing happens", _ -> {}, Map.of()),
                row("a view is lost for 5 s, less than a tenth", it -> loses(it, 5), Map.of()),
                row("a view is lost for 7 s", it -> loses(it, 7), Map.of(ClockRestart.VIEW_LOST, 1L)),
                row(
                        "another replica may have led",
                        it -> {
                            leadsNoMore(it, 1);
                            it.event(new Event.LeadershipGained());
                        },
                        Map.of(ClockRestart.LEADERSHIP_GAINED, 1L)),
                row(
                        "no replica led for 5 s",
                        it -> {
                            leadsNoMore(it, 5);
                            it.event(new Event.LeadershipRegained());
                        },
                        Map.of()),
                row(
                        "no replica led for 7 s",
                        it -> {
                            leadsNoMore(it, 7);
                            it.event(new Event.LeadershipRegained());
                        },
                        Map.of(ClockRestart.LEADERSHIP_GAP, 1L)),
                row(
                        "the right to evict comes back",
                        it -> it.event(new Event.ModeCapped(Mode.AUDIT, "no right"))
                                .afterSeconds(1)
                                .event(new Event.ModeCapped(Mode.ENFORCE, "the right to evict is there")),
                        Map.of(ClockRestart.CEILING_RAISED, 1L)),
                row(
                        "the policy forgives less",
                        it -> it.event(new Event.PolicyChanged(edited(enforcing("web", Duration.ofSeconds(50))))),
                        Map.of(ClockRestart.POLICY_WIDENED, 1L)),
                row(
                        "the policy forgives less, after generations that the engine did not get",
                        it -> it.event(
                                new Event.PolicyChanged(edited(enforcing("web", Duration.ofSeconds(50)))).skipping()),
                        Map.of(ClockRestart.POLICY_WIDENED, 1L)),
                row(
                        "the policy forgives as much, after generations that the engine did not get",
                        it -> it.event(new Event.PolicyChanged(edited(enforcing())).skipping()),
                        Map.of(ClockRestart.POLICY_WIDENED, 1L)),
                row(
                        "the policy forgives more",
                        it -> it.event(new Event.PolicyChanged(edited(enforcing("web", Duration.ofSeconds(70))))),
                        Map.of()),
                row(
                        "an annotation is removed",
                        it -> it.happens(podChanged("web", on("n1"), replicaOf("web"), nodeSelector("disk", "ssd"))),
                        Map.of(ClockRestart.ANNOTATION_REMOVED, 1L)));
    }

    private static Arguments row(String name, Consumer<EngineScenario> event, Map<ClockRestart, Long> restarts) {
        return argumentSet(name, event, restarts);
    }

    @ParameterizedTest
    @MethodSource("rows")
    void restartsAreCountedByTheirCause(Consumer<EngineScenario> event, Map<ClockRestart, Long> restarts) {
        EngineScenario engineScenario = EngineScenario.begin(
                        cluster()
                                .node("n1", labels("disk", "hdd"))
                                .pod(
                                        "web",
                                        on("n1"),
                                        replicaOf("web"),
                                        nodeSelector("disk", "ssd"),
                                        annotated("holdfast.dev/keep", "true")),
                        enforcing())
                .afterSeconds(10);

        event.accept(engineScenario);

        Map<ClockRestart, Long> counted = new EnumMap<>(ClockRestart.class);
        engineScenario.activity().clockRestarts().forEach((cause, count) -> {
            if (count > 0) {
                counted.put(cause, count);
            }
        });
        assertThat(counted).isEqualTo(restarts);
    }
}
