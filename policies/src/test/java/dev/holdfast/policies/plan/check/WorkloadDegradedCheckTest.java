package dev.holdfast.policies.plan.check;

import static dev.holdfast.policies.plan.Due.candidate;
import static dev.holdfast.policies.plan.Due.situation;
import static dev.holdfast.policies.testing.Facts.cluster;
import static dev.holdfast.policies.testing.Facts.labels;
import static dev.holdfast.policies.testing.Facts.notReady;
import static dev.holdfast.policies.testing.PodTraits.nodeSelector;
import static dev.holdfast.policies.testing.PodTraits.on;
import static dev.holdfast.policies.testing.PodTraits.ownedBy;
import static dev.holdfast.policies.testing.PodTraits.replicaOf;
import static dev.holdfast.policies.testing.PodTraits.terminating;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.params.provider.Arguments.argumentSet;

import dev.holdfast.policies.evaluate.Reason;
import dev.holdfast.policies.model.ReferenceCluster;
import dev.holdfast.policies.plan.Due;
import dev.holdfast.policies.plan.ShuffledPlanner;
import dev.holdfast.policies.plan.controls.MaxUnavailable;
import dev.holdfast.policies.plan.controls.PolicyLimits;
import dev.holdfast.policies.plan.controls.PolicyLimits.HourlyWorkloadLimit;
import dev.holdfast.policies.plan.input.Candidate;
import dev.holdfast.policies.plan.move.Hold;
import dev.holdfast.policies.plan.move.Move;
import dev.holdfast.policies.plan.move.Moves;
import dev.holdfast.policies.testing.ClusterBuilder;
import dev.holdfast.policies.testing.ControlsDraft;
import dev.holdfast.policies.testing.PodTrait;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Tests the hold of workloads that are not whole: {@code web} is the pod to move, and the others are of its workload.
 */
class WorkloadDegradedCheckTest {
    private static final MaxUnavailable TENTH = new MaxUnavailable.Percent(10);

    /** {@return the pod {@code web} on a wrong node, and others of its ReplicaSet, of which some are not Ready} */
    private static ClusterBuilder replicaSet(int desired, int ready, int unready, PodTrait... more) {
        ClusterBuilder facts = cluster()
                .node("n1", labels("disk", "hdd"))
                .node("n2", labels("disk", "ssd"))
                .replicaSet("web", desired)
                .pod(
                        "web",
                        on("n1"),
                        replicaOf("web"),
                        nodeSelector("disk", "ssd"),
                        pod -> List.of(more).forEach(trait -> trait.of(pod)));
        for (int i = 1; i <= ready; i++) {
            facts.pod("ready-" + i, on("n2"), replicaOf("web"));
        }
        for (int i = 1; i <= unready; i++) {
            facts.pod("unready-" + i, on("n2"), replicaOf("web"), notReady());
        }
        return facts;
    }

    private static Arguments held(String name, ClusterBuilder facts, MaxUnavailable maxUnavailable, String why) {
        return argumentSet(name, facts, maxUnavailable, Optional.of(why));
    }

    private static Arguments moves(String name, ClusterBuilder facts, MaxUnavailable maxUnavailable) {
        return argumentSet(name, facts, maxUnavailable, Optional.empty());
    }

