package dev.holdfast.it.bench.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.holdfast.policies.rule.RuleKind;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Random;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Where the pods of a {@link FilledCluster} run, and which label changes break their rules. */
class PlannedChangesTest {
    private static final List<PlacedPod> PODS = PlacedPod.place(100, 3_000);
    private static final List<PlannedChange> CHANGES =
            new PlannedChanges(PODS).independent(List.of(RuleKind.values()), 200, new Random(1));

    private static Map<Integer, Long> sizes(WorkloadRole role, Function<PlacedPod, Object> key) {
        return PODS.stream()
                .filter(pod -> pod.role() == role)
                .collect(Collectors.groupingBy(pod -> pod.block() + " " + key.apply(pod)))
                .values()
                .stream()
                .collect(Collectors.groupingBy(List::size, Collectors.counting()));
    }

    @Test
    void allRulesHoldWhereThePodsAre() {
        assertThat(PODS).hasSize(3_000).extracting(PlacedPod::uid).doesNotHaveDuplicates();
        assertThat(PODS).extracting(PlacedPod::name).doesNotHaveDuplicates();
        assertThat(sizes(WorkloadRole.APART, PlacedPod::node)).isEqualTo(Map.of(1, 20L * 30));
        assertThat(sizes(WorkloadRole.CACHE, PlacedPod::zone)).isEqualTo(Map.of(1, 20L * 10));
        assertThat(sizes(WorkloadRole.EVEN, PlacedPod::zone)).isEqualTo(Map.of(2, 20L * 5, 3, 20L * 5));
        assertThat(PODS).extracting(PlacedPod::node).allMatch(node -> node >= 1 && node <= 100);
    }

    @Test
    void aPlacementThatFillsNoBlocksIsRefused() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> PlacedPod.place(100, 3_001))
                .withMessage("--nodes must be at least 30, and --pods a multiple of 150, at most 100 for each node");
    }

    @Test
    void independentChangesAreOfAllKindsAndBreakNoRuleTwice() {
        assertThat(CHANGES).extracting(PlannedChange::target).doesNotHaveDuplicates();
        assertThat(CHANGES).flatExtracting(PlannedChange::violations).doesNotHaveDuplicates();
        assertThat(CHANGES.subList(0, 4))
                .extracting(change -> change.violations().iterator().next().rule())
                .containsExactly(RuleKind.values());
    }

    /** In zone 1: two ssd pods on node 1, one cache, one pod near it, three even pods; in zone 2 two even pods. */
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "NODE_AFFINITY     | bench-0001       | \"disk\":\"hdd\"        | \"disk\":\"ssd\"   | ssd 0 and 1",
                "POD_ANTI_AFFINITY | plain-1001-00000 | \"noisy\":\"yes\"       | \"noisy\":null     | apart 0",
                "POD_AFFINITY      | cache-1001-00000 | \"serves\":\"no\"       | \"serves\":\"yes\" | near 0",
                "TOPOLOGY_SPREAD   | plain-1001-00000 | \"even\":\"even-1001\"  | \"even\":null      | even 0 and 1"
                        + " and 2"
            })
    void aChangeBreaksTheRulesOfThePodsThatItConcerns(
            RuleKind kind, String target, String breaking, String healing, String broken) {
        List<PlacedPod> pods = new ArrayList<>();
        for (WorkloadRole role : WorkloadRole.values()) {
            pods.add(new PlacedPod(role, 1_001, 0, 1));
        }
        pods.add(new PlacedPod(WorkloadRole.SSD, 1_001, 1, 1));
        pods.add(new PlacedPod(WorkloadRole.EVEN, 1_001, 1, 1));
        pods.add(new PlacedPod(WorkloadRole.EVEN, 1_001, 2, 11));
        pods.add(new PlacedPod(WorkloadRole.EVEN, 1_001, 3, 2));
        String role = broken.substring(0, broken.indexOf(' ')).toUpperCase(Locale.ROOT);

        assertThat(new PlannedChanges(pods).independent(List.of(kind), 9, new Random(1)))
                .singleElement()
                .satisfies(change -> {
                    assertThat(change.target().name()).isEqualTo(target);
                    assertThat(change.breaking()).isEqualTo("{\"metadata\":{\"labels\":{" + breaking + "}}}");
                    assertThat(change.healing()).isEqualTo("{\"metadata\":{\"labels\":{" + healing + "}}}");
                    assertThat(change.violations())
                            .extracting(ExpectedViolation::podUid)
                            .containsExactlyInAnyOrderElementsOf(Arrays.stream(broken.substring(broken.indexOf(' ') + 1)
                                            .split(" and "))
                                    .map(replica -> new PlacedPod(
                                                    WorkloadRole.valueOf(role), 1_001, Integer.parseInt(replica), 1)
                                            .uid())
                                    .toList());
                });
    }

    @Test
    void everyOccurrenceOfAWordIsWrittenOverInKeyAndObject() {
        Etcd.Write write =
                ObjectTemplates.write("/pods/qqqq", "\nweb-qqqq\u0012 on n-1, qqqq", "qqqq", "1234", "n-1", "n-7");

        assertThat(write.key()).isEqualTo("/pods/1234");
        assertThat(write.value()).asString(StandardCharsets.UTF_8).isEqualTo("\nweb-1234\u0012 on n-7, 1234");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> ObjectTemplates.write("", "web-qqqq", "qqqq", "12345"))
                .withMessage("12345 cannot be written over qqqq");
    }
}
