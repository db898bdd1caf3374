package dev.holdfast.policies.engine.report;

import static dev.holdfast.policies.engine.TestPolicies.auditing;
import static dev.holdfast.policies.engine.TestPolicies.enforcing;
import static dev.holdfast.policies.testing.Facts.cluster;
import static dev.holdfast.policies.testing.Facts.labels;
import static dev.holdfast.policies.testing.PodTraits.nodeSelector;
import static dev.holdfast.policies.testing.PodTraits.on;
import static dev.holdfast.policies.testing.PodTraits.replicaOf;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.params.provider.Arguments.argumentSet;

import dev.holdfast.policies.engine.EngineScenario;
import dev.holdfast.policies.engine.TestPolicies;
import dev.holdfast.policies.engine.protocol.Effect;
import dev.holdfast.policies.engine.protocol.Event;
import dev.holdfast.policies.plan.controls.DisruptionControls;
import dev.holdfast.policies.plan.controls.MaxUnavailable;
import dev.holdfast.policies.plan.controls.PolicyLimits;
import dev.holdfast.policies.plan.move.EvictionAnswer;
import dev.holdfast.policies.rule.Policy;
import dev.holdfast.policies.testing.ClusterBuilder;
import dev.holdfast.policies.testing.ControlsDraft;
import java.time.Duration;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Tests the forecast in a policy's report: how many pods would be evicted, and in what time. */
class OutlookTest {
    /**
     * {@return a cluster with four pods, each of its own workload, and one pod without a controller, all on a node that
     * lost the label that they need; another node has the label}
     */
    private static ClusterBuilder broken() {
        ClusterBuilder facts = cluster().node("n1", labels("disk", "hdd")).node("n2", labels("disk", "ssd"));
        for (int i = 1; i <= 4; i++) {
            facts.replicaSet("web-" + i, 1)
                    .pod("web-" + i, on("n1"), replicaOf("web-" + i), nodeSelector("disk", "ssd"));
        }
        return facts.pod("bare", on("n1"), nodeSelector("disk", "ssd"));
    }

    private static EngineScenario due(Policy policy) {
        return EngineScenario.begin(broken(), policy)
                .after(TestPolicies.FORGIVENESS)
                .afterSeconds(11);
    }

    @Test
    void inAuditItCountsThoseThatNothingHoldsAndThoseThatOnlyALimitWouldHold() {
        EngineScenario engineScenario = due(auditing());

        assertThat(engineScenario.report(auditing()).holds()).hasSize(2);
        assertThat(engineScenario.report(auditing()).outlook()).isEqualTo(new Outlook(4, 120));
    }

    @Test
    void whileItIsForgivenNothingWouldBeMoved() {
        EngineScenario engineScenario =
                EngineScenario.begin(broken(), auditing()).afterSeconds(30);

        assertThat(engineScenario.report(auditing()).outlook()).isEqualTo(new Outlook(0, 120));
    }

    @Test
    void whereItIsOnThoseOnTheirWayCountUntilTheyAreGone() {
        EngineScenario engineScenario = EngineScenario.begin(broken(), enforcing())
                .neverAnswering(Effect.Evict.class)
                .after(TestPolicies.FORGIVENESS)
                .afterSeconds(11);

        assertThat(engineScenario.requests).hasSize(2);
        assertThat(engineScenario.report(enforcing()).outlook()).isEqualTo(new Outlook(4, 120));
    }

    @Test
    void whatSomethingElseHoldsDoesNotCount() {
        EngineScenario engineScenario = EngineScenario.begin(broken(), enforcing())
                .answeringDryRuns(_ -> new EvictionAnswer.OutOfBudget("none left", Optional.empty()))
                .after(TestPolicies.FORGIVENESS)
                .afterSeconds(11);

        assertThat(engineScenario.report(enforcing()).outlook()).isEqualTo(new Outlook(0, 120));
    }