    static Stream<Arguments> rows() {
        return Stream.of(
                moves("all ten are Ready", replicaSet(10, 9, 0), TENTH),
                held(
                        "one other of ten is not Ready",
                        replicaSet(10, 8, 1),
                        TENTH,
                        "2 of the 10 desired pods of Deployment shop/web would be missing or not Ready, and"
                                + " limits.maxUnavailable allows 1; not Ready: unready-1"),
                held(
                        "one other of ten is missing",
                        replicaSet(10, 8, 0),
                        TENTH,
                        "2 of the 10 desired pods of Deployment shop/web would be missing or not Ready, and"
                                + " limits.maxUnavailable allows 1"),
                held(
                        "one other of ten is terminating",
                        replicaSet(10, 8, 0).pod("going", on("n2"), replicaOf("web"), terminating(Due.NOW)),
                        TENTH,
                        "2 of the 10 desired pods of Deployment shop/web would be missing or not Ready, and"
                                + " limits.maxUnavailable allows 1"),
                moves("the pod is the only one of ten that is not Ready", replicaSet(10, 9, 0, notReady()), TENTH),
                held(
                        "the pod and another one of ten are not Ready",
                        replicaSet(10, 8, 1, notReady()),
                        TENTH,
                        "2 of the 10 desired pods of Deployment shop/web would be missing or not Ready, and"
                                + " limits.maxUnavailable allows 1; not Ready: unready-1, web"),
                moves("10 % of 11 pods are 2, and one other is not Ready", replicaSet(11, 9, 1), TENTH),
                moves("10 % of one pod are 1", replicaSet(1, 0, 0), TENTH),
                moves("more pods are Ready than desired, as during a roll-out", replicaSet(2, 3, 1), TENTH),
                moves(
                        "without a limit a workload that is down moves",
                        replicaSet(10, 0, 9),
                        new MaxUnavailable.Unlimited()),
                held(
                        "a limit of 0 holds a whole workload",
                        replicaSet(3, 2, 0),
                        new MaxUnavailable.Pods(0),
                        "1 of the 3 desired pods of Deployment shop/web would be missing or not Ready, and"
                                + " limits.maxUnavailable allows 0"),
                moves("a limit of 2 of 3", replicaSet(3, 1, 1), new MaxUnavailable.Pods(2)),
                held(
                        "of a workload whose kind is not known, the pods that exist are the desired ones",
                        cluster()
                                .node("n1", labels("disk", "hdd"))
                                .node("n2", labels("disk", "ssd"))
                                .pod("web", on("n1"), ownedBy("Rollout", "web", "r"), nodeSelector("disk", "ssd"))
                                .pod("other", on("n2"), ownedBy("Rollout", "web", "r"), notReady())
                                .pod("going", on("n2"), ownedBy("Rollout", "web", "r"), terminating(Due.NOW)),
                        TENTH,
                        "3 of the 3 desired pods of Rollout shop/web would be missing or not Ready, and"
                                + " limits.maxUnavailable allows 1; not Ready: other"),
                held(
                        "of many others that are not Ready the first three are named",
                        replicaSet(10, 3, 6),
                        TENTH,
                        "7 of the 10 desired pods of Deployment shop/web would be missing or not Ready, and"
                                + " limits.maxUnavailable allows 1; not Ready: unready-1, unready-2, unready-3 and 3"
                                + " more"));
    }

    @ParameterizedTest
    @MethodSource("rows")
    void aPodOfAWorkloadThatIsNotWholeStays(
            ClusterBuilder facts, MaxUnavailable maxUnavailable, Optional<String> expected) {
        ReferenceCluster referenceCluster = facts.build();
        Candidate web = Due.settling(limited(candidate(referenceCluster, "web"), maxUnavailable), Duration.ZERO);

        Optional<Hold> hold =
                ShuffledPlanner.hold(new WorkloadDegradedCheck(), web, situation(referenceCluster, new Moves()));

        assertThat(hold.map(Hold::message)).isEqualTo(expected);
        assertThat(hold.map(Hold::reason)).isEqualTo(expected.map(_ -> Reason.WORKLOAD_DEGRADED));
    }

    @Test
    void aPodThatHoldfastIsMovingCountsAlthoughItIsStillReady() {
        ReferenceCluster referenceCluster = replicaSet(10, 8, 0)
                .pod("moving", on("n1"), replicaOf("web"), nodeSelector("disk", "ssd"))
                .build();
        Moves moves = new Moves();
        moves.put(Due.moving(candidate(referenceCluster, "moving"), "m-1", new Move.Stage.Confirming(Due.NOW)));

        Optional<Hold> hold = ShuffledPlanner.hold(
                new WorkloadDegradedCheck(),
                limited(candidate(referenceCluster, "web"), TENTH),
                situation(referenceCluster, moves));

        assertThat(hold.map(Hold::message))
                .contains("2 of the 10 desired pods of Deployment shop/web would be missing or not Ready (Holdfast is"
                        + " moving 1 of them), and limits.maxUnavailable allows 1");
    }

    private static Candidate limited(Candidate candidate, MaxUnavailable maxUnavailable) {
        PolicyLimits limits = new PolicyLimits(
                OptionalInt.empty(),
                OptionalInt.empty(),
                0,
                OptionalInt.empty(),
                new HourlyWorkloadLimit.Unlimited(),
                maxUnavailable);
        return Due.requestedBy(
                candidate,
                Due.requesting(Due.POLICY, ControlsDraft.plain().limits(limits).controls()));
    }
}
