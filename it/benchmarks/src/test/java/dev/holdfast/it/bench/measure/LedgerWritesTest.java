package dev.holdfast.it.bench.measure;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;

/** How writes of the ledger are counted. */
class LedgerWritesTest {
    private static final Instant NOON = Instant.parse("2026-11-20T12:00:00Z");

    private static LedgerWrites.Write write(int second, String name, int bytes) {
        return new LedgerWrites.Write(NOON.plusSeconds(second), name, bytes);
    }

    private static LedgerWrites in(int seconds, LedgerWrites.Write... writes) {
        return LedgerWrites.of(List.of(writes), NOON, NOON.plusSeconds(seconds));
    }

    @Test
    void writesOfThePeriodCountByTheMinute() {
        LedgerWrites writes =
                in(30, write(-1, "a", 9_000), write(0, "a", 100), write(29, "b", 50), write(30, "a", 9_000));

        assertThat(writes.writes()).containsExactly(write(0, "a", 100), write(29, "b", 50));
        assertThat(writes.perMinute()).isEqualTo(4);
        assertThat(writes.bytesPerMinute()).isEqualTo(300);
    }

    @Test
    void theConfigMapThatIsWrittenMostOftenCountsFromItsFirstWriteToItsLast() {
        LedgerWrites writes =
                in(60, write(0, "a", 1), write(0, "b", 1), write(6, "a", 1), write(12, "a", 1), write(20, "b", 1));

        assertThat(writes.mostOfOneAMinute()).isEqualTo(10);
    }

    @Test
    void aRateIsRoundedToATenth() {
        LedgerWrites writes =
                new LedgerWrites(60, List.of(write(0, "a", 1), new LedgerWrites.Write(NOON.plusMillis(4_999), "a", 1)));

        assertThat(writes.mostOfOneAMinute()).isEqualTo(12);
    }

    @Test
    void noWritesAreNone() {
        LedgerWrites writes = in(60);

        assertThat(writes.perMinute()).isZero();
        assertThat(writes.bytesPerMinute()).isZero();
        assertThat(writes.mostOfOneAMinute()).isZero();
    }

    @Test
    void oneWriteHasNoRate() {
        assertThat(in(60, write(1, "a", 1)).mostOfOneAMinute()).isZero();
    }
}
