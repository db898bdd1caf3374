package dev.holdfast.it.bench.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;

/** In a {@link FilledCluster} every rule holds. */
class FilledClusterTest {
    private static final List<PlacedPod> PODS = FilledCluster.placed(Layout.of(100, 3_000), 1);

    private static Map<String, List<PlacedPod>> by(WorkloadRole workloadRole, Function<PlacedPod, Object> key) {
        return PODS.stream()
                .filter(pod -> pod.workloadRole() == workloadRole)
                .collect(Collectors.groupingBy(pod -> pod.block() + " " + key.apply(pod)));
    }

    @Test
    void thereAreAsManyAsWereAskedFor() {
        assertThat(PODS)
                .hasSize(3_000)
                .extracting(PlacedPod::uid)
                .doesNotHaveDuplicates()
                .allMatch(uid -> uid.length() == 36);
        assertThat(PODS).extracting(PlacedPod::name).doesNotHaveDuplicates();
    }

    @Test
    void noTwoPodsThatMustBeApartShareANode() {
        assertThat(by(WorkloadRole.APART, PlacedPod::node).values())
                .hasSize(20 * 30)
                .allMatch(pods -> pods.size() == 1);
    }

    @Test
    void everyZoneHasOneCacheOfEachBlock() {
        assertThat(by(WorkloadRole.CACHE, PlacedPod::zone).values())
                .hasSize(20 * 10)
                .allMatch(pods -> pods.size() == 1);
    }

    @Test
    void halfOfTheZonesHaveOnePodMoreOfThoseThatAreSpreadEvenly() {
        assertThat(by(WorkloadRole.EVEN, PlacedPod::zone).values().stream()
                        .collect(Collectors.groupingBy(List::size, Collectors.counting())))
                .isEqualTo(Map.of(2, 20L * 5, 3, 20L * 5));
    }

    @Test
    void aPodIsInTheZoneOfItsNode() {
        Layout layout = Layout.of(100, 3_000);
        Map<String, String> zones =
                IntStream.rangeClosed(1, 100).boxed().collect(Collectors.toMap(Layout::node, layout::zone));

        assertThat(PODS).allMatch(pod -> pod.zone().equals(zones.get(pod.node())));
    }

    @Test
    void tenBlocksShareANamespace() {
        assertThat(PODS.stream().collect(Collectors.groupingBy(PlacedPod::namespace, Collectors.counting())))
                .isEqualTo(Map.of("scale-000", 9L * 150, "scale-001", 10L * 150, "scale-002", 150L));
    }

    @TestFactory
    List<DynamicTest> everySizeHasNodesForAllPods() {
        return List.of(Layout.of(5, 300), Layout.of(1_000, 30_000), Layout.of(101, 3_000)).stream()
                .map(layout -> DynamicTest.dynamicTest(
                        layout.nodes() + " nodes, " + layout.pods() + " pods",
                        () -> assertThat(FilledCluster.placed(layout, 7))
                                .hasSize(layout.pods())
                                .extracting(PlacedPod::node)
                                .isSubsetOf(IntStream.rangeClosed(1, layout.nodes())
                                        .mapToObj(Layout::node)
                                        .toList())))
                .toList();
    }
}
