package dev.holdfast.operator.feed;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.concurrent.ThreadLocalRandom;

/** Time as a feed goes with it: it says what time it is, lets time pass, and leaves something of it to chance. */
interface FeedClock extends InstantSource {
    /** Waits so long. */
    void sleep(Duration time) throws InterruptedException;

    /** {@return a number from zero up to, and without, the bound} */
    long random(long bound);

    /** {@return the pace of real time by this clock} */
    static FeedClock of(InstantSource clock) {
        return new FeedClock() {
            @Override
            public Instant instant() {
                return clock.instant();
            }

            @Override
            public void sleep(Duration time) throws InterruptedException {
                Thread.sleep(time);
            }

            @Override
            public long random(long bound) {
                return ThreadLocalRandom.current().nextLong(bound);
            }
        };
    }
}
