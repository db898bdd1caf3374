package dev.holdfast.it.bench.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import dev.holdfast.it.bench.engine.WorldPlan.Shape;
import dev.holdfast.policies.index.Index;
import dev.holdfast.policies.model.Labels;
import dev.holdfast.policies.model.Pod;
import dev.holdfast.policies.rule.PodRules;
import dev.holdfast.policies.rule.Policy;
import dev.holdfast.policies.rule.Rule;
import dev.holdfast.policies.rule.RuleKind;
import java.util.EnumMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/**
 * The clusters that {@link World} generates have the documented properties. The tests use a tenth of the usual size.
 */
class WorldTest {
    private static final int PODS = 15_000;
    private static final int NODES = 500;

    private static World world(Shape shape) {
        return World.of(new WorldPlan(PODS, NODES, 15, shape, 1));
    }

    private static List<Pod> pods(World world) {
        return IntStream.range(0, PODS).mapToObj(world::pod).toList();
    }

    private static Set<Labels> labelSets(World world) {
        Set<Labels> sets = new HashSet<>();
        pods(world).forEach(pod -> sets.add(pod.labels()));
        return sets;
    }

    @Test
    void aWorkloadHasFifteenPodsOnAverageAndANamespaceTwentyWorkloads() {
        World world = world(Shape.USUAL);

        assertThat(world.worldWorkloads().stream()
                        .mapToInt(WorldWorkload::replicas)
                        .sum())
                .isEqualTo(PODS);
        assertThat(world.worldWorkloads()).hasSizeBetween(950, 1_050);
        assertThat(world.namespaces()).hasSizeBetween(48, 53).contains("crowd", "big", "ns-0");
        assertThat(world.podsIn("big")).hasSize(300);
        assertThat(world.podsIn("crowd")).hasSize(301);
    }

    @Test
    void twoPodsOfThreeCarryRulesAndAllFourKindsAreThere() {
        Map<RuleKind, Integer> podsWith = new EnumMap<>(RuleKind.class);
        int without = 0;
        for (Pod pod : pods(world(Shape.USUAL))) {
            List<Rule> rules = PodRules.of(pod.scheduling());
            without += rules.isEmpty() ? 1 : 0;
            rules.stream().map(Rule::kind).distinct().forEach(kind -> podsWith.merge(kind, 1, Integer::sum));
        }

        assertThat(podsWith).containsOnlyKeys(RuleKind.values());
        assertThat(podsWith.get(RuleKind.NODE_AFFINITY)).isCloseTo(4_200, within(500));
        assertThat(podsWith.get(RuleKind.POD_AFFINITY)).isCloseTo(3_600, within(500));
        assertThat(podsWith.get(RuleKind.POD_ANTI_AFFINITY)).isCloseTo(5_900, within(500));
        assertThat(podsWith.get(RuleKind.TOPOLOGY_SPREAD)).isCloseTo(6_600, within(500));
        assertThat(without).isLessThan(PODS / 3);
    }

    @Test
    void thereIsAboutOneTermToFifteenPods() {
        assertThat(world(Shape.USUAL).terms()).isCloseTo(1_000, within(60));
    }

    @Test
    void twoNodesHave110PodsAndManyHave30AndTaintedOnesHaveNone() {
        World world = world(Shape.USUAL);

        assertThat(world.nodesWith(110)).containsExactly(0, 1);
        assertThat(world.nodesWith(30)).hasSizeGreaterThan(20);
        assertThat(world.nodesWith(0))
                .hasSize(10)
                .allMatch(node -> !world.worldNodes().node(node).taints().isEmpty());
    }

    @Test
    void podsHaveTheZoneAndRegionOfTheirNodeAndShareTheirLabelsWithTheOthersOfTheZone() {
        World world = world(Shape.USUAL);

        assertThat(pods(world)).allSatisfy(pod -> {
            int node = Integer.parseInt(pod.nodeName().orElseThrow().substring("node-".length()));
            assertThat(pod.labels().get(WorldNodes.ZONE)).hasValue(WorldNodes.zone(node));
            assertThat(pod.labels().get(WorldNodes.REGION)).hasValue("region-1");
        });
        assertThat(labelSets(world))
                .hasSizeBetween(
                        2 * world.worldWorkloads().size(),
                        3 * world.worldWorkloads().size());
    }

