package dev.holdfast.it.bench.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.params.provider.Arguments.argumentSet;

import dev.holdfast.it.bench.engine.WorldPlan.Shape;
import dev.holdfast.policies.engine.report.ViolationState;
import dev.holdfast.policies.index.Index;
import dev.holdfast.policies.model.ClusterEvent.NamespaceChanged;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Each {@link Scene} has events and restores the generated cluster at the end, so that it can repeat without limit. */
class SceneTest {
    private static World world(Shape shape) {
        return World.of(new WorldPlan(3_000, 100, 15, shape, 1));
    }

    static Stream<Arguments> scenes() {
        return Scene.all().stream().map(scene -> argumentSet(scene.name(), scene));
    }

    @ParameterizedTest
    @MethodSource("scenes")
    void afterTheLastTurnAllIsAsBeforeTheFirst(Scene scene) {
        World world = world(scene.shape());
        Index index = world.load(new VerdictCounter());
        Script script = scene.script(world);
        Set<String> before = state(index);

        for (int turn = 0; turn < script.length() / 2; turn++) {
            script.play(index::apply);
        }
        Set<String> half = state(index);
        for (int turn = script.length() / 2; turn < script.length(); turn++) {
            script.play(index::apply);
        }

        assertThat(half).as("half-way").isNotEqualTo(before);
        assertThat(state(index)).as("at the end").isEqualTo(before);
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
    void theOnePartnerOfTheCrowdTakesTheVerdictsOfAllOfItWithIt() {
        World world = world(Shape.USUAL);
        VerdictCounter told = new VerdictCounter();
        Index index = world.load(told);
        long before = told.broken();

        Scene.named("crowd-leader").script(world).play(index::apply);

        assertThat(told.broken() - before).isEqualTo(world.plan().crowd());
    }

    @Test
    void aZoneRenamedIsAThirdOfTheNodes() {
        World world = world(Shape.USUAL);
        Index index = world.load(new VerdictCounter());

        Scene.named("zone-renamed").script(world).play(index::apply);

        assertThat(index.view().nodes().stream().filter(node -> node.labels().has(WorldNodes.ZONE, "zone-renamed")))
                .hasSize(34);
    }

    @Test
    void toTheWholeEngineAllThatIsBrokenIsDueBeforeItIsTimed() {
        World world = world(Shape.USUAL);
        WholeEngine engine = new WholeEngine(world);

        assertThat(engine.violations())
                .containsKey(ViolationState.WOULD_EVICT)
                .doesNotContainKeys(ViolationState.FORGIVING, ViolationState.EVICTING);
    }

    @Test
    void theWholeEngineHearsWhatIsPlayed() {
        World world = world(Shape.USUAL);
        WholeEngine engine = new WholeEngine(world);
        NamespaceChanged unchanged = new NamespaceChanged(world.namespace(WorldWorkloads.BIG));

        Scene.named("step-crowd-leader").script(world).play(engine);
        for (int millis = 0; millis < 1_100; millis++) {
            engine.accept(unchanged);
        }

        assertThat(engine.violations())
                .containsEntry(ViolationState.FORGIVING, world.plan().crowd());
    }

    @Test
    void whereNoPolicySelectsThePodsTheirEventsChangeNoVerdictOfTheirs() {
        World world = world(Shape.MOSTLY_UNSELECTED);
        Index index = world.load(new VerdictCounter());
        Script script = Scene.named("unselected-replaced").script(world);

        for (int turn = 0; turn < script.length() / 2; turn++) {
            script.play(index::apply);
        }

        assertThat(index.view().pods())
                .filteredOn(pod -> !world.isAudited(pod.namespace()))
                // A pod is deleted and another created, then the reverse.
                .hasSize(script.length() / 4)
                .allMatch(pod -> index.rulesOf(pod.uid()).isEmpty());
    }
}
