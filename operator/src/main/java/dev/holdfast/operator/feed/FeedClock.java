package dev.holdfast.operator.feed;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.concurrent.ThreadLocalRandom;

/** Clock, sleep and random numbers of a feed. Tests replace the three. */
interface FeedClock extends InstantSource {
    void sleep(Duration time) throws InterruptedException;

    /** {@return a random number from 0 (inclusive) to the bound (exclusive)} */
    long random(long bound);

    /** {@return a feed clock with the times of this clock, real sleep and real random numbers} */
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
