package dev.holdfast.policies.engine;

import static dev.holdfast.policies.engine.TestPolicies.FORGIVENESS;
import static dev.holdfast.policies.engine.TestPolicies.enforcing;
import static dev.holdfast.policies.engine.TestPolicies.over;
import static dev.holdfast.policies.testing.Changes.nodeChanged;
import static dev.holdfast.policies.testing.Changes.podChanged;
import static dev.holdfast.policies.testing.Demands.app;
import static dev.holdfast.policies.testing.Facts.cluster;
import static dev.holdfast.policies.testing.Facts.labels;
import static dev.holdfast.policies.testing.Facts.resourceVersion;
import static dev.holdfast.policies.testing.PodTraits.annotated;
import static dev.holdfast.policies.testing.PodTraits.evictionResponder;
import static dev.holdfast.policies.testing.PodTraits.localStorage;
import static dev.holdfast.policies.testing.PodTraits.nodeSelector;
import static dev.holdfast.policies.testing.PodTraits.on;
import static dev.holdfast.policies.testing.PodTraits.ownedBy;
import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.policies.engine.protocol.Event;
import dev.holdfast.policies.evaluate.Reason;
import dev.holdfast.policies.plan.controls.DisruptionControls;
import dev.holdfast.policies.plan.controls.MaxUnavailable;
import dev.holdfast.policies.plan.controls.PodOverrides;
import dev.holdfast.policies.plan.controls.PolicyLimits;
import dev.holdfast.policies.plan.move.EvictionRequest;
import dev.holdfast.policies.rule.Policy;
import dev.holdfast.policies.testing.ControlsDraft;
import dev.holdfast.policies.testing.PodTrait;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** Tests edits of a policy's disruption controls while a pod violates a rule with a forgiveness of one minute. */
class ConductEditsTest {
    private static final PolicyLimits NOTHING = new PolicyLimits(
            OptionalInt.of(0),
            OptionalInt.empty(),
            0,
            OptionalInt.empty(),
            new PolicyLimits.HourlyWorkloadLimit.Unlimited(),
            new MaxUnavailable.Unlimited());

    private static EngineScenario broken(PodTrait... more) {
        return EngineScenario.begin(
                        cluster()
                                .node("n1", labels("disk", "ssd"))
                                .node("n2", labels("disk", "ssd"))
                                .pod(
                                        "web",
                                        on("n1"),
                                        nodeSelector("disk", "ssd"),
                                        ownedBy("ReplicaSet", "web", "rs"),
                                        pod -> List.of(more).forEach(trait -> trait.of(pod))),
                        enforcing())
                .happens(nodeChanged("n1", labels("disk", "hdd")));
    }

    private static DisruptionControls conduct(Set<Reason> allowed, PolicyLimits limits) {
        return ControlsDraft.plain().allowed(allowed).limits(limits).controls();
    }

    private static DisruptionControls ignoringAnnotations() {
        PodOverrides none = new PodOverrides(false, Optional.empty());
        return ControlsDraft.plain().overrides(none).controls();
    }

    private static Event edited(DisruptionControls disruptionControls) {
        return new Event.PolicyChanged(enforcing(), disruptionControls);
    }

    @Test
    void whatAnEditLetsBeMovedIsForgivenForItsWholeTimeFromTheEditOn() {
        EngineScenario engineScenario = broken(localStorage()).afterSeconds(600);
        assertThat(engineScenario.evicted()).isEmpty();

        engineScenario
                .event(edited(conduct(Set.of(Reason.LOCAL_STORAGE), PolicyLimits.none())))
                .afterSeconds(59);
        assertThat(engineScenario.evicted()).isEmpty();

        assertThat(engineScenario.afterSeconds(1).evicted()).containsExactly("web");
    }

    @Test
    void aPodThatNamesAnEvictionResponderWhileItsForgivenessRunsIsHeld() {
        EngineScenario engineScenario = broken().afterSeconds(30)
                .happens(podChanged(
                        "web",
                        resourceVersion(2),
                        on("n1"),
                        nodeSelector("disk", "ssd"),
                        ownedBy("ReplicaSet", "web", "rs"),
                        evictionResponder()))
                .afterSeconds(600);

        assertThat(engineScenario.requests).isEmpty();
        assertThat(engineScenario.held()).isEqualTo(Reason.HAS_EVICTION_RESPONDER);

        engineScenario
                .event(edited(conduct(Set.of(Reason.HAS_EVICTION_RESPONDER), PolicyLimits.none())))
                .afterSeconds(59);
        assertThat(engineScenario.evicted()).isEmpty();

        assertThat(engineScenario.afterSeconds(1).evicted()).containsExactly("web");
    }

