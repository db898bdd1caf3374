package dev.holdfast.it.bench.engine;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.holdfast.it.bench.engine.StreamTiming.Round;
import dev.holdfast.it.bench.report.Figure;
import dev.holdfast.it.bench.report.Target;
import dev.holdfast.it.bench.report.Unit;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The figures that the stream bench computes from its rounds. */
class StreamTimingTest {
    /** Three rounds of 1,000 events of 8 KB, which took 4, 10 and 5 ms; 1 ms of the 10 ms is garbage collection. */
    private static final List<Round> ROUNDS = List.of(
            new Round(1_000, 8_000_000, 4_000, 0, 200_000),
            new Round(1_000, 8_000_000, 9_000, 1_000, 2_000_000),
            new Round(1_000, 8_000_000, 5_000, 0, 300_000));

    @Test
    void itsFiguresAreEventsASecondAndBytesAnEvent() {
        assertThat(new StreamTiming("feed and engine", "status of pods only", true, ROUNDS).figures())
                .containsExactly(
                        Figure.of("P11", "feed and engine, status of pods only, events a second", 200_000, Unit.COUNT)
                                .noting("100,000 to 250,000 in 3; 8,000 bytes a frame, 1,600 MB a second")
                                .against(Target.atLeast(100_000, 250_000)),
                        Figure.of("P11", "feed and engine, status of pods only, garbage an event", 300, Unit.BYTES)
                                .noting("200 B to 2,000 B in 3")
                                .against(Target.atMost(1_024, 256)));
    }

    @Test
    void theDecoderAloneHasNoTarget() {
        assertThat(new StreamTiming("decoder alone", "status of pods only", false, ROUNDS).figures())
                .hasSize(2)
                .allSatisfy(figure -> {
                    assertThat(figure.section()).isEmpty();
                    assertThat(figure.target()).isEqualTo(Target.none());
                });
    }

    @Test
    void theRawSamplesCanBeWritten() {
        JsonNode json = new ObjectMapper()
                .valueToTree(new StreamTiming("feed and engine", "status of pods only", true, ROUNDS));

        assertThat(json.at("/rounds")).hasSize(3);
        assertThat(json.at("/rounds/1/collecting").asDouble()).isEqualTo(1_000);
    }

    @Test
    void theOptionsAreOneLine() {
        assertThat(new StreamOptions(150_000, 5_000, 1_000, 5, 3, 7))
                .hasToString("150,000 pods, 5,000 nodes, seed 7; 3 rounds of 1,000 events after 5 to warm up");
    }
}