    static Stream<Arguments> limits() {
        return Stream.of(
                argumentSet(
                        "60 an hour for the policy",
                        limits(OptionalInt.empty(), OptionalInt.of(60)),
                        new Outlook(4, 60)),
                argumentSet(
                        "500 an hour for the policy, 120 an hour for all policies",
                        limits(OptionalInt.empty(), OptionalInt.of(500)),
                        new Outlook(4, 120)),
                argumentSet(
                        "no concurrent eviction", limits(OptionalInt.of(0), OptionalInt.empty()), new Outlook(4, 0)),
                argumentSet(
                        "one concurrent eviction per workload, as in the operator's limits",
                        ofWorkload(OptionalInt.of(1), new PolicyLimits.HourlyWorkloadLimit.Unlimited()),
                        new Outlook(4, 120)),
                argumentSet(
                        "no concurrent eviction per workload: no pod would ever be evicted",
                        ofWorkload(OptionalInt.of(0), new PolicyLimits.HourlyWorkloadLimit.Unlimited()),
                        new Outlook(0, 0)),
                argumentSet(
                        "one percent of a workload in an hour: at least one pod",
                        ofWorkload(OptionalInt.empty(), new PolicyLimits.HourlyWorkloadLimit.Percent(1)),
                        new Outlook(4, 120)),
                argumentSet(
                        "no percent of a workload in an hour",
                        ofWorkload(OptionalInt.empty(), new PolicyLimits.HourlyWorkloadLimit.Percent(0)),
                        new Outlook(0, 0)),
                argumentSet(
                        "no pod of a workload in an hour",
                        ofWorkload(OptionalInt.empty(), new PolicyLimits.HourlyWorkloadLimit.Pods(0)),
                        new Outlook(0, 0)));
    }

    private static PolicyLimits ofWorkload(OptionalInt concurrent, PolicyLimits.HourlyWorkloadLimit perHour) {
        return new PolicyLimits(
                OptionalInt.empty(), OptionalInt.empty(), 0, concurrent, perHour, new MaxUnavailable.Unlimited());
    }

    private static PolicyLimits limits(OptionalInt concurrent, OptionalInt perHour) {
        return new PolicyLimits(
                concurrent,
                perHour,
                0,
                OptionalInt.empty(),
                new PolicyLimits.HourlyWorkloadLimit.Unlimited(),
                new MaxUnavailable.Unlimited());
    }

    @ParameterizedTest
    @MethodSource("limits")
    void itGoesAtThePaceOfTheTighterLimit(PolicyLimits limits, Outlook expected) {
        DisruptionControls disruptionControls =
                ControlsDraft.plain().limits(limits).controls();
        EngineScenario engineScenario = EngineScenario.begin(broken())
                .event(new Event.PolicyChanged(auditing(), disruptionControls))
                .after(TestPolicies.FORGIVENESS)
                .afterSeconds(11);

        assertThat(engineScenario.report(auditing()).outlook()).isEqualTo(expected);
    }

    static Stream<Arguments> times() {
        return Stream.of(
                argumentSet("nothing takes no time", new Outlook(0, 60), Optional.of(Duration.ZERO)),
                argumentSet("nothing takes no time, whatever the limit", new Outlook(0, 0), Optional.of(Duration.ZERO)),
                argumentSet("60 at 60 an hour may go at once", new Outlook(60, 60), Optional.of(Duration.ZERO)),
                argumentSet("one more waits for an hour", new Outlook(61, 60), Optional.of(Duration.ofHours(1))),
                argumentSet("130 at 60 an hour take two", new Outlook(130, 60), Optional.of(Duration.ofHours(2))),
                argumentSet("with none an hour, no time is known", new Outlook(1, 0), Optional.empty()));
    }

    @ParameterizedTest
    @MethodSource("times")
    void howLongItTakesAtLeast(Outlook outlook, Optional<Duration> expected) {
        assertThat(outlook.atLeast()).isEqualTo(expected);
    }
}
