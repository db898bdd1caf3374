package dev.holdfast.policies.plan.check;

import static dev.holdfast.policies.plan.Due.NOW;
import static dev.holdfast.policies.plan.Due.candidate;
import static dev.holdfast.policies.plan.Due.situation;
import static dev.holdfast.policies.testing.Facts.cluster;
import static dev.holdfast.policies.testing.Facts.labels;
import static dev.holdfast.policies.testing.PodTraits.nodeSelector;
import static dev.holdfast.policies.testing.PodTraits.on;
import static dev.holdfast.policies.testing.PodTraits.replicaOf;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.params.provider.Arguments.argumentSet;

import dev.holdfast.policies.evaluate.Reason;
import dev.holdfast.policies.model.NamespacedName;
import dev.holdfast.policies.model.ReferenceCluster;
import dev.holdfast.policies.plan.ShuffledPlanner;
import dev.holdfast.policies.plan.input.Disturbance;
import dev.holdfast.policies.plan.input.RecentDisturbances;
import dev.holdfast.policies.plan.move.Hold;
import dev.holdfast.policies.plan.move.Moves;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Tests how long pods are held after another pod of their workload was created, deleted or turned unready, with a
 * settle time of 60 s.
 */
class WorkloadUnsettledCheckTest {
    static Stream<Arguments> rows() {
        return Stream.of(
                argumentSet("nothing happened", Optional.empty(), Optional.empty()),
                held("another pod was created just now", Disturbance.What.CREATED, 0, "was created"),
                held("another pod was deleted 59 s ago", Disturbance.What.DELETED, 59, "was deleted"),
                held("another pod lost its readiness 30 s ago", Disturbance.What.UNREADY, 30, "is not Ready any more"),
                argumentSet(
                        "another pod was created 60 s ago",
                        Optional.of(disturbance(Disturbance.What.CREATED, 60)),
                        Optional.empty()));
    }

    private static Arguments held(String name, Disturbance.What what, long secondsAgo, String words) {
        return argumentSet(
                name,
                Optional.of(disturbance(what, secondsAgo)),
                Optional.of(Hold.until(
                        Reason.WORKLOAD_UNSETTLED,
                        "pod shop/other " + words + ", and Deployment shop/web is given 60 s to settle after that",
                        NOW.plusSeconds(60 - secondsAgo))));
    }

    private static Disturbance disturbance(Disturbance.What what, long secondsAgo) {
        return new Disturbance("other", new NamespacedName("shop", "other"), what, NOW.minusSeconds(secondsAgo));
    }

    @ParameterizedTest
    @MethodSource("rows")
    void aWorkloadIsGivenTimeToSettle(Optional<Disturbance> last, Optional<Hold> expected) {
        ReferenceCluster referenceCluster = cluster()
                .node("n1", labels("disk", "hdd"))
                .replicaSet("web", 2)
                .pod("web", on("n1"), nodeSelector("disk", "ssd"), replicaOf("web"))
                .build();
        RecentDisturbances recentDisturbances = (workload, except, _) ->
                last.filter(_ -> workload.uid().equals("deployment-web") && except.equals("web"));

        Optional<Hold> hold = ShuffledPlanner.hold(
                new WorkloadUnsettledCheck(),
                candidate(referenceCluster, "web"),
                situation(referenceCluster, new Moves(), recentDisturbances));

        assertThat(hold).isEqualTo(expected);
    }

    static Stream<Arguments> largeWorkloads() {
        return Stream.of(
                argumentSet("49 pods, 1 of them was deleted", 49, List.of(10), Optional.of(hold(10, ""))),
                argumentSet("50 pods, 1 of them was deleted", 50, List.of(10), Optional.empty()),
                argumentSet(
                        "50 pods, 2 of them were deleted",
                        50,
                        List.of(10, 30),
                        Optional.of(hold(30, " (not counting 1 pod that changed later, 2 % of the workload)"))),
                argumentSet(
                        "50 pods, 2 of them were deleted, one of them 60 s ago", 50, List.of(10, 60), Optional.empty()),
                argumentSet("149 pods, 2 of them were deleted", 149, List.of(10, 30), Optional.empty()),
                argumentSet(
                        "149 pods, 3 of them were deleted",
                        149,
                        List.of(30, 10, 20),
                        Optional.of(hold(30, " (not counting 2 pods that changed later, 2 % of the workload)"))));
    }

    private static Hold hold(int secondsAgo, String notCounting) {
        return Hold.until(
                Reason.WORKLOAD_UNSETTLED,
                "pod shop/other was deleted" + notCounting
                        + ", and Deployment shop/web is given 60 s to settle after that",
                NOW.plusSeconds(60 - secondsAgo));
    }

    @ParameterizedTest
    @MethodSource("largeWorkloads")
    void ofALargeWorkloadTwoPercentOfThePodsDoNotCount(int desired, List<Integer> secondsAgo, Optional<Hold> expected) {
        ReferenceCluster referenceCluster = cluster()
                .node("n1", labels("disk", "hdd"))
                .replicaSet("web", desired)
                .pod("web", on("n1"), nodeSelector("disk", "ssd"), replicaOf("web"))
                .build();
        RecentDisturbances recentDisturbances = (_, _, disregarded) -> secondsAgo.stream()
                .sorted()
                .skip(disregarded)
                .map(seconds -> disturbance(Disturbance.What.DELETED, seconds))
                .findFirst();

        Optional<Hold> hold = ShuffledPlanner.hold(
                new WorkloadUnsettledCheck(),
                candidate(referenceCluster, "web"),
                situation(referenceCluster, new Moves(), recentDisturbances));

        assertThat(hold).isEqualTo(expected);
    }
}
