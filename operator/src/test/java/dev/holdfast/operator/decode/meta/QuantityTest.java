package dev.holdfast.operator.decode.meta;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.holdfast.operator.decode.protobuf.ByteSlice;
import dev.holdfast.operator.decode.protobuf.MalformedException;
import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import org.junit.jupiter.api.Assertions;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class QuantityTest {
    /** The values that {@code ParseQuantity} of k8s.io/apimachinery 0.37.1 returns. */
    @ParameterizedTest(name = "{0} is {1}")
    @CsvSource({
        "1, 1",
        "0, 0",
        "00012, 12",
        "+5, 5",
        "-5, -5",
        "-1500m, -1.5",
        "0.5, 0.5",
        "., 0",
        "+, 0",
        "1.G, 1000000000",
        "1n, 0.000000001",
        "1u, 0.000001",
        "1500m, 1.5",
        "2k, 2000",
        "2M, 2000000",
        "2G, 2000000000",
        "2T, 2000000000000",
        "2P, 2000000000000000",
        "2E, 2000000000000000000",
        "1.5Ki, 1536",
        "0.3Ki, 307.2",
        "3Mi, 3145728",
        "1.5Gi, 1610612736",
        "1Ti, 1099511627776",
        "1Pi, 1125899906842624",
        "7Ei, 8070450532247928832",
        "2e3, 2000",
        "2E3, 2000",
        "2e+3, 2000",
        "1e-3, 0.001",
        // A value finer than a billionth is rounded away from zero.
        "0.1n, 0.000000001",
        "1e-12, 0.000000001",
        "0.000000000000001, 0.000000001",
        "1000000.0000000001, 1000000.000000001",
        "-0.1n, -0.000000001",
        // Only the lower 32 bits of an exponent are used.
        "1e4294967296, 1",
        "9223372036854775807, 9223372036854775807",
        "8Ei, 9223372036854775807"
    })
    void asKubernetesReadsIt(String text, BigDecimal value) throws MalformedException {
        assertThat(read(text)).isEqualByComparingTo(value);
    }

    /** Values for which the scheduler's own numbers overflow, to zero or below. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "9223372036854775808",
                "12E",
                "1e30",
                "1e1000000000",
                "1e2147483647",
                "123456789012345678901234567890",
                "1234567890123456789012345678901234567890123456789012345678901234567890Ei"
            })
    void moreThanALongHoldsIsTheMost(String text) throws MalformedException {
        assertThat(read(text)).isEqualByComparingTo(BigDecimal.valueOf(Long.MAX_VALUE));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "1e-1000000000",
                "1e-2147483648",
                "1e2147483648",
                "0.00000000000000000000000000000000000000000000000000000000000000000001Ei"
            })
    void lessThanCanBeToldIsTheLeast(String text) throws MalformedException {
        assertThat(read(text)).isEqualByComparingTo("0.000000001");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "1K",
                "1ki",
                "1KI",
                "1e",
                "1Ee",
                "1e99999999999999999999",
                " 1",
                "1 ",
                "1_0",
                "1mi",
                "1.1i",
                "0x10",
                "1.2.3",
                "--1",
                "abc",
                "1e1.5",
                "1m5",
                "grün"
            })
    void whatNoApiServerTakesIsRefusedWithItsPlace(String text) {
        assertThatExceptionOfType(MalformedException.class)
                .isThrownBy(() -> Quantity.of(region(text, 17)))
                .withMessageMatching("byte 17: \".*\" is not a quantity");
    }

    @ParameterizedTest
    @CsvSource({"'', 9223372036854775807", "0., 0.123456789", "0.0000000001, 0.000000001"})
    void anyNumberOfDigitsIsReadAtOnce(String before, BigDecimal value) {
        String digits = before + "123456788".repeat(1_000_000);

        BigDecimal read = Assertions.assertTimeout(Duration.ofSeconds(2), () -> read(digits));

        assertThat(read).isEqualByComparingTo(value);
    }

    @ParameterizedTest
    @CsvSource({
        // Only the last digit shows that the value exceeds the previous billionth.
        "0.123456788, 1, 0.123456789",
        "0.123456788, 0, 0.123456788",
        "1, 0, 9223372036854775807"
    })
    void zerosAreNoMoreThanTheyAre(String before, String after, BigDecimal value) throws MalformedException {
        assertThat(read(before + "0".repeat(1_000) + after)).isEqualByComparingTo(value);
    }

    private static BigDecimal read(String text) throws MalformedException {
        return Quantity.of(region(text, 0));
    }

    private static ByteSlice region(String text, long offset) {
        byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
        return new ByteSlice(bytes, 0, bytes.length, offset);
    }
}
