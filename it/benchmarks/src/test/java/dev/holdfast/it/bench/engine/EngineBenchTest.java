package dev.holdfast.it.bench.engine;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.it.bench.report.ChurnFigures;
import dev.holdfast.it.bench.report.EngineBenchOptions;
import dev.holdfast.it.bench.report.EngineReport;
import dev.holdfast.it.bench.report.EventFigures;
import dev.holdfast.it.bench.report.HeapFigures;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** A run of seconds takes every figure. What they are says nothing. */
class EngineBenchTest {
    private final List<String> said = new ArrayList<>();

    private EngineReport run(String only) {
        EngineBenchOptions options = EngineBenchOptions.quick(only, 1);
        return new EngineBench(Path.of("").toAbsolutePath(), options, new Ticking(Instant.EPOCH), said::add).run();
    }

    @Test
    void a_quick_run_takes_every_figure() {
        EngineReport report = run("");

        List<String> expected =
                new ArrayList<>(Scene.all().stream().map(Scene::name).toList());
        expected.addAll(
                10,
                List.of(
                        "policy-NodeAffinity",
                        "policy-PodAffinity",
                        "policy-PodAntiAffinity",
                        "policy-TopologySpread"));
        assertThat(report.events()).extracting(EventFigures::scene).containsExactlyElementsOf(expected);
        assertThat(report.events()).allSatisfy(figures -> {
            assertThat(figures.samples()).isPositive();
            assertThat(figures.p50()).isPositive().isLessThanOrEqualTo(figures.p99());
            assertThat(figures.p99()).isLessThanOrEqualTo(figures.max());
            assertThat(figures.garbage()).isNotNegative();
            assertThat(figures.cost()).isPositive();
            assertThat(figures.iterations())
                    .singleElement()
                    .satisfies(one -> assertThat(one.samples().stream()
                                    .mapToDouble(pair -> pair.get(1))
                                    .sum())
                            .isEqualTo((double) figures.samples()));
        });
        assertThat(report.heaps())
                .extracting(HeapFigures::world)
                .containsExactly("usual", "usual, no policies", "labels of each pod unique");
        assertThat(report.heaps()).allSatisfy(heap -> {
            assertThat(heap.perPod()).isBetween(200.0, 5_000.0);
            assertThat(heap.ownPerPod()).isPositive().isLessThan(heap.perPod());
        });
        assertThat(report.heaps().get(1).perPod())
                .isLessThan(report.heaps().getFirst().perPod());
        assertThat(report.churn()).singleElement().satisfies(churn -> {
            assertThat(churn.events()).isEqualTo(20_000);
            assertThat(churn.usedBytes()).hasSizeGreaterThan(10);
            assertThat(churn.growthPercent()).isBetween(-1.0, 1.0);
        });
        assertThat(report.goals()).hasSize(3 * 12 + 4 + 6 + 3 + 2);
        assertThat(said).hasSize(Scene.all().size() + 6);
    }

    @Test
    void with_only_nothing_else_is_measured() {
        EngineReport report = run("pod-status");

        assertThat(report.events()).extracting(EventFigures::scene).containsExactly("pod-status");
        assertThat(report.heaps()).isEmpty();
        assertThat(report.churn()).isEmpty();
    }

    @Test
    void a_heap_that_grows_by_a_tenth_drifts_by_ten_percent_of_its_mean() {
        assertThat(ChurnFigures.drift(List.of(95L, 100L, 105L))).isEqualTo(10.0);
        assertThat(ChurnFigures.drift(List.of(100L, 90L, 100L, 90L, 100L))).isZero();
        assertThat(ChurnFigures.drift(List.of(100L))).isZero();
    }
}
