package dev.holdfast.it.bench.measure;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.stream.DoubleStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** How a {@link Summary} computes percentiles: by nearest rank. */
class SummaryTest {
    static Stream<Arguments> rows() {
        return Stream.of(
                Arguments.argumentSet("one sample is every percentile", upTo(1), new Summary(1, 1, 1, 1, 1, 1)),
                Arguments.argumentSet("of two samples the median is the lower", upTo(2), new Summary(2, 1, 1, 2, 2, 2)),
                Arguments.argumentSet(
                        "of seven samples the median is the fourth", upTo(7), new Summary(7, 1, 4, 7, 7, 7)),
                Arguments.argumentSet("of ten samples p90 is the ninth", upTo(10), new Summary(10, 1, 5, 9, 10, 10)),
                Arguments.argumentSet(
                        "of a hundred samples p99 is not the last", upTo(100), new Summary(100, 1, 50, 90, 99, 100)),
                Arguments.argumentSet(
                        "of 500 samples five are above p99", upTo(500), new Summary(500, 1, 250, 450, 495, 500)),
                Arguments.argumentSet(
                        "of 101 samples p99 is the hundredth: 99.99 is rounded up",
                        upTo(101),
                        new Summary(101, 1, 51, 91, 100, 101)));
    }

    private static List<Double> upTo(int count) {
        return DoubleStream.iterate(1, value -> value + 1).limit(count).boxed().toList();
    }

    @ParameterizedTest
    @MethodSource("rows")
    void percentiles(List<Double> samples, Summary expected) {
        List<Double> shuffled = new ArrayList<>(samples);
        Collections.shuffle(shuffled, new Random(1));

        assertThat(Summary.of(samples)).isEqualTo(expected);
        assertThat(Summary.of(shuffled)).isEqualTo(expected);
    }

    @Test
    void noSamplesHaveNoSummary() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Summary.of(List.of()))
                .withMessage("no samples");
    }
}
