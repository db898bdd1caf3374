package dev.holdfast.operator.publish;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class DurationTextTest {
    @ParameterizedTest(name = "{0} reads {1}")
    @CsvSource({
        "PT0S, 0s",
        "PT-5S, 0s",
        "PT0.999S, 0s",
        "PT59S, 59s",
        "PT60S, 1m0s",
        "PT10M2S, 10m2s",
        "PT59M59S, 59m59s",
        "PT1H, 1h0m0s",
        "P1DT2H5S, 26h0m5s"
    })
    void readsAsKubectlWritesIt(Duration duration, String expected) {
        assertThat(DurationText.of(duration)).isEqualTo(expected);
    }
}
