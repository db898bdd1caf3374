package dev.holdfast.operator.publish.rate;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Tests how many entries namespaces may write, alone and together, and how many are remembered. */
class NamespaceRateLimiterTest {
    private static final Instant START = Instant.parse("2026-11-20T15:32:08Z");

    private final NamespaceRateLimiter limiter = new NamespaceRateLimiter(30, Duration.ofSeconds(6), START);

    /** {@return how many of 100 entries of a namespace are allowed} */
    private long allowed(String namespace, int second) {
        return IntStream.range(0, 100)
                .filter(_ -> limiter.take(namespace, START.plusSeconds(second)))
                .count();
    }

    @Test
    void aNamespaceHasThirtyAtOnceAndThenOneEachSixSeconds() {
        assertThat(allowed("shop", 0)).isEqualTo(30);
        assertThat(allowed("shop", 5)).isZero();
        assertThat(allowed("shop", 6)).isEqualTo(1);
        assertThat(allowed("shop", 60)).isEqualTo(9);
        assertThat(allowed("shop", 600)).isEqualTo(30);
    }

    @Test
    void aFloodInOneNamespaceTakesNothingFromOthers() {
        for (int second = 0; second < 600; second++) {
            allowed("noisy", second);
        }

        assertThat(allowed("shop", 600)).isEqualTo(30);
    }

    @Test
    void allNamespacesTogetherHaveTenTimesAsMuch() {
        assertThat(IntStream.range(0, 20).mapToLong(i -> allowed("ns-" + i, 0)).sum())
                .isEqualTo(300);
        assertThat(IntStream.range(20, 40).mapToLong(i -> allowed("ns-" + i, 6)).sum())
                .isEqualTo(10);
    }

    @Test
    void aNamespaceThatMayWriteAsMuchAsANewOneIsForgotten() {
        allowed("shop", 0);
        allowed("data", 179);
        assertThat(limiter.size()).isEqualTo(2);

        allowed("other", 180);

        assertThat(limiter.size()).isEqualTo(2);
        assertThat(allowed("data", 180)).isZero();
    }

    @Test
    void theLimitForAllNamespacesBoundsHowManyAreRemembered() {
        int most = 0;
        for (int i = 0; i < 100_000; i++) {
            limiter.take("ns-" + i, START.plusMillis(i * 10L));
            most = Math.max(most, limiter.size());
        }

        assertThat(most)
                .as("300 at once, and one more each 600 ms until the first are forgotten")
                .isEqualTo(309);
        assertThat(limiter.size()).as("those of the last 6 s").isEqualTo(10);
    }
}
