package dev.holdfast.policies.engine;

import static dev.holdfast.policies.engine.TestPolicies.auditing;
import static dev.holdfast.policies.engine.TestPolicies.enforcing;
import static dev.holdfast.policies.testing.Changes.namespaceChanged;
import static dev.holdfast.policies.testing.Demands.matchLabels;
import static dev.holdfast.policies.testing.Demands.matcher;
import static dev.holdfast.policies.testing.Facts.NAMESPACE;
import static dev.holdfast.policies.testing.Facts.cluster;
import static dev.holdfast.policies.testing.Facts.labels;
import static dev.holdfast.policies.testing.PodTraits.nodeSelector;
import static dev.holdfast.policies.testing.PodTraits.on;
import static dev.holdfast.policies.testing.PodTraits.replicaOf;
import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.policies.engine.protocol.Event;
import dev.holdfast.policies.engine.protocol.View;
import dev.holdfast.policies.evaluate.Reason;
import dev.holdfast.policies.plan.controls.CronSchedule;
import dev.holdfast.policies.plan.controls.MaintenanceWindow;
import dev.holdfast.policies.plan.controls.Pause;
import dev.holdfast.policies.rule.Policy;
import dev.holdfast.policies.selector.ParseResult;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/**
 * Tests EnforcementPauses: while one applies, no pod is evicted; afterwards evictions continue without an action of the
 * user.
 */
class PauseScenarioTest {
    private static final Event FREEZE = paused("freeze", Optional.empty());

    /**
     * {@return a scenario with a pod whose violation starts at once and is due after a minute; another node would take
     * it}
     */
    private static EngineScenario broken(Policy policy) {
        return EngineScenario.begin(
                cluster()
                        .namespace(NAMESPACE, labels("team", "blue"))
                        .node("n1", labels("disk", "hdd"))
                        .node("n2", labels("disk", "ssd"))
                        .replicaSet("web", 1)
                        .pod("web-1", on("n1"), replicaOf("web"), nodeSelector("disk", "ssd")),
                policy);
    }

    private static Event paused(String name, Optional<Duration> fromStart) {
        return new Event.PauseChanged(
                new Pause(name, "quarter end", Optional.empty(), List.of(), fromStart.map(EngineScenario.START::plus)));
    }

    private static Event pausedFor(String team) {
        return new Event.PauseChanged(new Pause(
                "freeze", "quarter end", Optional.of(matcher(matchLabels("team", team))), List.of(), Optional.empty()));
    }

    private static Event pausedInWindow(String schedule, Duration open) {
        CronSchedule parsed = switch (CronSchedule.of(schedule)) {
            case ParseResult.Usable<CronSchedule>(CronSchedule it) -> it;
            case ParseResult.Unusable<CronSchedule>(String why) -> throw new AssertionError(why);
        };
        return new Event.PauseChanged(new Pause(
                "freeze",
                "quarter end",
                Optional.empty(),
                List.of(new MaintenanceWindow("deploy", MaintenanceWindow.Action.DENY, parsed, open, ZoneOffset.UTC)),
                Optional.empty()));
    }

    @Test
    void whatIsDueIsHeldWhileAPauseAppliesAndLeavesWhenItIsGone() {
        EngineScenario engineScenario = broken(enforcing()).event(FREEZE).afterSeconds(600);

        assertThat(engineScenario.reads).isEmpty();
        assertThat(engineScenario.holds()).containsExactly(Reason.PAUSED);
        assertThat(engineScenario.heldBecause()).isEqualTo("EnforcementPause freeze: quarter end; until it is deleted");
        engineScenario.event(new Event.PauseRemoved("freeze")).afterSeconds(1);

        assertThat(engineScenario.evicted()).containsExactly("web-1");
    }

    @Test
    void aPauseMadeWhileThePodIsReadKeepsEvenTheDryRunFromBeingSent() {
        EngineScenario engineScenario = broken(enforcing()).duringReads(FREEZE).afterSeconds(60);

        assertThat(engineScenario.reads).hasSize(1);
        assertThat(engineScenario.dryRuns).isEmpty();
        assertThat(engineScenario.held()).isEqualTo(Reason.PAUSED);
    }

    @Test
    void aPauseMadeDuringTheDryRunKeepsTheRealRequestFromBeingSent() {
        EngineScenario engineScenario = broken(enforcing()).duringDryRun(FREEZE).afterSeconds(60);

        assertThat(engineScenario.dryRuns).hasSize(1);
        assertThat(engineScenario.requests).isEmpty();
        assertThat(engineScenario.held()).isEqualTo(Reason.PAUSED);
    }

