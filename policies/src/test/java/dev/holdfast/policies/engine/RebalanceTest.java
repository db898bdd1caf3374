package dev.holdfast.policies.engine;

import static dev.holdfast.policies.engine.TestPolicies.enforcing;
import static dev.holdfast.policies.engine.TestPolicies.rebalancing;
import static dev.holdfast.policies.testing.Changes.nodeChanged;
import static dev.holdfast.policies.testing.Changes.podChanged;
import static dev.holdfast.policies.testing.Demands.app;
import static dev.holdfast.policies.testing.Facts.ZONE;
import static dev.holdfast.policies.testing.Facts.cluster;
import static dev.holdfast.policies.testing.Facts.labels;
import static dev.holdfast.policies.testing.Facts.notReady;
import static dev.holdfast.policies.testing.NodeTraits.allocatable;
import static dev.holdfast.policies.testing.NodeTraits.createdAt;
import static dev.holdfast.policies.testing.NodeTraits.readyChanged;
import static dev.holdfast.policies.testing.NodeTraits.zone;
import static dev.holdfast.policies.testing.PodTraits.bound;
import static dev.holdfast.policies.testing.PodTraits.nodeSelector;
import static dev.holdfast.policies.testing.PodTraits.on;
import static dev.holdfast.policies.testing.PodTraits.replicaOf;
import static dev.holdfast.policies.testing.PodTraits.spread;
import static dev.holdfast.policies.testing.Spreads.maxSkew;
import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.policies.engine.protocol.Event;
import dev.holdfast.policies.evaluate.Reason;
import dev.holdfast.policies.model.Resources;
import dev.holdfast.policies.plan.controls.DisruptionControls;
import dev.holdfast.policies.plan.controls.MaxUnavailable;
import dev.holdfast.policies.plan.controls.PolicyLimits;
import dev.holdfast.policies.rule.Policy;
import dev.holdfast.policies.testing.ClusterBuilder;
import dev.holdfast.policies.testing.ControlsDraft;
import dev.holdfast.policies.testing.NodeTrait;
import dev.holdfast.policies.testing.PodTrait;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.Map;
import java.util.OptionalInt;
import org.junit.jupiter.api.Test;

/** Tests {@code whenDomainAdded: Rebalance}: a new domain that lasts gets its whole share of the pods, or none. */
class RebalanceTest {
    private static final Instant LONG_AGO = EngineScenario.START.minus(Duration.ofDays(30));

    /**
     * {@return a scenario with these numbers of pods in zones a and b, where the test scheduler places replacements}
     */
    private static EngineScenario begin(int inA, int inB, Policy policy) {
        ClusterBuilder facts = cluster().node("a1", zone("a")).replicaSet("web", inA + inB);
        if (inB > 0) {
            facts.node("b1", zone("b"));
        }
        for (int i = 1; i <= inA + inB; i++) {
            facts.pod(
                    "web-" + i,
                    on(i <= inA ? "a1" : "b1"),
                    replicaOf("web"),
                    bound(LONG_AGO),
                    spread(maxSkew(1, ZONE, app("web"))));
        }
        return EngineScenario.begin(facts, policy).scheduling();
    }

    private static EngineScenario comes(EngineScenario engineScenario, NodeTrait... traits) {
        NodeTrait[] all = Arrays.copyOf(traits, traits.length + 2);
        all[traits.length] = zone("c");
        all[traits.length + 1] = createdAt(engineScenario.now);
        return engineScenario.happens(nodeChanged("c1", all));
    }

    private static NodeTrait roomFor(int pods) {
        return allocatable(new Resources(32_000, 256L << 30, 100L << 30, pods, Map.of()));
    }

    @Test
    void podsAreMovedToANewZoneWhenItHasLastedForAnHour() {
        EngineScenario engineScenario = comes(begin(4, 0, rebalancing())).afterSeconds(3_599);
        assertThat(engineScenario.evicted()).isEmpty();
        assertThat(engineScenario.held()).isEqualTo(Reason.DOMAIN_ADDED);

        engineScenario.afterSeconds(1);
        assertThat(engineScenario.evicted()).containsExactly("web-1");

        engineScenario.after(Duration.ofDays(1));
        assertThat(engineScenario.evicted()).containsExactly("web-1", "web-2");
    }

    @Test
    void noMoreAreMovedThanTheSkewNeeds() {
        EngineScenario engineScenario = comes(begin(2, 2, rebalancing())).after(Duration.ofDays(1));

        assertThat(engineScenario.evicted()).containsExactly("web-1");
    }

    @Test
    void noPodIsMovedWhereAnotherPodTakesTheLastSeatRightBeforeTheRequest() {
        EngineScenario engineScenario = comes(begin(4, 0, rebalancing()), roomFor(2))
                .duringReads(new Event.ObjectChanged(podChanged("other", on("c1"))))
                .after(Duration.ofHours(2));

        assertThat(engineScenario.reads).isNotEmpty();
        assertThat(engineScenario.evicted()).isEmpty();
        assertThat(engineScenario.held()).isEqualTo(Reason.DOMAIN_ADDED);
    }

