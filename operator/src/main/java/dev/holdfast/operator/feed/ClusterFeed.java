package dev.holdfast.operator.feed;

import dev.holdfast.operator.api.ApiErrorText;
import dev.holdfast.operator.api.ClusterReader;
import dev.holdfast.operator.api.StreamingRequests;
import dev.holdfast.operator.decode.scheduling.SchedulingScope;
import dev.holdfast.policies.engine.protocol.Effect;
import dev.holdfast.policies.engine.protocol.Event;
import dev.holdfast.policies.engine.protocol.View;
import dev.holdfast.policies.evaluate.Reason;
import io.fabric8.kubernetes.client.Config;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.stream.Collectors;

/**
 * The feed of a live cluster: lists and watches pods, nodes, namespaces, owners (for example ReplicaSets), disruption
 * budgets, CSINodes, quotas and LimitRanges. Policies are watched separately, by informers.
 */
public final class ClusterFeed implements Feed {
    private static final Duration CHECK_INTERVAL = Duration.ofSeconds(5);

    private final StreamingRequests streamingRequests;
    private final Map<View, List<KindFeed>> feeds = new EnumMap<>(View.class);
    private final CurrencyCheck currencyCheck;
    private final Thread.UncaughtExceptionHandler onDeath;
    private final CountDownLatch closing = new CountDownLatch(1);

    /**
     * A feed that is not started yet.
     *
     * @param connection how to reach the API server
     * @param clock gives the times of {@link #lastHeard}
     * @param sink receives the events of all views; several threads call it, and it may block them
     * @param onDeath called when the thread of a feed ends with an exception: the process should exit with an error
     */
    public ClusterFeed(
            Config connection, InstantSource clock, Consumer<Event> sink, Thread.UncaughtExceptionHandler onDeath) {
        this.onDeath = onDeath;
        streamingRequests = new StreamingRequests(connection);
        Map<View, Map<WatchedKind, ListWatch>> views = new EnumMap<>(View.class);
        watchedKinds()
                .forEach((watchedKind, protobufKind) -> views.computeIfAbsent(
                                watchedKind.view(), _ -> new LinkedHashMap<>())
                        .put(watchedKind, new ProtobufListWatch(streamingRequests, protobufKind)));
        FeedClock feedClock = FeedClock.of(clock);
        currencyCheck = new CurrencyCheck(
                feedClock,
                task -> Thread.ofVirtual()
                        .name("second watch")
                        .uncaughtExceptionHandler(onDeath)
                        .start(task));
        views.forEach((view, listWatches) -> {
            ViewGate gate = new ViewGate(view, listWatches.keySet(), sink);
            List<KindFeed> ofView = new ArrayList<>();
            listWatches.forEach((watchedKind, listWatch) ->
                    ofView.add(new KindFeed(watchedKind, listWatch, gate, feedClock, sink, onDeath)));
            feeds.put(view, ofView);
        });
    }

    private static Map<WatchedKind, ProtobufKind> watchedKinds() {
        Map<WatchedKind, ProtobufKind> watchedKinds = new LinkedHashMap<>();
        watchedKinds.put(WatchedKind.NAMESPACES, ProtobufKind.namespaces());
        watchedKinds.put(WatchedKind.NODES, ProtobufKind.nodes());
        watchedKinds.put(WatchedKind.PODS, ProtobufKind.pods(SchedulingScope.RULES));
        watchedKinds.put(WatchedKind.BUDGETS, ProtobufKind.budgets());
        watchedKinds.put(WatchedKind.DEPLOYMENTS, ProtobufKind.deployments());
        watchedKinds.put(WatchedKind.REPLICA_SETS, ProtobufKind.replicaSets(SchedulingScope.RULES));
        watchedKinds.put(WatchedKind.STATEFUL_SETS, ProtobufKind.statefulSets(SchedulingScope.RULES));
        watchedKinds.put(WatchedKind.JOBS, ProtobufKind.jobs(SchedulingScope.RULES));
        watchedKinds.put(WatchedKind.CSI_NODES, ProtobufKind.csiNodes());
        watchedKinds.put(WatchedKind.QUOTAS, ProtobufKind.quotas());
        watchedKinds.put(WatchedKind.LIMIT_RANGES, ProtobufKind.limitRanges());
        return watchedKinds;
    }

    /** Leaves out all other views. To be called before the start. */
    public void keep(Set<View> views) {
        feeds.keySet().retainAll(views);
    }

    @Override
    public void start() {
        all().forEach(KindFeed::start);
        Thread.ofVirtual().name("feed looks").uncaughtExceptionHandler(onDeath).start(this::lookAfterAll);
    }

    private void lookAfterAll() {
        try {
            while (!closing.await(CHECK_INTERVAL.toMillis(), TimeUnit.MILLISECONDS)) {
                all().forEach(KindFeed::check);
            }
        } catch (InterruptedException e) {
            throw new IllegalStateException("this thread must never be interrupted", e);
        }
    }

    /**
     * {@return for each view, the instant when the API server last sent an event or a bookmark; in a view of several
     * kinds, that of the kind that has been silent longest}
     *
     * <p>The API server sends a bookmark about once a minute, if etcd reports its progress or the kind has changed
     * since the API server started. Otherwise the feed relists after 90 s, and the list counts like an event.
     */
    public Map<View, Instant> lastHeard() {
        Map<View, Instant> heard = new EnumMap<>(View.class);
        feeds.forEach((view, ofView) ->
                ofView.stream().map(KindFeed::lastHeard).min(Instant::compareTo).ifPresent(at -> heard.put(view, at)));
        return heard;
    }

    /** {@return what each feed requested since the start, by the name of its kind in API paths} */
    public Map<String, FeedCounts> counts() {
        return all().stream().collect(Collectors.toMap(KindFeed::resource, KindFeed::counts));
    }

    /**
     * {@return the given function with a check before it: the feeds of the views that the request names must have
     * delivered every change that the API server knows} The check takes up to 4 s. If the check fails, the result is
     * {@code ConfirmFailed}.
     */
    public Function<Effect.Confirm, Event> checkedByFeeds(Function<Effect.Confirm, Event> reads) {
        return request -> problem(request).orElseGet(() -> reads.apply(request));
    }

    private Optional<Event> problem(Effect.Confirm request) {
        if (request.current().isEmpty()) {
            return Optional.empty();
        }
        try {
            return currencyCheck
                    .behind(request.current().stream()
                            .flatMap(view -> feeds.getOrDefault(view, List.of()).stream())
                            .toList())
                    .map(why -> new Event.ConfirmFailed(request.planId(), Reason.VIEW_BEHIND, why));
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
            return Optional.of(new Event.ConfirmFailed(request.planId(), Reason.API_ERROR, "the operator stops"));
        } catch (RuntimeException e) {
            String kinds = request.current().stream().sorted().map(View::label).collect(Collectors.joining(", "));
            return Optional.of(new Event.ConfirmFailed(
                    request.planId(), ClusterReader.reason(e), ApiErrorText.of("list and watch", kinds, e)));
        }
    }

    @Override
    public void close() {
        closing.countDown();
        all().forEach(KindFeed::stop);
        streamingRequests.close();
        all().forEach(KindFeed::close);
    }

    private List<KindFeed> all() {
        return feeds.values().stream().flatMap(List::stream).toList();
    }
}
