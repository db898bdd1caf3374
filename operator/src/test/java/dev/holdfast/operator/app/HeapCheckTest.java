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

class HeapCheckTest {
    private Instant now = Instant.parse("2026-11-25T12:00:00Z");
    private Duration collecting = Duration.ofSeconds(7);
    private long collections = 4;
    private final List<String> fatal = new ArrayList<>();
    private final HeapCheck check =
            new HeapCheck(() -> now, () -> new HeapCheck.Collected(collections, collecting), fatal::add, (_, _) -> {});

    private void run(int times, long millis, long ofThemCollecting) {
        for (int i = 0; i < times; i++) {
            now = now.plusMillis(millis);
            collecting = collecting.plusMillis(ofThemCollecting);
            collections++;
            check.check();
        }
    }

    static Stream<Arguments> times() {
        return Stream.of(
                argumentSet("10 s with 89 %", 10, 1_000, 890, List.of()),
                argumentSet("9 s with 100 %", 9, 1_000, 1_000, List.of()),
                argumentSet("10 s with 90 %", 10, 1_000, 900, List.of(90, 10)),
                argumentSet("one collection of 60 s, in which the process was stopped", 1, 60_000, 60_000, List.of()),
                argumentSet("collections of 4 s", 3, 4_000, 3_900, List.of(97, 12)),
                argumentSet("two collections of 6 s", 2, 6_000, 6_000, List.of()),
                argumentSet("three collections of 6 s", 3, 6_000, 6_000, List.of(100, 18)),
                argumentSet("three collections of a minute", 3, 60_000, 59_000, List.of(98, 180)));
    }

    @ParameterizedTest
    @MethodSource("times")
    void theHeapIsExhaustedIfGarbageCollectionTakesNearlyAllTime(
            int times, long millis, long ofThemCollecting, List<Integer> percentAndSeconds) {
        check.check();

        run(times, millis, ofThemCollecting);

        assertThat(fatal)
                .isEqualTo(
                        percentAndSeconds.isEmpty()
                                ? List.of()
                                : List.of("the heap is exhausted: garbage collection took " + percentAndSeconds.get(0)
                                        + " % of the last " + percentAndSeconds.get(1)
                                        + " s; raise the memory limit"));
    }

    @Test
    void whatWasCollectedBeforeTheWindowDoesNotCount() {
        check.check();
        run(8, 1_000, 1_000);
        run(2, 1_000, 0);
        assertThat(fatal).isEmpty();

        run(8, 1_000, 1_000);
        assertThat(fatal).isEmpty();

        run(1, 1_000, 1_000);
        assertThat(fatal).hasSize(1);
    }

    @Test
    void aCollectionInWhichTheProcessWasStoppedBesideTwoShortOnesIsNoExhaustion() {
        check.check();
        run(1, 20_000, 20_000);
        run(2, 1_000, 100);

        assertThat(fatal).isEmpty();
    }

    @Test
    void fullCollectionsOfThisProcessAreCounted() {
        long before = HeapCheck.sinceStart().count();

        System.gc();

        assertThat(HeapCheck.sinceStart().count()).isGreaterThan(before);
    }

    @Test
    void aStartedCheckRunsByItself() {
        List<String> ends = new CopyOnWriteArrayList<>();
        AtomicInteger seconds = new AtomicInteger();
        Instant start = now;
        try (HeapCheck started = new HeapCheck(
                () -> start.plusSeconds(10L * seconds.get()),
                () -> {
                    int now = seconds.getAndIncrement();
                    return new HeapCheck.Collected(3L * now, Duration.ofSeconds(10L * now));
                },
                ends::add,
                (_, _) -> {})) {
            started.start();
            await().until(() -> !ends.isEmpty());
        }
        assertThat(ends.getFirst()).startsWith("the heap is exhausted: ");
    }
}
