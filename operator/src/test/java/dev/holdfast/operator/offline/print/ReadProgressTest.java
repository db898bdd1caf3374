package dev.holdfast.operator.offline.print;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Lines about objects that are read from a slow input. */
class ReadProgressTest {
    private static final Instant START = Instant.parse("2026-11-20T12:00:00Z");

    @Test
    void oneLineASecondIsPrintedFromTheSecondSecondOn() {
        List<String> lines = new ArrayList<>();
        List<Instant> now = new ArrayList<>(List.of(START));
        ReadProgress progress = new ReadProgress(now::getLast, lines::add);

        progress.accept(256);
        now.add(START.plusMillis(999));
        progress.accept(512);
        now.add(START.plusMillis(1000));
        progress.accept(12_544);
        now.add(START.plusMillis(1999));
        progress.accept(20_480);
        now.add(START.plusMillis(2000));
        progress.accept(25_600);

        assertThat(lines).containsExactly("read 12,544 objects", "read 25,600 objects");
    }
}