    @Test
    void aPolicyThatWouldMoveNoPodForItDoesNotDoSoForAnotherThatHasUsedUpItsLimits() {
        PolicyLimits nothing = new PolicyLimits(
                OptionalInt.of(0),
                OptionalInt.empty(),
                0,
                OptionalInt.empty(),
                new PolicyLimits.HourlyWorkloadLimit.Unlimited(),
                new MaxUnavailable.Unlimited());
        DisruptionControls disruptionControls =
                ControlsDraft.plain().limits(nothing).controls();
        EngineScenario engineScenario = comes(begin(4, 0, enforcing("a-holding", TestPolicies.FORGIVENESS))
                .event(new Event.PolicyChanged(rebalancing(), disruptionControls)));

        engineScenario.after(Duration.ofHours(3));

        assertThat(engineScenario.reads).isEmpty();
        assertThat(engineScenario.held()).isEqualTo(Reason.DOMAIN_ADDED);
    }

    @Test
    void aZoneThatFailsInThatHourBeginsItAgain() {
        EngineScenario engineScenario = comes(begin(4, 0, rebalancing())).afterSeconds(3_000);
        engineScenario
                .happens(nodeChanged("c1", zone("c"), notReady(), readyChanged(engineScenario.now)))
                .afterSeconds(60)
                .happens(nodeChanged("c1", zone("c"), readyChanged(engineScenario.now)))
                .afterSeconds(3_599);
        assertThat(engineScenario.evicted()).isEmpty();

        engineScenario.afterSeconds(1);

        assertThat(engineScenario.evicted()).containsExactly("web-1");
    }

    @Test
    void noPodIsMovedWhereTheNewZoneHasNoRoomForAllThatHaveToGoThere() {
        EngineScenario engineScenario =
                comes(begin(4, 0, rebalancing()), roomFor(1)).after(Duration.ofDays(1));
        assertThat(engineScenario.evicted()).isEmpty();
        assertThat(engineScenario.held()).isEqualTo(Reason.DOMAIN_ADDED);
        assertThat(engineScenario
                        .report(rebalancing())
                        .oldest()
                        .getFirst()
                        .hold()
                        .orElseThrow()
                        .message())
                .isEqualTo("there are nodes for only 1 of the pods that must move to even out the new domain, and"
                        + " either all of them move or none; for the next pod, no other node would take the pod now:"
                        + " of 1 other node: 1 short of pods");

        engineScenario.happens(nodeChanged("c1", zone("c"), roomFor(2))).after(Duration.ofDays(1));

        assertThat(engineScenario.evicted()).containsExactly("web-1", "web-2");
    }

    @Test
    void podsOnNodesThatTheSpreadDoesNotCountAreNoSurplus() {
        PodTrait evenly = spread(maxSkew(1, ZONE, app("web")));
        NodeTrait general = labels("pool", "general");
        ClusterBuilder facts = cluster()
                .node("a1", zone("a"), general)
                .node("b1", zone("b"), labels("pool", "gpu"))
                .replicaSet("web", 4)
                .replicaSet("train", 6);
        for (int i = 1; i <= 4; i++) {
            facts.pod("web-" + i, on("a1"), replicaOf("web"), bound(LONG_AGO), nodeSelector("pool", "general"), evenly);
        }
        for (int i = 1; i <= 6; i++) {
            facts.pod(
                    "train-" + i,
                    on("b1"),
                    replicaOf("train"),
                    bound(LONG_AGO),
                    labels("app", "web"),
                    nodeSelector("pool", "gpu"));
        }
        EngineScenario engineScenario =
                EngineScenario.begin(facts, rebalancing()).scheduling();

        comes(engineScenario, general, roomFor(1)).after(Duration.ofDays(1));

        assertThat(engineScenario.evicted()).isEmpty();
        assertThat(engineScenario.held()).isEqualTo(Reason.DOMAIN_ADDED);
    }

    @Test
    void whatIsUnevenWithoutTheNewZoneWaitsForNothingAndGoesOneByOne() {
        EngineScenario engineScenario =
                comes(begin(4, 1, rebalancing()), roomFor(1)).afterSeconds(3_000);

        assertThat(engineScenario.evicted()).containsExactly("web-1", "web-2");
    }

    @Test
    void aPolicyThatComesToAskForItWaitsForOneForgiveness() {
        EngineScenario engineScenario = comes(begin(4, 0, enforcing())).after(Duration.ofDays(1));
        assertThat(engineScenario.evicted()).isEmpty();

        engineScenario
                .event(new Event.PolicyChanged(TestPolicies.edited(rebalancing())))
                .afterSeconds(59);
        assertThat(engineScenario.evicted()).isEmpty();

        engineScenario.afterSeconds(1);
        assertThat(engineScenario.evicted()).containsExactly("web-1");
    }
}
