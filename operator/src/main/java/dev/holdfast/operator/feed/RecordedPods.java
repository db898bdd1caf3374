package dev.holdfast.operator.feed;

import dev.holdfast.policies.model.ClusterEvent;
import java.io.InputStream;
import java.time.InstantSource;
import java.util.function.Consumer;

/** Replays recorded pod watches through the code that reads live watches. Entry point for benchmarks. */
public final class RecordedPods {
    private final ProtobufKind pods = ProtobufKind.pods();
    private final SeenObjects seenObjects;

    /**
     * A replay that has seen no pod yet.
     *
     * @param clock supplies the time at which an event counts as read
     * @param sink receives the changes, on the thread that calls {@link #follow}
     */
    public RecordedPods(InstantSource clock, Consumer<ClusterEvent> sink) {
        this.seenObjects = new SeenObjects(WatchedKind.PODS, clock, sink);
    }

    /**
     * Reads a recorded watch that continues the previous one, and passes every change to the sink.
     *
     * @throws IllegalStateException if the operator would have to relist: an event cannot be read, or is older than an
     *     event before it
     */
    public void follow(InputStream watch) {
        switch (ProtobufListWatch.follow(watch, pods.kind(), pods.reader(), seenObjects)) {
            case WatchEnd.Broken(String why) -> throw new IllegalStateException(why);
            case WatchEnd.Unreadable(String why) -> throw new IllegalStateException(why);
            case WatchEnd.Closed _, WatchEnd.GivenUp _ -> {
                // The next watch may go on.
            }
        }
    }
}
