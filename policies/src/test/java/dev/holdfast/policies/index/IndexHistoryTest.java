package dev.holdfast.policies.index;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.fail;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/**
 * Compares the index to {@code evaluate} after every step of random histories: sequences of cluster events and policy
 * changes. {@code -Dholdfast.history.events=N} sets the number of steps, {@code -Dholdfast.history.seed=S} the first
 * seed.
 */
class IndexHistoryTest {
    private static final int EVENTS = Integer.getInteger("holdfast.history.events", 200_000);
    private static final long SEED = Long.getLong("holdfast.history.seed", 20_261_121L);
    private static final int PER_HISTORY = 400;
    private static final int MIDDLE_IN = 50;

    /** One of 250 histories begins with 250 pods of one template on one node, so that verdict groups are large. */
    private static final int CROWDED_IN = 250;

    private int broken;
    private int mended;

    @Test
    void afterEveryEventTheIndexHasToldWhatEvaluateSays() {
        int played = 0;
        for (long seed = SEED; played < EVENTS; seed++) {
            played += play(seed);
        }
        System.out.printf(
                "%d events from seed %d: %d rules broken, %d mended, 0 differences%n", played, SEED, broken, mended);
        assertThat(broken).as("rules broken in these histories").isPositive();
        assertThat(mended).as("rules mended in these histories").isPositive();
    }

    private int play(long seed) {
        RandomHistory random = history(seed);
        HistoryRun run = new HistoryRun();
        List<Step> history = new ArrayList<>();
        while (history.size() < PER_HISTORY) {
            for (Step step : random.next()) {
                history.add(step);
                Optional<String> fault;
                try {
                    fault = run.take(step);
                } catch (RuntimeException e) {
                    fault = Optional.of(e.toString());
                }
                if (fault.isPresent()) {
                    report(seed, history);
                }
            }
        }
        run.takeAllBack();
        assertThat(run.index().isEmpty())
                .as("the index is empty after everything was deleted, seed %d", seed)
                .isTrue();
        broken += run.brokenSoFar();
        mended += run.mendedSoFar();
        return history.size();
    }

    private static RandomHistory history(long seed) {
        if (seed % CROWDED_IN == 1) {
            return RandomHistory.crowded(seed, 250);
        }
        return seed % MIDDLE_IN == 0 ? new RandomHistory(seed, 70, 12) : new RandomHistory(seed, 10, 5);
    }

    private static void report(long seed, List<Step> history) {
        List<Step> shortest =
                Shrinking.of(history, steps -> HistoryRun.faultOf(steps).isPresent());
        StringBuilder text = new StringBuilder(
                "seed " + seed + ", shrunk from " + history.size() + " events to " + shortest.size() + ":");
        shortest.forEach(step -> text.append("\n  ").append(step));
        text.append("\n").append(HistoryRun.faultOf(shortest).orElse("the difference does not occur every time"));
        fail(text.toString());
    }
}
