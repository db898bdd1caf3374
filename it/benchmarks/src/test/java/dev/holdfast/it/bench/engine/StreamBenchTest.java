package dev.holdfast.it.bench.engine;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.it.bench.report.Figure;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** A run that takes seconds produces every figure of the stream bench; the values mean nothing. */
class StreamBenchTest {
    private final List<String> said = new ArrayList<>();

    @Test
    void aQuickRunTakesEveryFigure() throws IOException {
        List<StreamTiming> streams = new StreamBench(
                        Path.of("").toAbsolutePath(), StreamOptions.quick(1), new Ticking(Instant.EPOCH), said::add)
                .measure();

        assertThat(streams)
                .extracting(StreamTiming::reader)
                .containsExactly(
                        "decoder alone",
                        "decoder alone",
                        "feed and index",
                        "feed and index",
                        "feed and engine",
                        "feed and engine");
        assertThat(streams).allSatisfy(figures -> {
            assertThat(figures.rounds()).hasSize(2).allSatisfy(round -> {
                assertThat(round.events()).isEqualTo(2_000);
                assertThat(round.cpu()).isPositive();
                assertThat(round.garbage()).isPositive();
            });
            assertThat(figures.frameBytes()).isBetween(7_000.0, 10_000.0);
        });
        assertThat(streams.stream().flatMap(timing -> timing.figures().stream()))
                .hasSize(6 * 2)
                .extracting(Figure::verdict)
                .filteredOn(verdict -> !verdict.isEmpty())
                .hasSize(4 * 2);
        assertThat(said).hasSize(3 * 3);
    }
}
