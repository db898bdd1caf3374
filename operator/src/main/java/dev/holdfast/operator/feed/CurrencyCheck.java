package dev.holdfast.operator.feed;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;

/**
 * Checks right before an eviction that feeds have delivered every change that the API server knows. For each kind, the
 * check reads the newest version with a consistent list of one object, and opens a {@link SecondWatch} from the version
 * that the feed has reached. The feed is current if the second watch has covered the newest version, and the feed has
 * delivered every change that the second watch has shown.
 *
 * <p>The version of the list alone proves nothing: it is the version of the whole store, which a feed of a quiet kind
 * does not reach before the next bookmark. See ADR 11.
 *
 * <p>All kinds are asked at the same time, each on a thread of its own. The calling thread only looks at their
 * findings, so that its limit holds whatever the API server does, and an interrupt ends it at once.
 */
final class CurrencyCheck {
    /** The limit of a whole check. A second watch ends after 3 s; the feed may take some more time to deliver. */
    static final Duration LONGEST = Duration.ofSeconds(4);

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

    /** The finding of the thread of one kind. */
    private sealed interface Finding {
        /** The API server has not answered yet. */
        record Waiting() implements Finding {}

        /**
         * A second watch is open.
         *
         * @param newest the newest version when the check began
         */
        record Watching(long newest, SecondWatch watch) implements Finding {
            private boolean isCovered() {
                return watch.covered() >= newest;
            }
        }

        /** The API server has an older version than the feed. */
        record ServerBehind() implements Finding {}

        /** A request failed. */
        record Failed(RuntimeException why) implements Finding {}
    }

    /** The check of one feed: one thread runs it, another looks at its finding. */
    private static final class FeedCheck implements Runnable {
        private final KindFeed feed;
        private volatile Finding finding = new Finding.Waiting();
        private volatile boolean ended;

        FeedCheck(KindFeed feed) {
            this.feed = feed;
        }

        @Override
        public void run() {
            try {
                long reached = feed.reached();
                long newest = feed.newest(LONGEST);
                if (newest < reached) {
                    finding = new Finding.ServerBehind();
                } else if (!ended) {
                    watch(newest, feed.secondWatch(reached));
                }
            } catch (InterruptedException _) {
                Thread.currentThread().interrupt();
            } catch (RuntimeException e) {
                finding = new Finding.Failed(e);
            }
        }

        private void watch(long newest, SecondWatch watch) {
            finding = new Finding.Watching(newest, watch);
            // The check may have ended before it could see this watch.
            if (ended) {
                watch.close();
            }
            watch.read();
        }

        boolean isCurrent() {
            return finding instanceof Finding.Watching watching
                    && watching.isCovered()
                    && watching.watch().contradiction().isEmpty()
                    && feed.reached() >= watching.watch().lastChange();
        }

        /** {@return whether no more time can make this feed current} */
        boolean hasFailed() {
            return switch (finding) {
                case Finding.Waiting() -> false;
                case Finding.Watching watching ->
                    watching.watch().contradiction().isPresent()
                            || (watching.watch().end().isPresent() && !watching.isCovered());
                case Finding.ServerBehind(), Finding.Failed _ -> true;
            };
        }

        /**
         * {@return why the feed is not known to be current}
         *
         * @throws RuntimeException if a request failed
         */
        String problem() {
            return switch (finding) {
                case Finding.Waiting() -> unconfirmed();
                case Finding.ServerBehind() ->
                    "the API server has an older version of " + feed.resource() + " than the watch has delivered";
                case Finding.Failed(RuntimeException why) -> throw why;
                case Finding.Watching watching -> problem(watching);
            };
        }

        private String problem(Finding.Watching watching) {
            String secondWatch = "a second watch of " + feed.resource();
            return watching.watch()
                    .contradiction()
                    .map(why -> secondWatch + " could not be read: " + why)
                    .orElseGet(() -> watching.isCovered()
                            ? "a change of " + feed.resource() + " has not been delivered by the watch yet"
                            : watching.watch()
                                    .end()
                                    .map(why -> secondWatch + " did not show the newest version: " + why)
                                    .orElseGet(this::unconfirmed));
        }

        private String unconfirmed() {
            return "the API server did not confirm the newest version of " + feed.resource() + " in time";
        }

        void end() {
            ended = true;
            if (finding instanceof Finding.Watching(var _, SecondWatch watch)) {
                watch.close();
            }
        }
    }

    /**
     * {@return why one of the feeds is not known to be current; empty if all are} Takes at most {@link #LONGEST}.
     *
     * @throws RuntimeException if a request fails
     */
    Optional<String> behind(List<KindFeed> feeds) throws InterruptedException {
        List<FeedCheck> checks = feeds.stream().map(FeedCheck::new).toList();
        Instant end = clock.instant().plus(LONGEST);
        checks.forEach(threads);
        try {
            while (!checks.stream().allMatch(FeedCheck::isCurrent)) {
                Optional<FeedCheck> failed =
                        checks.stream().filter(FeedCheck::hasFailed).findFirst();
                if (failed.isPresent() || !clock.instant().isBefore(end)) {
                    return failed.or(() -> checks.stream()
                                    .filter(check -> !check.isCurrent())
                                    .findFirst())
                            .map(FeedCheck::problem);
                }
                clock.sleep(POLL);
            }
            return Optional.empty();
        } finally {
            checks.forEach(FeedCheck::end);
        }
    }
}