    @Test
    void aPodWhoseAnnotationIsIgnoredFromAnEditOnIsForgivenForItsWholeTimeFromThenOn() {
        EngineScenario engineScenario =
                broken(annotated("holdfast.dev/keep", "true")).afterSeconds(600);
        assertThat(engineScenario.evicted()).isEmpty();

        engineScenario.event(edited(ignoringAnnotations())).afterSeconds(59);
        assertThat(engineScenario.evicted()).isEmpty();

        assertThat(engineScenario.afterSeconds(1).evicted()).containsExactly("web");
    }

    @Test
    void anAnnotationThatCountsFromAnEditOnLengthensTheForgivenessThatRuns() {
        EngineScenario engineScenario = broken(annotated("holdfast.dev/forgiveness-seconds", "120"))
                .event(edited(ignoringAnnotations()))
                .afterSeconds(30)
                .event(edited(DisruptionControls.plain()))
                .afterSeconds(89);
        assertThat(engineScenario.evicted()).isEmpty();

        assertThat(engineScenario.afterSeconds(1).evicted()).containsExactly("web");
    }

    @Test
    void anEditOfAPolicyForOtherPodsStartsNothingAgain() {
        Policy other = over(app("nobody"), enforcing("other", FORGIVENESS));
        DisruptionControls further = conduct(Set.of(Reason.LOCAL_STORAGE), PolicyLimits.none());

        EngineScenario engineScenario = broken().event(new Event.PolicyChanged(other))
                .afterSeconds(30)
                .event(new Event.PolicyChanged(other, further))
                .afterSeconds(30);

        assertThat(engineScenario.evicted()).containsExactly("web");
    }

    @Test
    void limitsThatAllowedNothingAndAreRaisedStartTheForgivenessAgain() {
        EngineScenario engineScenario =
                broken().event(edited(conduct(Set.of(), NOTHING))).afterSeconds(600);
        assertThat(engineScenario.evicted()).isEmpty();

        engineScenario.event(edited(conduct(Set.of(), PolicyLimits.none()))).afterSeconds(59);
        assertThat(engineScenario.evicted()).isEmpty();

        assertThat(engineScenario.afterSeconds(1).evicted()).containsExactly("web");
    }

    @Test
    void aLimitThatAllowedSomethingAndIsRaisedLetsTheOtherPodGoAtOnce() {
        PolicyLimits onePerHour = new PolicyLimits(
                OptionalInt.empty(),
                OptionalInt.of(1),
                0,
                OptionalInt.empty(),
                new PolicyLimits.HourlyWorkloadLimit.Unlimited(),
                new MaxUnavailable.Unlimited());
        EngineScenario engineScenario = EngineScenario.begin(
                        cluster()
                                .node("n1", labels("disk", "hdd"))
                                .node("n2", labels("disk", "ssd"))
                                .pod("web", on("n1"), nodeSelector("disk", "ssd"), ownedBy("ReplicaSet", "web", "rs"))
                                .pod("api", on("n1"), nodeSelector("disk", "ssd"), ownedBy("ReplicaSet", "api", "rs2")),
                        enforcing())
                .replacingOn("n2")
                .event(edited(conduct(Set.of(), onePerHour)))
                .afterSeconds(600);
        assertThat(engineScenario.evicted()).hasSize(1);
        assertThat(engineScenario.held()).isEqualTo(Reason.POLICY_LIMIT);

        engineScenario.event(edited(conduct(Set.of(), PolicyLimits.none())));

        assertThat(engineScenario.evicted()).containsExactlyInAnyOrder("web", "api");
    }

    @Test
    void limitsThatComeBetweenTheDryRunAndTheRequestHoldIt() {
        EngineScenario engineScenario =
                broken().duringDryRun(edited(conduct(Set.of(), NOTHING))).afterSeconds(120);

        assertThat(engineScenario.dryRuns).hasSize(1);
        assertThat(engineScenario.evicted()).isEmpty();
    }

    @Test
    void aPolicyThatComesToAllowItRightBeforeTheRequestDoesNotLetItGoForTheOneThatDoesNoMore() {
        Policy other = enforcing("zz-other", FORGIVENESS);
        EngineScenario engineScenario = broken().event(edited(conduct(Set.of(), NOTHING)))
                .event(new Event.PolicyChanged(other))
                .duringDryRun(
                        edited(conduct(Set.of(), PolicyLimits.none())),
                        new Event.PolicyChanged(other, conduct(Set.of(), NOTHING)))
                .afterSeconds(120);

        assertThat(engineScenario.dryRuns)
                .extracting(EvictionRequest::policy)
                .containsExactly(other.id(), enforcing().id());
        assertThat(engineScenario.requests)
                .extracting(EvictionRequest::policy)
                .containsExactly(enforcing().id());
    }
}
