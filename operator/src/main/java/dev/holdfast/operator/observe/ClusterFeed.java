package dev.holdfast.operator.observe;

import dev.holdfast.policies.engine.Event;
import dev.holdfast.policies.engine.View;
import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/** The feed of a live cluster: pods, nodes, namespaces, owners and budgets. Policies come another way. */
public final class ClusterFeed implements Feed {
    /** For one page of a list, or the opening of a watch. */
    private static final Duration REQUEST_TIMEOUT = Duration.ofSeconds(10);

    private static final Duration LOOKS_EACH = Duration.ofSeconds(5);

    private final KubernetesClient client;
    private final Map<View, List<KindFeed<?>>> feeds = new EnumMap<>(View.class);
    private final Thread.UncaughtExceptionHandler onDeath;
    private final CountDownLatch closing = new CountDownLatch(1);

    /**
     * A feed that is not started yet.
     *
     * @param connection how to reach the API server
     * @param clock for {@link #heard}
     * @param sink takes the events of all views; called by several threads, which wait as long as it blocks
     * @param onDeath told when nobody feeds a kind any more: the process should end with an error
     */
    public ClusterFeed(
            Config connection, InstantSource clock, Consumer<Event> sink, Thread.UncaughtExceptionHandler onDeath) {
        this.onDeath = onDeath;
        client = SlimClient.of(connection, REQUEST_TIMEOUT);
        Map<View, List<Kind<?>>> views = new EnumMap<>(View.class);
        Kind.all(new CoreFacts())
                .forEach(kind -> views.computeIfAbsent(kind.view(), _ -> new ArrayList<>())
                        .add(kind));
        views.forEach((view, kinds) -> {
            ViewGate gate = new ViewGate(view, kinds, sink);
            List<KindFeed<?>> ofView = new ArrayList<>();
            kinds.forEach(kind -> ofView.add(new KindFeed<>(client, kind, gate, clock, sink, onDeath)));
            feeds.put(view, ofView);
        });
    }

    @Override
    public void start() {
        all().forEach(KindFeed::start);
        Thread.ofVirtual().name("feed looks").uncaughtExceptionHandler(onDeath).start(this::lookAfterAll);
    }

    private void lookAfterAll() {
        try {
            while (!closing.await(LOOKS_EACH.toMillis(), TimeUnit.MILLISECONDS)) {
                all().forEach(KindFeed::look);
            }
        } catch (InterruptedException e) {
            throw new IllegalStateException("nobody interrupts this thread", e);
        }
    }

    /**
     * {@return for each view when the API server last said anything about it, be it only that nothing has changed}
     *
     * <p>It does so about once a minute for every kind of which it has seen a change since it started. Where it does not,
     * the watch is opened anew every two minutes, and that counts.
     */
    public Map<View, Instant> heard() {
        Map<View, Instant> heard = new EnumMap<>(View.class);
        feeds.forEach((view, ofView) ->
                ofView.stream().map(KindFeed::heard).min(Instant::compareTo).ifPresent(at -> heard.put(view, at)));
        return heard;
    }

    @Override
    public void close() {
        closing.countDown();
        all().forEach(KindFeed::close);
        client.close();
    }

    private List<KindFeed<?>> all() {
        return feeds.values().stream().<KindFeed<?>>flatMap(List::stream).toList();
    }
}
