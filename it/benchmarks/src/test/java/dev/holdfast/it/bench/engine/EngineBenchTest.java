package dev.holdfast.it.bench.engine;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.it.bench.report.Figure;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** A run that takes seconds produces every figure of the engine bench; the values mean nothing. */
class EngineBenchTest {
    private final List<String> said = new ArrayList<>();

    private EngineMeasurements measure(String only) {
        EngineOptions options = EngineOptions.quick(only, 1);
        return new EngineBench(Path.of("").toAbsolutePath(), options, new Ticking(Instant.EPOCH), said::add).measure();
    }

    @Test
    void aQuickRunTakesEveryFigure() {
        EngineMeasurements measured = measure("");

        List<String> expected =
                new ArrayList<>(Scene.all().stream().map(Scene::name).toList());
        expected.addAll(
                10,
                List.of(
                        "policy-NodeAffinity",
                        "policy-PodAffinity",
                        "policy-PodAntiAffinity",
                        "policy-TopologySpread"));
        assertThat(measured.events()).extracting(SceneTiming::scene).containsExactlyElementsOf(expected);
        assertThat(measured.events()).allSatisfy(figures -> {
            assertThat(figures.samples()).isPositive();
            assertThat(figures.p50()).isPositive().isLessThanOrEqualTo(figures.p99());
            assertThat(figures.p99()).isLessThanOrEqualTo(figures.max());
            assertThat(figures.of(Statistic.GARBAGE)).isNotNegative();
            assertThat(figures.of(Statistic.COST)).isPositive();
            assertThat(figures.iterations())
                    .singleElement()
                    .satisfies(one -> assertThat(one.samples().stream()
                                    .mapToDouble(pair -> pair.get(1))
                                    .sum())
                            .isEqualTo((double) figures.samples()));
        });
        assertThat(measured.heaps())
                .extracting(HeapSize::world)
                .containsExactly("usual", "usual, no policies", "labels of each pod unique");
        assertThat(measured.heaps()).allSatisfy(heap -> {
            assertThat(heap.perPod()).isBetween(200.0, 5_000.0);
            assertThat(heap.ownPerPod()).isPositive().isLessThan(heap.perPod());
        });
        assertThat(measured.heaps().get(1).perPod())
                .isLessThan(measured.heaps().getFirst().perPod());
        assertThat(measured.churn()).singleElement().satisfies(churn -> {
            assertThat(churn.events()).isEqualTo(20_000);
            assertThat(churn.usedBytes()).hasSizeGreaterThan(10);
            assertThat(churn.growthPercent()).isBetween(-1.0, 1.0);
        });
        assertThat(measured.figures())
                .extracting(Figure::verdict)
                .filteredOn(verdict -> !verdict.isEmpty())
                .hasSize(3 * 12 + 4 + 6 + 3 + 2 + 2 * 8);
        assertThat(measured.pressure())
                .extracting(PressureRun::pods)
                .containsExactly(10, 10, 100, 100, 240, 240, 260, 260);
        assertThat(measured.pressure())
                .allSatisfy(run -> assertThat(run.events()).isPositive());
        assertThat(measured.violations())
                .singleElement()
                .satisfies(run -> assertThat(run.violations()).isEqualTo(3_000));
        assertThat(said).hasSize(Scene.all().size() + 6 + 9);
    }

    @Test
    void withOnlyNothingElseIsMeasured() {
        EngineMeasurements measured = measure("pod-status");

        assertThat(measured.events()).extracting(SceneTiming::scene).containsExactly("pod-status");
        assertThat(measured.heaps()).isEmpty();
        assertThat(measured.churn()).isEmpty();
    }

    @Test
    void aHeapThatGrowsByATenthDriftsByTenPercentOfItsMean() {
        assertThat(ChurnRun.drift(List.of(95L, 100L, 105L))).isEqualTo(10.0);
        assertThat(ChurnRun.drift(List.of(100L, 90L, 100L, 90L, 100L))).isZero();
        assertThat(ChurnRun.drift(List.of(100L))).isZero();
    }
}
