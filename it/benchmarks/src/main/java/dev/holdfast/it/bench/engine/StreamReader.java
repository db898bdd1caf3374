package dev.holdfast.it.bench.engine;

import dev.holdfast.it.bench.cluster.RecordedCluster;
import dev.holdfast.operator.decode.PodDecoder;
import dev.holdfast.operator.decode.protobuf.MalformedException;
import dev.holdfast.operator.decode.protobuf.WatchFrame;
import dev.holdfast.operator.decode.protobuf.WatchReader;
import dev.holdfast.operator.feed.RecordedPods;
import dev.holdfast.policies.index.Index;
import dev.holdfast.policies.model.ClusterEvent;
import java.io.IOException;
import java.io.InputStream;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;

/** A consumer of a recorded pod watch: the decoder alone, or the feed with the index or the engine. */
interface StreamReader {
    /** The time between two events at the rate of the performance target. */
    Duration APART = Duration.ofNanos(10_000);

    /** {@return the number of changes read from a watch that continues the last one} */
    long read(InputStream watch) throws IOException;

    /** Marks the initial list as complete. */
    default void loaded() {}

    /** {@return a decoder that discards the decoded pods} */
    static StreamReader decoder() {
        PodDecoder decoder = new PodDecoder();
        return watch -> {
            WatchReader frames = new WatchReader(watch);
            long decoded = 0;
            for (Optional<WatchFrame> frame = frames.next(); frame.isPresent(); frame = frames.next()) {
                decoded += decode(decoder, frame.get());
            }
            return decoded;
        };
    }

    private static int decode(PodDecoder decoder, WatchFrame frame) throws MalformedException {
        return switch (frame) {
            case WatchFrame.Changed(var object) -> decoder.decode(object).uid().isEmpty() ? 0 : 1;
            case WatchFrame.Deleted(var object) -> decoder.decode(object).uid().isEmpty() ? 0 : 1;
            case WatchFrame.Bookmark _, WatchFrame.Failed _ -> 0;
        };
    }

    /** {@return the feed with the index} */
    static StreamReader index(RecordedCluster cluster, InstantSource clock) {
        Index index = new Index(Set.of("kube-system"), new VerdictCounter());
        worldPolicies().all().forEach(index::put);
        return new Fed(cluster, clock, index::apply, () -> {});
    }

    /** {@return the feed with the engine, with one event every 10 us} */
    static StreamReader engine(RecordedCluster cluster, InstantSource clock) {
        WholeEngine engine = new WholeEngine(worldPolicies().all(), APART);
        return new Fed(cluster, clock, engine, engine::lead);
    }

    /** The policies select every pod with its own rules of all four kinds. */
    private static WorldPolicies worldPolicies() {
        return new WorldPolicies(List.of());
    }

    /** The feed of the operator, from the first byte of a watch. */
    final class Fed implements StreamReader {
        private final RecordedPods feed;
        private final Runnable loaded;
        private long delivered;

        Fed(RecordedCluster cluster, InstantSource clock, Consumer<ClusterEvent> listener, Runnable loaded) {
            this.loaded = loaded;
            this.feed = new RecordedPods(clock, event -> {
                delivered++;
                listener.accept(event);
            });
            cluster.tellPlaces(listener, Map.of(World.AUDITED, "yes"));
        }

        @Override
        public long read(InputStream watch) {
            long before = delivered;
            feed.follow(watch);
            return delivered - before;
        }

        @Override
        public void loaded() {
            loaded.run();
        }
    }
}