    @Test
    void policiesOfBothKindsAskForRulesOfAllFourKindsAndFewAreBroken() {
        World world = world(Shape.USUAL);
        VerdictCounter told = new VerdictCounter();
        Index index = world.load(told);
        Map<RuleKind, Integer> asked = new EnumMap<>(RuleKind.class);
        pods(world)
                .forEach(pod -> index.rulesOf(pod.uid())
                        .forEach(rule -> asked.merge(rule.rule().kind(), 1, Integer::sum)));
        int[] broken = new int[1];
        index.forEachBroken((_, _) -> broken[0]++);

        assertThat(world.policies())
                .filteredOn(policy -> policy.id().namespace().isEmpty())
                .extracting(policy -> policy.id().name())
                .containsExactly("audit", "critical-apart-from-noisy");
        assertThat(world.policies())
                .filteredOn(policy -> policy.id().namespace().isPresent())
                .hasSize(6);
        assertThat(world.policies().stream().flatMap(policy -> policy.rules().stream()))
                .extracting(rule -> rule.rule().kind())
                .contains(RuleKind.values());
        assertThat(asked).containsOnlyKeys(RuleKind.values());
        assertThat(broken[0]).isBetween(1, PODS / 50).isEqualTo((int) (told.broken() - told.mended()));
    }

    @Test
    void whereMostAreUnselectedOnePodInTenIsSelected() {
        World world = world(Shape.MOSTLY_UNSELECTED);
        Index index = world.load(new VerdictCounter());
        List<Policy> policies = world.policies();

        long selected = pods(world).stream()
                .filter(pod -> policies.stream().anyMatch(policy -> policy.selects(pod, index.view())))
                .count();

        assertThat(selected).isBetween((long) PODS / 20, (long) PODS / 6);
    }

    @Test
    void whereLabelsAreUniqueNoTwoPodsShareThem() {
        assertThat(labelSets(world(Shape.UNIQUE_LABELS))).hasSize(PODS);
    }

    @Test
    void whereEveryPodIsMatchedTenPodsWantToBeAloneOnTheirNodes() {
        World world = world(Shape.EVERY_POD_MATCHED);
        Index index = world.load(new VerdictCounter());

        List<Integer> loners = world.podsIn("loners");
        assertThat(loners)
                .hasSize(10)
                .allMatch(loner -> index.rulesOf(world.pod(loner).uid()).stream()
                        .anyMatch(rule -> rule.rule()
                                        .describe()
                                        .equals("apart from every pod in every namespace by " + WorldNodes.HOST)
                                && index.isBroken(world.pod(loner).uid(), rule.identity())));
    }

    @Test
    void theSameSeedGivesTheSameWorldAndAnotherSeedAnother() {
        World world = world(Shape.USUAL);

        assertThat(pods(world(Shape.USUAL))).isEqualTo(pods(world));
        assertThat(pods(World.of(new WorldPlan(PODS, NODES, 15, Shape.USUAL, 2))))
                .isNotEqualTo(pods(world));
    }

    @Test
    void aReplacementIsOfTheSameWorkloadOnAnotherNode() {
        World world = world(Shape.USUAL);

        assertThat(IntStream.range(0, 1_000)).allSatisfy(number -> {
            Pod before = world.pod(number);
            Pod after = world.replacement(number, 1);
            assertThat(after.uid()).isNotEqualTo(before.uid());
            assertThat(after.nodeName()).isNotEqualTo(before.nodeName());
            assertThat(after.labels().get("app")).isEqualTo(before.labels().get("app"));
            assertThat(after.scheduling()).isSameAs(before.scheduling());
        });
    }

    @Test
    void aWorldTooSmallIsRefused() {
        assertThatThrownBy(() -> new WorldPlan(3_000, 49, 15, Shape.USUAL, 1))
                .hasMessage("a world needs at least 50 nodes, not 49");
        assertThatThrownBy(() -> new WorldPlan(999, 100, 15, Shape.USUAL, 1))
                .hasMessage("100 nodes need at least 1000 pods, not 999");
    }
}
