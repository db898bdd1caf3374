package dev.holdfast.operator.offline.check.watch;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.holdfast.operator.api.StreamingRequests;
import dev.holdfast.operator.feed.ClusterFeed;
import dev.holdfast.operator.offline.dump.Dump;
import dev.holdfast.operator.offline.dump.DumpException;
import dev.holdfast.operator.offline.dump.ReadCluster;
import dev.holdfast.policies.engine.protocol.Event;
import dev.holdfast.policies.engine.protocol.View;
import dev.holdfast.policies.model.ClusterEvent;
import io.fabric8.kubernetes.client.Config;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.LongConsumer;

/**
 * A live cluster that is listed once and then watched, by the operator's feeds. It changes nothing in the cluster.
 *
 * <p>The threads of the feeds and of the policies put news into one queue. The thread that calls {@link #begin} and
 * {@link #follow} takes the news, and owns everything else.
 */
public final class ClusterWatch implements AutoCloseable {
    private static final Map<String, String> POLICIES =
            Map.of("PlacementPolicy", "placementpolicies", "ClusterPlacementPolicy", "clusterplacementpolicies");

    /** Like the operator's feeds, the feeds wait while so much news does. */
    private static final int MOST_NEWS = 10_000;

    private static final Duration LONGEST_WAIT = Duration.ofMinutes(1);

    private final InstantSource clock;
    private final Consumer<String> messages;
    private final BlockingQueue<News> queue = new ArrayBlockingQueue<>(MOST_NEWS);
    private final List<Runnable> closings = new ArrayList<>();
    private final List<PolicyWatch> policyWatches = new ArrayList<>();
    private final Map<String, List<ObjectNode>> policies = new TreeMap<>();
    private final Set<String> lost = new HashSet<>();

    /** What other threads found. */
    private sealed interface News {
        record Changed(ClusterEvent event) implements News {}

        record PoliciesRead(String plural, List<ObjectNode> policies) implements News {}

        record Lost(String view, String why) implements News {}

        record Synced(String view) implements News {}

        record Died(Thread thread, Throwable death) implements News {}
    }

    /** Gets changes of violations. */
    @FunctionalInterface
    public interface Sink {
        void accept(List<ViolationChange> changes) throws DumpException;
    }

    /** Reads policies as the operator does. */
    @FunctionalInterface
    public interface PolicyReader {
        /** {@return the policies in force} */
        ReadCluster read(List<ObjectNode> policies) throws DumpException;
    }

    /** @param messages gets a line when a view is lost, and when it is synced again */
    public ClusterWatch(InstantSource clock, Consumer<String> messages) {
        this.clock = clock;
        this.messages = messages;
    }

    /**
     * {@return the objects that verdicts depend on, as soon as all are listed}
     *
     * @param read the policies of the cluster, and whatever else was read
     * @param progress gets the number of objects listed so far
     * @throws DumpException if a kind cannot be listed or watched, for example because the right is missing
     */
    public Dump begin(Config connection, Dump read, LongConsumer progress) throws DumpException, InterruptedException {
        Set<View> views = EnumSet.of(View.NAMESPACES, View.NODES, View.PODS);
        ClusterFeed feed = new ClusterFeed(connection, clock, this::hear, this::died);
        closings.add(feed::close);
        feed.keep(views);
        StreamingRequests requests = new StreamingRequests(connection);
        closings.add(requests::close);
        POLICIES.forEach((kind, plural) -> {
            policies.put(
                    plural,
                    read.policies().stream()
                            .filter(it -> it.path("kind").asText().equals(kind))
                            .toList());
            PolicyWatch policyWatch = new PolicyWatch(plural, requests, listener(), this::died);
            policyWatches.add(policyWatch);
            closings.add(policyWatch::close);
        });
        feed.start();
        ListedObjects objects = new ListedObjects();
        int synced = 0;
        while (synced < views.size()) {
            switch (queue.take()) {
                case News.Changed(ClusterEvent event) -> progress.accept(objects.apply(event));
                case News.Synced _ -> synced++;
                case News.Lost(var _, String why) -> throw new DumpException(why);
                case News.Died died -> throw failed(died);
                case News.PoliciesRead _ -> {}
            }
        }
        return objects.in(read);
    }

