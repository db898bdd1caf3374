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

/** Consumer of a recorded pod watch: the decoder alone, or the operator's watch code with the index or the engine. */
interface StreamReader {
    /**
     * How far each event advances the engine's clock: the time between two events at 100,000 a second, the target rate.
     */
    Duration APART = Duration.ofNanos(10_000);

    /** Reads the next part of the watch to its end, and returns the number of pod changes in it. */
    long read(InputStream watch) throws IOException;

    /** Tells the reader that the initial list is complete. Call it once, after all ADDED frames are read. */
    default void loaded() {}

    /** {@return a reader that decodes pods and discards them} */
    static StreamReader decoder() {
        PodDecoder decoder = new PodDecoder();
        return watch -> {
            WatchReader frames = new WatchReader(watch, "Pod");
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

    /** {@return a reader with the operator's watch code and an index that evaluates the rules} */
    static StreamReader index(RecordedCluster cluster, InstantSource clock) {
        Index index = new Index(Set.of("kube-system"), new VerdictCounter());
        worldPolicies().all().forEach(index::put);
        return new Fed(cluster, clock, index::apply, () -> {});
    }

    /** {@return a reader with the operator's watch code and the engine, whose clock advances 10 us per event} */
    static StreamReader engine(RecordedCluster cluster, InstantSource clock) {
        WholeEngine engine = new WholeEngine(worldPolicies().all(), APART);
        return new Fed(cluster, clock, engine, engine::lead);
    }

    /** {@return policies that hold every pod to the rules of all four kinds in its own spec} */
    private static WorldPolicies worldPolicies() {
        return new WorldPolicies(List.of());
    }

    /** A reader that sends the watch through the operator's watch code, and each decoded change on to a listener. */
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
