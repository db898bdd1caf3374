package dev.holdfast.policies.engine;

import static dev.holdfast.policies.engine.TestPolicies.auditing;
import static dev.holdfast.policies.engine.TestPolicies.enforcing;
import static dev.holdfast.policies.engine.TestPolicies.over;
import static dev.holdfast.policies.testing.Changes.podChanged;
import static dev.holdfast.policies.testing.Changes.podGone;
import static dev.holdfast.policies.testing.Demands.app;
import static dev.holdfast.policies.testing.Demands.matchLabels;
import static dev.holdfast.policies.testing.Facts.ZONE;
import static dev.holdfast.policies.testing.Facts.cluster;
import static dev.holdfast.policies.testing.Facts.labels;
import static dev.holdfast.policies.testing.NodeTraits.zone;
import static dev.holdfast.policies.testing.PodTraits.nodeSelector;
import static dev.holdfast.policies.testing.PodTraits.on;
import static dev.holdfast.policies.testing.PodTraits.spread;
import static dev.holdfast.policies.testing.Spreads.maxSkew;
import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.policies.engine.protocol.Event;
import dev.holdfast.policies.engine.report.PolicyReport;
import dev.holdfast.policies.plan.controls.DisruptionControls;
import dev.holdfast.policies.rule.Mode;
import dev.holdfast.policies.rule.Policy;
import dev.holdfast.policies.rule.PolicyId;
import org.junit.jupiter.api.Test;

/** Tests which changes of a policy's report are published again, and when. */
class PublishingTest {
    private static EngineScenario broken(Policy... policies) {
        return EngineScenario.begin(
                cluster()
                        .node("n1", labels("disk", "hdd"))
                        .pod("web-1", on("n1"), nodeSelector("disk", "ssd"))
                        .pod("web-2", on("n1")),
                policies);
    }

    @Test
    void aPodThatComesAndBreaksNothingIsCounted() {
        EngineScenario engineScenario =
                broken(auditing()).happens(podChanged("web-3", on("n1"))).afterSeconds(1);

        assertThat(engineScenario.report(auditing()).pods()).isEqualTo(new PolicyReport.Pods(3, 1, 0, 0));
    }

    @Test
    void aCeilingThatSinksIsToldWhereNothingIsBroken() {
        EngineScenario engineScenario = EngineScenario.begin(cluster().node("n1"), enforcing())
                .event(new Event.ModeCapped(Mode.AUDIT, "the right is missing"))
                .afterSeconds(1);

        assertThat(engineScenario.report(enforcing()).mode()).isEqualTo(Mode.AUDIT);
    }

    @Test
    void aViolationThatIsBrokenInAnotherWayIsReportedWithinTenSecondsThoughNoNumberChanges() {
        Policy policy = over(matchLabels("watched", "yes"), auditing());
        EngineScenario engineScenario = EngineScenario.begin(
                        cluster()
                                .node("a1", zone("a"))
                                .node("b1", zone("b"))
                                .pod(
                                        "web-1",
                                        on("a1"),
                                        labels("app", "web", "watched", "yes"),
                                        spread(maxSkew(1, ZONE, app("web"))))
                                .pod("web-2", on("a1"), labels("app", "web")),
                        policy)
                .afterSeconds(1);

        engineScenario
                .happens(podChanged("web-3", on("a1"), labels("app", "web")))
                .afterSeconds(1);
        assertThat(engineScenario
                        .report(policy)
                        .oldest()
                        .getFirst()
                        .violationDetail()
                        .describe())
                .contains("skew 2");
        engineScenario.afterSeconds(9);

        assertThat(engineScenario
                        .report(policy)
                        .oldest()
                        .getFirst()
                        .violationDetail()
                        .describe())
                .contains("skew 3");
    }

    @Test
    void aPolicyTakenAwayAndPutBackWithinASecondCountsWhatIsBrokenOnce() {
        EngineScenario engineScenario = broken(auditing()).afterSeconds(5);

        engineScenario
                .event(new Event.PolicyRemoved(auditing().id()))
                .event(new Event.PolicyChanged(auditing()))
                .afterSeconds(1);

        PolicyReport report = engineScenario.report(auditing());
        assertThat(report.pods()).isEqualTo(new PolicyReport.Pods(2, 1, 0, 0));
        assertThat(report.nextDeadline()).contains(EngineScenario.START.plusSeconds(65));
        assertThat(report.violations().values()).containsExactly(1);
    }

    /** Otherwise a late report on a deleted policy would count for the next policy of that name. */
    @Test
    void aReportHasTheUidOfTheObjectThatThePolicyIsNow() {
        EngineScenario engineScenario = broken().event(uid("first")).afterSeconds(1);
        assertThat(engineScenario.report(auditing()).uid()).isEqualTo("first");

        engineScenario
                .event(new Event.PolicyRemoved(auditing().id()))
                .event(uid("second"))
                .afterSeconds(1);
        assertThat(engineScenario.report(auditing()).uid()).isEqualTo("second");
    }

    private static Event uid(String uid) {
        return new Event.PolicyChanged(auditing(), DisruptionControls.plain(), uid);
    }

    @Test
    void ofTwoPoliciesThatAskForOneRuleTheOneThatGoesTakesItsCountAlong() {
        Policy other = over(matchLabels(), enforcing("other", TestPolicies.FORGIVENESS));
        EngineScenario engineScenario = broken(auditing(), other).afterSeconds(1);
        assertThat(engineScenario.report(other).pods().violating()).isEqualTo(1);

        engineScenario.event(new Event.PolicyRemoved(other.id())).afterSeconds(1);

        assertThat(engineScenario.report(auditing()).pods().violating()).isEqualTo(1);
        assertThat(engineScenario.report(auditing()).oldest())
                .singleElement()
                .satisfies(violation -> assertThat(violation.policy()).isEqualTo(PolicyId.namespaced("shop", "web")));
    }

    @Test
    void nothingIsKeptOfTheNumbersOfAPolicyThatIsGone() {
        EngineScenario engineScenario = broken(auditing()).afterSeconds(1);

        engineScenario
                .event(new Event.PolicyRemoved(auditing().id()))
                .happens(podGone("web-1"))
                .happens(podGone("web-2"))
                .afterSeconds(1);

        assertThat(engineScenario.engine.remembered()).isZero();
    }
}
