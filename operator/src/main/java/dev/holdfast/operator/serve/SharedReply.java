package dev.holdfast.operator.serve;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Supplier;

/**
 * A reply that is costly to create, such as a scrape of metrics. All requests within a second get the same bytes. At
 * most three replies are in memory: the latest, and two older ones that slow clients still read. Until one of those two
 * is sent, or its client misses the deadline, the latest is given again, so it may be older than a second.
 */
public final class SharedReply implements Supplier<HttpReply> {
    private static final Duration FRESH = Duration.ofSeconds(1);
    private static final int MOST_OLD = 2;

    private final Supplier<HttpReply> replies;
    private final InstantSource clock;

    @GuardedBy("this")
    private Optional<Shared> latest = Optional.empty();

    /** How many replies before the latest are still being sent. */
    @GuardedBy("this")
    private int old;

    private static final class Shared {
        private final Instant begunAt;
        private final HttpReply reply;

        /** How many clients the reply is being sent to. */
        private int clients;

        Shared(Instant begunAt, HttpReply reply) {
            this.begunAt = begunAt;
            this.reply = reply;
        }
    }

    /**
     * Creates the supplier.
     *
     * @param replies creates a reply; called by one thread at a time
     */
    public SharedReply(Supplier<HttpReply> replies, InstantSource clock) {
        this.replies = replies;
        this.clock = clock;
    }

    /** {@return the reply, which must be closed when it is sent} */
    @Override
    public synchronized HttpReply get() {
        Shared shared = latest.filter(this::isUsable).orElseGet(this::renew);
        shared.clients++;
        AtomicBoolean sent = new AtomicBoolean();
        return shared.reply.shared(() -> {
            if (sent.compareAndSet(false, true)) {
                sent(shared);
            }
        });
    }

    @GuardedBy("this")
    private boolean isUsable(Shared shared) {
        return clock.instant().isBefore(shared.begunAt.plus(FRESH)) || (shared.clients > 0 && old >= MOST_OLD);
    }

    @GuardedBy("this")
    private Shared renew() {
        Instant now = clock.instant();
        // A text that no client reads must not take memory while the next is made.
        latest = latest.filter(it -> it.clients > 0);
        Shared renewed = new Shared(now, replies.get());
        old += latest.isPresent() ? 1 : 0;
        latest = Optional.of(renewed);
        return renewed;
    }

    private synchronized void sent(Shared shared) {
        shared.clients--;
        if (shared.clients == 0 && latest.filter(it -> it == shared).isEmpty()) {
            old--;
        }
    }
}
