package dev.holdfast.operator.offline.simulate;

import static dev.holdfast.policies.engine.TestPolicies.FORGIVENESS;
import static dev.holdfast.policies.engine.TestPolicies.policy;
import static dev.holdfast.policies.testing.Facts.cluster;
import static dev.holdfast.policies.testing.PodTraits.nodeSelector;
import static dev.holdfast.policies.testing.PodTraits.on;
import static dev.holdfast.policies.testing.PodTraits.replicaOf;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.params.provider.Arguments.argumentSet;

import dev.holdfast.operator.config.OperatorConfig;
import dev.holdfast.operator.offline.simulate.object.Assumptions;
import dev.holdfast.policies.engine.protocol.Event;
import dev.holdfast.policies.engine.report.Notification;
import dev.holdfast.policies.plan.controls.CronSchedule;
import dev.holdfast.policies.plan.controls.MaintenanceWindow;
import dev.holdfast.policies.plan.controls.MaxUnavailable;
import dev.holdfast.policies.plan.controls.Pause;
import dev.holdfast.policies.rule.Mode;
import dev.holdfast.policies.rule.WhenInfeasible;
import dev.holdfast.policies.selector.ParseResult;
import dev.holdfast.policies.testing.ClusterBuilder;
import dev.holdfast.policies.testing.ControlsDraft;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * While pods without a node wait until their policy evicts them, a simulation leaves out most of the checks. All nodes
 * have lost label {@code disk=ssd}, which the pods need. The simulation begins at 12:00.
 */
class LeapsTest {
    private static final Instant START = Instant.parse("2026-11-26T12:00:00Z");

    private static ClusterBuilder pods(int number) {
        ClusterBuilder builder = cluster().node("spare");
        for (int i = 1; i <= number; i++) {
            builder.node("n" + i)
                    .replicaSet("web-" + i, 1)
                    .pod("web-" + i, on("n" + i), replicaOf("web-" + i), nodeSelector("disk", "ssd"));
        }
        return builder;
    }

    private static Event.PolicyChanged evictingAfter(Duration time, MaintenanceWindow... windows) {
        return new Event.PolicyChanged(
                policy("web", Mode.ENFORCE, FORGIVENESS, WhenInfeasible.evictAfter(time)),
                ControlsDraft.plain()
                        .windows(List.of(windows))
                        .perHour(7)
                        .maxUnavailable(new MaxUnavailable.Percent(10))
                        .controls());
    }

    private static MaintenanceWindow window(String schedule, Duration length) {
        return switch (CronSchedule.of(schedule)) {
            case ParseResult.Usable<CronSchedule>(CronSchedule it) ->
                new MaintenanceWindow("night", MaintenanceWindow.Action.ALLOW, it, length, ZoneOffset.UTC);
            case ParseResult.Unusable<CronSchedule>(String why) -> throw new AssertionError(why);
        };
    }

    private static Simulation simulation(ClusterBuilder builder, Event.PolicyChanged policy, Pause... pauses) {
        return new Simulation(
                OperatorConfig.defaults().engineSettings(),
                new SimulationInput(builder.facts(), List.of(policy), List.of(pauses)),
                Mode.ENFORCE,
                Assumptions.defaults(),
                START);
    }

    private static List<String> evictions(Simulation simulation) {
        return simulation.happenings().stream()
                .flatMap(
                        happening -> happening instanceof Happening.Notified(Instant at, Notification.Evicting evicting)
                                ? Stream.of(Duration.between(START, at).toSeconds() + "s "
                                        + evicting.violation().pod().name())
                                : Stream.empty())
                .toList();
    }

    static Stream<Arguments> clusters() {
        Duration hour = Duration.ofHours(1);
        Pause pause = new Pause(
                "freeze", "quarter end", Optional.empty(), List.of(), Optional.of(START.plus(Duration.ofMinutes(90))));
        return Stream.of(
                argumentSet("one pod", pods(1), evictingAfter(hour), List.of(), 1),
                argumentSet(
                        "9 pods, of which two are evicted, and two more later",
                        pods(9),
                        evictingAfter(hour),
                        List.of(),
                        4),
                argumentSet(
                        "a window closes at 12:50, before the hour is over",
                        pods(1),
                        evictingAfter(hour, window("50 11 * * *", hour)),
                        List.of(),
                        0),
                argumentSet(
                        "a window opens at 12:30, and the hour counts from then",
                        pods(1),
                        evictingAfter(hour, window("30 12 * * *", Duration.ofHours(2))),
                        List.of(),
                        1),
                argumentSet(
                        "a pause ends at 13:30, and the hour counts from then",
                        pods(1),
                        evictingAfter(hour),
                        List.of(pause),
                        1));
    }

    @ParameterizedTest
    @MethodSource("clusters")
    void leapsChangeNoEviction(ClusterBuilder builder, Event.PolicyChanged policy, List<Pause> pauses, int evicted) {
        Simulation each = simulation(builder, policy, pauses.toArray(Pause[]::new));
        Simulation leaping = simulation(builder, policy, pauses.toArray(Pause[]::new));

        each.advanceTo(Duration.ofMinutes(160));
        leaping.leapTo(Duration.ofMinutes(160));

        assertThat(evictions(leaping)).isEqualTo(evictions(each)).hasSize(evicted);
        assertThat(leaping.operatorSteps()).isLessThan(each.operatorSteps());
    }

    /** A plan looks for nodes for 20 pods at most, so that each second another part has its turn. */
    @Test
    void leapsChangeNoEvictionOfMorePodsThanOnePlanLooksFor() {
        Event.PolicyChanged policy = new Event.PolicyChanged(
                policy("web", Mode.ENFORCE, FORGIVENESS, WhenInfeasible.evictAfter(Duration.ofMinutes(20))));
        Simulation each = simulation(pods(22), policy);
        Simulation leaping = simulation(pods(22), policy);

        each.advanceTo(Duration.ofMinutes(25));
        leaping.leapTo(Duration.ofMinutes(25));

        assertThat(evictions(leaping)).isEqualTo(evictions(each)).isNotEmpty();
        assertThat(leaping.operatorSteps()).isLessThan(each.operatorSteps());
    }

    /** In six days there are more than half a million seconds. */
    @Test
    void aWaitOfSixDaysTakesFewSteps() {
        Simulation simulation = simulation(pods(1), evictingAfter(Duration.ofDays(6)));

        simulation.leapTo(Duration.ofDays(7));

        assertThat(evictions(simulation)).containsExactly("518460s web-1");
        assertThat(simulation.operatorSteps()).isLessThan(10_000);
    }

    /** A new node would take the pod, so that it does not wait any longer. */
    @Test
    void aNodeThatComesMeanwhileIsFound() {
        Simulation simulation = simulation(pods(1), evictingAfter(Duration.ofDays(6)));
        simulation.leapTo(Duration.ofDays(1));

        simulation.make(new Change.LabelNodes(
                "spare", new Change.Selection.Named("spare"), Map.of("disk", Optional.of("ssd"))));
        simulation.leapTo(Duration.ofDays(1).plusMinutes(10));

        assertThat(evictions(simulation)).hasSize(1);
    }
}
