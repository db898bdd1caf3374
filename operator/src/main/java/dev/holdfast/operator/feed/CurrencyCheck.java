package dev.holdfast.operator.feed;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;

/**
 * Checks right before an eviction that feeds have delivered every change that the API server knows. For each kind it
 * reads the newest version with a consistent list of one object, and opens a {@link SecondWatch} from the version that
 * the feed has reached. The feed is current if the second watch has covered the newest version, and the feed has
 * delivered every change that the second watch has shown.
 *
 * <p>The version of the list alone proves nothing: it is the version of the whole store, which a feed of a quiet kind
 * does not reach before the next bookmark. See ADR 11.
 */
final class CurrencyCheck {
    /** A second watch ends after 3 s; the feed may take some more time to deliver what it has shown. */
    private static final Duration LONGEST = Duration.ofSeconds(4);

    private static final Duration POLL = Duration.ofMillis(20);

    private final FeedClock clock;
    private final Consumer<Runnable> threads;

    /**
     * A check.
     *
     * @param threads starts a thread for a task
     */
    CurrencyCheck(FeedClock clock, Consumer<Runnable> threads) {
        this.clock = clock;
        this.threads = threads;
    }

    /**
     * The check of one feed.
     *
     * @param newest the newest version when the check began
     */
    record OfFeed(KindFeed feed, long newest, SecondWatch secondWatch) {
        private boolean isCovered() {
            return secondWatch.covered() >= newest;
        }

        private boolean isCurrent() {
            return isCovered() && feed.reached() >= secondWatch.lastChange();
        }

        private Optional<String> problem() {
            if (isCurrent()) {
                return Optional.empty();
            }
            return Optional.of(
                    isCovered()
                            ? "a change of " + feed.resource() + " has not been delivered by the watch yet"
                            : "the API server did not confirm the newest version of " + feed.resource() + " in time");
        }
    }

    /**
     * {@return why one of the feeds is not known to be current; empty if all are}
     *
     * @throws RuntimeException if a request fails
     */
    Optional<String> behind(List<KindFeed> feeds) throws InterruptedException {
        List<OfFeed> checks = new ArrayList<>();
        try {
            for (KindFeed feed : feeds) {
                long reached = feed.reached();
                long newest = feed.newest();
                if (newest < reached) {
                    return Optional.of("the API server has an older version of " + feed.resource()
                            + " than the watch has delivered");
                }
                OfFeed check = new OfFeed(feed, newest, feed.secondWatch(reached));
                checks.add(check);
                threads.accept(check.secondWatch()::read);
            }
            return await(checks);
        } finally {
            checks.forEach(check -> check.secondWatch().close());
        }
    }

    private Optional<String> await(List<OfFeed> checks) throws InterruptedException {
        Instant end = clock.instant().plus(LONGEST);
        while (!checks.stream().allMatch(OfFeed::isCurrent)) {
            if (!clock.instant().isBefore(end)) {
                return checks.stream()
                        .flatMap(check -> check.problem().stream())
                        .findFirst();
            }
            clock.sleep(POLL);
        }
        return Optional.empty();
    }
}
