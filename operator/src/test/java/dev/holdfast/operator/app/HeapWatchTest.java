package dev.holdfast.operator.app;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.params.provider.Arguments.argumentSet;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

class HeapWatchTest {
    private Instant now = Instant.parse("2026-11-25T12:00:00Z");
    private Duration collecting = Duration.ofSeconds(7);
    private final List<String> fatal = new ArrayList<>();
    private final HeapWatch watch = new HeapWatch(() -> now, () -> collecting, fatal::add);

    private void look(int times, long millis, long ofThemCollecting) {
        for (int i = 0; i < times; i++) {
            now = now.plusMillis(millis);
            collecting = collecting.plusMillis(ofThemCollecting);
            watch.look();
        }
    }

    static Stream<Arguments> times() {
        return Stream.of(
                argumentSet("10 s with 89 %", 10, 1_000, 890, List.of()),
                argumentSet("9 s with 100 %", 9, 1_000, 1_000, List.of()),
                argumentSet("10 s with 90 %", 10, 1_000, 900, List.of(90, 10)),
                argumentSet("a thread that runs each 4 s", 3, 4_000, 3_900, List.of(97, 12)));
    }

    @ParameterizedTest
    @MethodSource("times")
    void theHeapIsExhaustedIfGarbageCollectionTakesNearlyAllTime(
            int times, long millis, long ofThemCollecting, List<Integer> percentAndSeconds) {
        watch.look();

        look(times, millis, ofThemCollecting);

        assertThat(fatal)
                .isEqualTo(
                        percentAndSeconds.isEmpty()
                                ? List.of()
                                : List.of("the heap is exhausted: garbage collection took " + percentAndSeconds.get(0)
                                        + " % of the last " + percentAndSeconds.get(1)
                                        + " s; raise the memory limit of the container"));
    }

    @Test
    void whatWasCollectedBeforeTheWindowDoesNotCount() {
        watch.look();
        look(8, 1_000, 1_000);
        look(2, 1_000, 0);
        assertThat(fatal).isEmpty();

        look(8, 1_000, 1_000);
        assertThat(fatal).isEmpty();

        look(1, 1_000, 1_000);
        assertThat(fatal).hasSize(1);
    }

    @Test
    void aStartedWatchLooksUntilItIsClosed() {
        List<String> ends = new CopyOnWriteArrayList<>();
        AtomicInteger seconds = new AtomicInteger();
        Instant start = now;
        try (HeapWatch started = new HeapWatch(
                () -> start.plusSeconds(10L * seconds.get()),
                () -> Duration.ofSeconds(10L * seconds.getAndIncrement()),
                ends::add)) {
            started.start();
            await().until(() -> !ends.isEmpty());
        }
        assertThat(ends.getFirst()).startsWith("the heap is exhausted: ");
    }
}
