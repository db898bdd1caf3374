package dev.holdfast.operator.feed;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.slf4j.LoggerFactory;

/**
 * Plays random histories of a cluster with faults of its API server. {@code -Dholdfast.peer.histories=N} sets the
 * number of histories and {@code -Dholdfast.peer.seed=S} the seed.
 */
class FaultHistoryTest {
    private static final int HISTORIES = Integer.getInteger("holdfast.peer.histories", 100);
    private static final long SEED = Long.getLong("holdfast.peer.seed", 20_261_121L);

    private final Logger log = (Logger) LoggerFactory.getLogger(KindFeed.class);
    private int evicted;

    @BeforeEach
    void beQuiet() {
        log.setLevel(Level.OFF);
    }

    @AfterEach
    void speakAgain() {
        log.setLevel(null);
    }

    @Test
    void whateverGoesWrongNothingIsEvictedThatTheTruthDoesNotCallForAndAllIsSeenInTheEnd() {
        for (long seed = SEED; seed < SEED + HISTORIES; seed++) {
            play(seed);
        }
        System.out.printf("%d histories from seed %d: %d evictions%n", HISTORIES, SEED, evicted);
        assertThat(evicted).as("evictions in these histories").isPositive();
    }

    private void play(long seed) {
        FaultHistory history = new FaultHistory(seed);
        try (history) {
            history.play();
            evicted += history.evicted();
        } catch (AssertionError | RuntimeException e) {
            throw new AssertionError("history " + seed + ": " + e.getMessage() + "\n" + history.story(), e);
        }
    }
}