    @Test
    void aPauseThatExpiresLetsWhatIsDueGoOnAtThatMomentByItself() {
        EngineScenario engineScenario = broken(enforcing())
                .event(paused("freeze", Optional.of(Duration.ofMinutes(5))))
                .afterSeconds(299);
        assertThat(engineScenario.reads).isEmpty();

        engineScenario.afterSeconds(1);

        assertThat(engineScenario.evicted()).containsExactly("web-1");
    }

    @Test
    void ofTwoPausesTheOneThatLastsLongerHolds() {
        EngineScenario engineScenario = broken(enforcing())
                .event(paused("a-short", Optional.of(Duration.ofMinutes(2))))
                .event(paused("b-long", Optional.of(Duration.ofMinutes(4))))
                .afterSeconds(90);
        assertThat(engineScenario.heldBecause()).startsWith("EnforcementPause b-long: ");
        engineScenario.event(new Event.PauseRemoved("a-short")).afterSeconds(149);
        assertThat(engineScenario.reads).isEmpty();

        engineScenario.afterSeconds(1);

        assertThat(engineScenario.evicted()).containsExactly("web-1");
    }

    @Test
    void oneOfTwoPausesThatIsGoneLeavesTheOtherHolding() {
        EngineScenario engineScenario = broken(enforcing())
                .event(paused("of-one-team", Optional.empty()))
                .event(paused("of-another", Optional.empty()))
                .event(new Event.PauseRemoved("of-one-team"))
                .afterSeconds(600);

        assertThat(engineScenario.reads).isEmpty();
        assertThat(engineScenario.heldBecause()).startsWith("EnforcementPause of-another: ");
    }

    @Test
    void onlyNamespacesThatThePauseSelectsAreHeldAndItFollowsTheirLabels() {
        EngineScenario engineScenario =
                broken(enforcing()).event(pausedFor("red")).afterSeconds(59);
        engineScenario
                .happens(namespaceChanged(NAMESPACE, labels("team", "red")))
                .afterSeconds(60);
        assertThat(engineScenario.held()).isEqualTo(Reason.PAUSED);

        engineScenario
                .happens(namespaceChanged(NAMESPACE, labels("team", "blue")))
                .afterSeconds(1);

        assertThat(engineScenario.evicted()).containsExactly("web-1");
    }

    @Test
    void aWindowOfAPauseOpensAndClosesByItself() {
        EngineScenario engineScenario = broken(enforcing())
                .event(pausedInWindow("1 12 * * *", Duration.ofSeconds(90)))
                .afterSeconds(149);
        assertThat(engineScenario.reads).isEmpty();

        engineScenario.afterSeconds(1);

        assertThat(engineScenario.now).isEqualTo(Instant.parse("2026-11-20T12:02:30Z"));
        assertThat(engineScenario.evicted()).containsExactly("web-1");
    }

    @Test
    void auditedTooShowsThePauseFromTheMomentItBeginsToTheMomentItEnds() {
        EngineScenario engineScenario = broken(auditing()).event(pausedInWindow("2 12 * * *", Duration.ofMinutes(1)));

        engineScenario.afterSeconds(119);
        assertThat(engineScenario.report(auditing()).holds()).isEmpty();
        engineScenario.afterSeconds(2);
        assertThat(engineScenario.report(auditing()).holds()).containsOnlyKeys(Reason.PAUSED);
        engineScenario.afterSeconds(60);
        assertThat(engineScenario.report(auditing()).holds()).isEmpty();
    }

    @Test
    void aPauseOverBeforeItWasMadeHoldsNothing() {
        EngineScenario engineScenario = broken(enforcing())
                .event(paused("freeze", Optional.of(Duration.ofSeconds(-1))))
                .afterSeconds(60);

        assertThat(engineScenario.evicted()).containsExactly("web-1");
    }

    @Test
    void whilePausesCannotBeReadEverythingIsPaused() {
        EngineScenario engineScenario = broken(enforcing()).loses(View.PAUSES).afterSeconds(600);

        assertThat(engineScenario.reads).isEmpty();
        assertThat(engineScenario.held()).isEqualTo(Reason.VIEW_NOT_SYNCED);
        assertThat(engineScenario.heldBecause())
                .isEqualTo("view pauses: the watch was cut; a pause that cannot be read may apply to everything");
    }
}
