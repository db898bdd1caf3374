package dev.holdfast.it.bench.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.holdfast.it.bench.cluster.PlannedChange.Target;
import dev.holdfast.policies.rule.RuleKind;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** Which label changes break rules, given where the pods run, and the violations that they cause. */
class PlannedChangesTest {
    /** {@return a pod on a node} The first letter of a node's name is its zone. */
    private static PlacedPod pod(String name, WorkloadRole workloadRole, int block, String node) {
        return new PlacedPod("ns", name, "uid-" + name, workloadRole, block, node, node.substring(0, 1));
    }

    private static final List<PlacedPod> PODS = List.of(
            pod("ssd-1", WorkloadRole.SSD, 1, "a1"),
            pod("ssd-2", WorkloadRole.SSD, 1, "a1"),
            pod("apart-1", WorkloadRole.APART, 1, "a2"),
            pod("apart-2", WorkloadRole.APART, 1, "b1"),
            pod("cache-1", WorkloadRole.CACHE, 1, "a1"),
            pod("cache-2", WorkloadRole.CACHE, 1, "b1"),
            pod("near-1", WorkloadRole.NEAR, 1, "a2"),
            pod("even-1", WorkloadRole.EVEN, 1, "a1"),
            pod("even-2", WorkloadRole.EVEN, 1, "a2"),
            pod("even-3", WorkloadRole.EVEN, 1, "b1"),
            pod("plain-1", WorkloadRole.PLAIN, 1, "a2"),
            pod("plain-2", WorkloadRole.PLAIN, 2, "a1"));

    private static List<PlannedChange> changes(RuleKind... kinds) {
        return PlannedChanges.of(PODS).inTurns(List.of(kinds), kinds.length, 1, new Random(1));
    }

    private static String patch(String json) {
        return "{\"metadata\":{\"labels\":{" + json + "}}}";
    }

    @Test
    void aNodeThatLosesItsSsdBreaksTheNodeAffinityOfThosePodsOnItThatNeedOne() {
        assertThat(changes(RuleKind.NODE_AFFINITY))
                .containsExactly(new PlannedChange(
                        new Target.OfNode("a1"),
                        patch("\"disk\":\"hdd\""),
                        patch("\"disk\":\"ssd\""),
                        Set.of(
                                new ExpectedViolation("uid-ssd-1", RuleKind.NODE_AFFINITY),
                                new ExpectedViolation("uid-ssd-2", RuleKind.NODE_AFFINITY))));
    }

    @Test
    void aPlainPodThatBecomesNoisyBreaksTheAntiAffinityOnItsNode() {
        assertThat(changes(RuleKind.POD_ANTI_AFFINITY))
                .containsExactly(new PlannedChange(
                        new Target.OfPod("ns", "plain-1"),
                        patch("\"noisy\":\"yes\""),
                        patch("\"noisy\":null"),
                        Set.of(new ExpectedViolation("uid-apart-1", RuleKind.POD_ANTI_AFFINITY))));
    }

    @Test
    void aCacheThatStopsServingBreaksTheAffinityOfItsBlockInItsZone() {
        assertThat(changes(RuleKind.POD_AFFINITY))
                .containsExactly(new PlannedChange(
                        new Target.OfPod("ns", "cache-1"),
                        patch("\"serves\":\"no\""),
                        patch("\"serves\":\"yes\""),
                        Set.of(new ExpectedViolation("uid-near-1", RuleKind.POD_AFFINITY))));
    }

    @Test
    void aPodThatJoinsAFullerZoneBreaksTheSpreadThereOf2And1Making3And1() {
        assertThat(changes(RuleKind.TOPOLOGY_SPREAD))
                .containsExactly(new PlannedChange(
                        new Target.OfPod("ns", "plain-2"),
                        patch("\"even\":\"even-1\""),
                        patch("\"even\":null"),
                        Set.of(
                                new ExpectedViolation("uid-even-1", RuleKind.TOPOLOGY_SPREAD),
                                new ExpectedViolation("uid-even-2", RuleKind.TOPOLOGY_SPREAD))));
    }

    @Test
    void kindsComeInTurnsAndFromTheBeginningAgain() {
        List<RuleKind> kinds = List.of(RuleKind.POD_AFFINITY, RuleKind.NODE_AFFINITY);

        List<PlannedChange> turns = PlannedChanges.of(PODS).inTurns(kinds, 5, 2, new Random(1));

        assertThat(turns)
                .extracting(plannedChange ->
                        plannedChange.expectedViolation().iterator().next().rule())
                .containsExactly(
                        RuleKind.POD_AFFINITY,
                        RuleKind.NODE_AFFINITY,
                        RuleKind.POD_AFFINITY,
                        RuleKind.NODE_AFFINITY,
                        RuleKind.POD_AFFINITY);
    }

    @Test
    void changesThatMeetAreKeptApart() {
        List<PlacedPod> many = new ArrayList<>();
        for (int node = 0; node < 10; node++) {
            many.add(pod("ssd-" + node, WorkloadRole.SSD, 1, "a" + node));
        }

        List<PlannedChange> turns =
                PlannedChanges.of(many).inTurns(List.of(RuleKind.NODE_AFFINITY), 100, 8, new Random(7));

        for (int i = 0; i + 8 <= turns.size(); i++) {
            assertThat(turns.subList(i, i + 8))
                    .extracting(PlannedChange::target)
                    .doesNotHaveDuplicates();
        }
    }

    @Test
    void tooFewOfAKindAreRefusedInOneLine() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> PlannedChanges.of(PODS).inTurns(List.of(RuleKind.NODE_AFFINITY), 2, 2, new Random(1)))
                .withMessage("the placement allows too few changes of NodeAffinity (1): give more --nodes and --pods");
    }

    @Test
    void changesTogetherAreOfAllKindsInTurnUntilTheViolationsAreEnough() {
        List<PlannedChange> together = PlannedChanges.of(PODS)
                .together(List.of(RuleKind.NODE_AFFINITY, RuleKind.POD_AFFINITY), 3, new Random(1));

        assertThat(together)
                .flatExtracting(PlannedChange::expectedViolation)
                .containsExactlyInAnyOrder(
                        new ExpectedViolation("uid-ssd-1", RuleKind.NODE_AFFINITY),
                        new ExpectedViolation("uid-ssd-2", RuleKind.NODE_AFFINITY),
                        new ExpectedViolation("uid-near-1", RuleKind.POD_AFFINITY));
    }

    /** Pod plain-1 becomes noisy, which breaks one rule. So it cannot join the workload even, which breaks two. */
    @Test
    void noObjectIsRelabelledTwiceTogether() {
        PlannedChanges changes = PlannedChanges.of(
                PODS.stream().filter(pod -> !pod.name().equals("plain-2")).toList());

        assertThatIllegalArgumentException()
                .isThrownBy(() -> changes.together(
                        List.of(RuleKind.POD_ANTI_AFFINITY, RuleKind.TOPOLOGY_SPREAD), 2, new Random(1)))
                .withMessage("the placement allows only 1 violations at once, not 2: give more --nodes and --pods");
    }
}
