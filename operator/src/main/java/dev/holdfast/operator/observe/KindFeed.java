package dev.holdfast.operator.observe;

import dev.holdfast.policies.engine.Event;
import io.fabric8.kubernetes.api.model.KubernetesResourceList;
import io.fabric8.kubernetes.api.model.ListOptions;
import io.fabric8.kubernetes.api.model.ListOptionsBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.Watch;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.HashSet;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Feeds one kind: lists all of it, then watches it for ever. A watch that ends is opened again from where it was; when
 * that fails the view is lost, and everything is listed again until it succeeds.
 *
 * <p>It does so itself rather than by a fabric8 informer, which hides when its watch is down and cannot say when it has
 * caught up, and which puts an unbounded queue between watch and handler. Here hardly more than one event is read
 * from the connection before the last one has been taken, and whoever takes them may let a feed wait.
 */
final class KindFeed<T extends SlimObject> {
    private static final Logger LOG = LoggerFactory.getLogger(KindFeed.class);

    private static final long PAGE = 500;
    private static final int SHORTEST_WATCH_SECONDS = 300;

    /** A watch that ends sooner, so many times in a row, is not worth opening again. */
    private static final Duration SHORT_LIVED = Duration.ofSeconds(1);

    private static final int MOST_HASTY = 3;

    /**
     * How long nothing may be heard of a watch. Bookmarks come about once a minute; of a kind that has not changed since
     * the API server started there are none, and opening its watch anew is all that can be asked for.
     */
    private static final Duration LONGEST_SILENCE = Duration.ofMinutes(2);

    private final KubernetesClient client;
    private final Kind<T> kind;
    private final ViewGate gate;
    private final InstantSource clock;
    private final Sight<T> sight;
    private final CountDownLatch closing = new CountDownLatch(1);
    private final Pauses pauses =
            new Pauses(bound -> ThreadLocalRandom.current().nextLong(bound));
    private final Thread thread;
    private volatile Optional<Following<T>> current = Optional.empty();
    private String lastTrouble = "";

    KindFeed(
            KubernetesClient client,
            Kind<T> kind,
            ViewGate gate,
            InstantSource clock,
            Consumer<Event> sink,
            Thread.UncaughtExceptionHandler onDeath) {
        this.client = client;
        this.kind = kind;
        this.gate = gate;
        this.clock = clock;
        this.sight = new Sight<>(kind, clock, fact -> sink.accept(new Event.FactChanged(fact)));
        this.thread = Thread.ofVirtual()
                .name("feed of " + kind)
                .uncaughtExceptionHandler(onDeath)
                .unstarted(this::run);
    }

    void start() {
        thread.start();
    }

    /** {@return when the API server last said anything about this kind} */
    Instant heard() {
        return sight.heard();
    }

    /**
     * Gives a watch up of which nothing was heard for two minutes, be it only that nothing has changed. It is opened
     * anew from where it was; if that fails the view is lost.
     */
    void look() {
        Duration silent = Duration.between(sight.heard(), clock.instant());
        if (silent.compareTo(LONGEST_SILENCE) >= 0) {
            current.ifPresent(watch -> {
                LOG.atInfo()
                        .addKeyValue("kind", kind.resource())
                        .addKeyValue("silent", silent)
                        .log("Nothing heard for long: opening the watch anew");
                watch.giveUp();
            });
        }
    }

    void close() {
        closing.countDown();
        thread.interrupt();
        try {
            thread.join(Duration.ofSeconds(5));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private void run() {
        try {
            while (isOpen()) {
                String why = listAndFollow();
                if (isOpen()) {
                    lost(why);
                    pause();
                }
            }
        } catch (InterruptedException _) {
            // Only close() interrupts.
        } catch (RuntimeException | Error e) {
            // The view must not look alive when nobody feeds it any more.
            lost("its feed died: " + e);
            throw e;
        }
    }

    private void lost(String why) {
        if (!why.equals(lastTrouble)) {
            LOG.atWarn()
                    .addKeyValue("kind", kind.resource())
                    .addKeyValue("reason", why)
                    .log("view lost");
            lastTrouble = why;
        }
        gate.lost(kind, why, sight.changesHeard());
    }

    private boolean isOpen() {
        return closing.getCount() > 0;
    }

    /** {@return why it cannot go on} */
    private String listAndFollow() throws InterruptedException {
        try {
            list();
            LOG.atInfo()
                    .addKeyValue("kind", kind.resource())
                    .addKeyValue("objects", sight.size())
                    .log("view synced");
            lastTrouble = "";
            gate.synced(kind);
        } catch (RuntimeException e) {
            return Trouble.of("list", kind.resource(), e);
        }
        return follow();
    }

    private void list() {
        Set<String> ids = new HashSet<>();
        ListOptions options = new ListOptionsBuilder().withLimit(PAGE).build();
        KubernetesResourceList<T> page;
        do {
            page = client.resources(kind.type()).inAnyNamespace().list(options);
            sight.alive();
            for (T object : page.getItems()) {
                ids.add(kind.id().apply(object));
                sight.changed(object);
            }
            options.setContinue(page.getMetadata().getContinue());
        } while (options.getContinue() != null && !options.getContinue().isEmpty());
        sight.listed(ids, page.getMetadata().getResourceVersion());
    }

    private String follow() throws InterruptedException {
        int hasty = 0;
        while (hasty < MOST_HASTY) {
            Instant opened = clock.instant();
            Optional<String> why = followOnce();
            if (why.isPresent()) {
                return why.get();
            }
            if (Duration.between(opened, clock.instant()).compareTo(SHORT_LIVED) < 0) {
                hasty++;
            } else {
                hasty = 0;
                pauses.reset();
            }
        }
        return "the watch of " + kind + " is closed again and again as soon as it is opened";
    }

    /** {@return why it cannot go on; empty when the watch may be opened again} */
    private Optional<String> followOnce() throws InterruptedException {
        Following<T> following = new Following<>(sight);
        sight.alive();
        current = Optional.of(following);
        try (Watch _ = open(following)) {
            return switch (following.await()) {
                case WatchEnd.Broken(String why) -> Optional.of(why);
                case WatchEnd.Closed() -> Optional.empty();
            };
        } catch (RuntimeException e) {
            return Optional.of(Trouble.of("watch", kind.resource(), e));
        } finally {
            current = Optional.empty();
        }
    }

    private Watch open(Following<T> following) {
        long seconds = ThreadLocalRandom.current().nextLong(SHORTEST_WATCH_SECONDS, 2L * SHORTEST_WATCH_SECONDS);
        ListOptions options = new ListOptionsBuilder()
                .withResourceVersion(sight.reached())
                .withAllowWatchBookmarks(true)
                .withTimeoutSeconds(seconds)
                .build();
        return client.resources(kind.type()).inAnyNamespace().watch(options, following);
    }

    private void pause() throws InterruptedException {
        boolean _ = closing.await(pauses.next().toMillis(), TimeUnit.MILLISECONDS);
    }
}
