package dev.holdfast.it.bench.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;
import static org.junit.jupiter.params.provider.Arguments.argumentSet;

import dev.holdfast.policies.engine.report.ViolationState;
import dev.holdfast.policies.index.Index;
import dev.holdfast.policies.model.Pod;
import dev.holdfast.policies.rule.PodRules;
import dev.holdfast.policies.rule.Rule;
import dev.holdfast.policies.rule.RuleKind;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Function;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** The clusters that {@link World} generates have the documented properties, and {@link EventScripts} restore them. */
class WorldTest {
    private static final int PODS = 15_000;
    private static final World WORLD = new World(new WorldPlan(PODS, 500, 15, 1));

    private static List<Pod> pods() {
        return IntStream.range(0, PODS).mapToObj(WORLD::pod).toList();
    }

    @Test
    void twoPodsOfThreeHaveRulesAndAllFourKindsAreThere() {
        Map<RuleKind, Integer> podsWith = new EnumMap<>(RuleKind.class);
        int without = 0;
        for (Pod pod : pods()) {
            List<Rule> rules = PodRules.of(pod.scheduling());
            without += rules.isEmpty() ? 1 : 0;
            rules.stream().map(Rule::kind).distinct().forEach(kind -> podsWith.merge(kind, 1, Integer::sum));
        }

        assertThat(podsWith.get(RuleKind.NODE_AFFINITY)).isCloseTo(4_200, within(500));
        assertThat(podsWith.get(RuleKind.POD_AFFINITY)).isCloseTo(3_600, within(500));
        assertThat(podsWith.get(RuleKind.POD_ANTI_AFFINITY)).isCloseTo(5_900, within(500));
        assertThat(podsWith.get(RuleKind.TOPOLOGY_SPREAD)).isCloseTo(6_600, within(500));
        assertThat(without).isLessThan(PODS / 3);
    }

    @Test
    void twoNodesHave110PodsAndManyHave30() {
        assertThat(WORLD.nodesWith(110)).containsExactly(0, 1);
        assertThat(WORLD.nodesWith(30)).hasSizeGreaterThan(20);
    }

    @Test
    void aTenthOfThePodsIsInTheBigWorkloadAndFewRulesAreBroken() {
        int[] broken = new int[1];
        WORLD.load().forEachBroken((_, _) -> broken[0]++);

        assertThat(pods())
                .filteredOn(pod -> pod.namespace().equals("crowd"))
                .hasSize(WORLD.plan().crowd() + 1);
        assertThat(broken[0]).isBetween(1, PODS / 50);
    }

    static Stream<Arguments> scripts() {
        return Stream.of(
                argumentSet("replaced", (Function<EventScripts, Script>) EventScripts::replaced),
                argumentSet("relabelled", (Function<EventScripts, Script>) EventScripts::relabelled),
                argumentSet("estranged", (Function<EventScripts, Script>) EventScripts::estranged),
                argumentSet("status", (Function<EventScripts, Script>) EventScripts::status),
                argumentSet("zones", (Function<EventScripts, Script>) it -> it.zones(WorldNodes.FULL)),
                argumentSet("disks", (Function<EventScripts, Script>) it -> it.disks(WorldNodes.USUAL)),
                argumentSet("team", (Function<EventScripts, Script>) EventScripts::team),
                argumentSet("audited", (Function<EventScripts, Script>) EventScripts::audited));
    }

    @ParameterizedTest
    @MethodSource("scripts")
    void afterTheLastEventAllIsAsBeforeTheFirst(Function<EventScripts, Script> events) {
        World world = new World(new WorldPlan(3_000, 100, 15, 1));
        Index index = world.load();
        Script script = events.apply(new EventScripts(world));
        Set<String> before = state(index);

        play(script, index);
        Set<String> half = state(index);
        play(script, index);

        assertThat(half).isNotEqualTo(before);
        assertThat(state(index)).isEqualTo(before);
    }

    private static void play(Script script, Index index) {
        for (int i = 0; i < script.length() / 2; i++) {
            index.apply(script.next());
        }
    }

    /** {@return the objects and the violations in an index, as text} */
    private static Set<String> state(Index index) {
        Set<String> state = new TreeSet<>();
        index.view().pods().forEach(pod -> state.add(pod.toString()));
        index.view().nodes().forEach(node -> state.add(node.name() + " " + node.labels()));
        index.view().namespaces().forEach(namespace -> state.add(namespace.toString()));
        index.forEachBroken((pod, rule) -> state.add(pod.uid() + " breaks " + rule.identity()));
        return state;
    }

    @Test
    void allThatIsBrokenIsDueBeforeTheWholeEngineIsTimed() {
        assertThat(ClockedEngine.auditing(WORLD).reports())
                .flatExtracting(report -> report.violations().keySet())
                .isNotEmpty()
                .noneMatch(violation -> violation.state() == ViolationState.FORGIVING);
    }
}
