package dev.holdfast.operator.feed;

import dev.holdfast.policies.model.ClusterEvent;
import dev.holdfast.policies.model.Pod;
import java.io.InputStream;
import java.time.InstantSource;
import java.util.function.Consumer;

/** Replays recorded pod watches through the code that reads the watches of an API server. The entry point of benches. */
public final class RecordedPods {
    private final ProtobufKind<Pod> pods = ProtobufKind.pods();
    private final SeenObjects seenObjects;

    /**
     * A reader that has seen no pod yet.
     *
     * @param clock gives the times at which frames are read
     * @param sink takes what has changed, in the thread that calls {@link #follow}
     */
    public RecordedPods(InstantSource clock, Consumer<ClusterEvent> sink) {
        this.seenObjects = new SeenObjects(WatchedKind.PODS, clock, sink);
    }

    /**
     * Reads a watch that continues the one before, and tells the sink of every change.
     *
     * @throws IllegalStateException if the operator would have to list all pods again: a frame cannot be read, or is older
     *     than one before it
     */
    public void follow(InputStream watch) {
        if (ProtobufListWatch.follow(watch, pods, seenObjects) instanceof WatchEnd.Broken(String why)) {
            throw new IllegalStateException(why);
        }
    }
}