    private PolicyWatch.Listener listener() {
        return new PolicyWatch.Listener() {
            @Override
            public void read(String plural, List<ObjectNode> read) {
                put(new News.PoliciesRead(plural, read));
            }

            @Override
            public void lost(String plural, String why) {
                put(new News.Lost(plural, why));
            }

            @Override
            public void synced(String plural) {
                put(new News.Synced(plural));
            }
        };
    }

    private void hear(Event event) {
        if (event instanceof Event.ObjectChanged(ClusterEvent change)) {
            put(new News.Changed(change));
        } else if (event instanceof Event.ViewLost(View view, String why, var _)) {
            put(new News.Lost(view.label(), why));
        } else if (event instanceof Event.ViewSynced(View view)) {
            put(new News.Synced(view.label()));
        } else {
            throw new IllegalStateException("a feed sends no such event: " + event);
        }
    }

    private void died(Thread thread, Throwable death) {
        put(new News.Died(thread, death));
    }

    private void put(News news) {
        try {
            queue.put(news);
        } catch (InterruptedException _) {
            // The watch is being closed. The feed looks at the interrupt.
            Thread.currentThread().interrupt();
        }
    }

    /**
     * Passes on all changes of violations until this thread is interrupted.
     *
     * @return nothing: this method ends with an exception
     * @throws DumpException if the sink or the reader fails, or a feed has died
     */
    public DumpException follow(WatchedCluster cluster, PolicyReader reader, Sink sink)
            throws DumpException, InterruptedException {
        policyWatches.forEach(PolicyWatch::start);
        while (true) {
            List<ViolationChange> changes = new ArrayList<>();
            for (News news : next(cluster.nextDue())) {
                changes.addAll(take(news, cluster, reader));
            }
            changes.addAll(cluster.due(clock.instant()));
            if (!changes.isEmpty()) {
                sink.accept(changes);
            }
        }
    }

    /** {@return what has come until now, or until something is due} */
    private List<News> next(Optional<Instant> nextDue) throws InterruptedException {
        Duration wait = nextDue.map(due -> Duration.between(clock.instant(), due))
                .filter(it -> it.compareTo(LONGEST_WAIT) < 0)
                .orElse(LONGEST_WAIT);
        List<News> news = new ArrayList<>();
        Optional.ofNullable(queue.poll(Math.max(0, wait.toMillis()), TimeUnit.MILLISECONDS))
                .ifPresent(news::add);
        queue.drainTo(news);
        return news;
    }

    private List<ViolationChange> take(News news, WatchedCluster cluster, PolicyReader reader) throws DumpException {
        switch (news) {
            case News.Changed(ClusterEvent event) -> {
                return cluster.apply(event, clock.instant());
            }
            case News.PoliciesRead(String plural, List<ObjectNode> read) -> {
                if (!read.equals(policies.put(plural, read))) {
                    return cluster.put(
                            reader.read(policies.values().stream()
                                    .flatMap(List::stream)
                                    .toList()),
                            clock.instant());
                }
            }
            case News.Lost(String view, String why) -> {
                if (lost.add(view)) {
                    messages.accept("the view of " + view + " is lost: " + why
                            + "; changes are printed when it is synced again");
                }
            }
            case News.Synced(String view) -> {
                if (lost.remove(view)) {
                    messages.accept("the view of " + view + " is synced again");
                }
            }
            case News.Died died -> throw failed(died);
        }
        return List.of();
    }

    private static DumpException failed(News.Died died) {
        return new DumpException("thread \"" + died.thread().getName() + "\" died: " + died.death(), died.death());
    }

    @Override
    public void close() {
        closings.reversed().forEach(Runnable::run);
    }
}
