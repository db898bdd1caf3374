package dev.holdfast.operator.observe;

import dev.holdfast.policies.model.ClusterEvent;
import dev.holdfast.policies.model.Pod;
import java.io.IOException;
import java.io.InputStream;
import java.time.Duration;
import java.time.InstantSource;
import java.util.function.Consumer;

/**
 * Watches of pods that were recorded, read as those of an API server are: the same code decodes their frames, remembers what
 * was seen and tells what has changed. For benches.
 */
public final class RecordedPods {
    /** Nobody waits for the end of a recording. */
    private static final Duration ANY = Duration.ofMinutes(5);

    private final Lean<Pod> pods = Lean.pods();
    private final Sight sight;

    /**
     * Nothing has been seen yet.
     *
     * @param clock tells when something was heard
     * @param sink takes what has changed, in the thread that calls {@link #follow}
     */
    public RecordedPods(InstantSource clock, Consumer<ClusterEvent> sink) {
        this.sight = new Sight(Kind.PODS, clock, sink);
    }

    /**
     * Tells all that a watch tells, which goes on from the last.
     *
     * @throws IllegalStateException if the feed would have to list everything again: a frame cannot be read, or is older
     *     than one before it
     */
    public void follow(InputStream watch) throws InterruptedException {
        ApiServer recorded = (_, _, _, _) -> new Recording(watch);
        try (Source.Watching watching = new LeanSource<>(recorded, pods).watch(sight, ANY)) {
            if (watching.await() instanceof WatchEnd.Broken(String why)) {
                throw new IllegalStateException(why);
            }
        }
    }

    private static final class Recording extends Answer {
        private final InputStream body;

        Recording(InputStream body) {
            this.body = body;
        }

        @Override
        public int read() throws IOException {
            return body.read();
        }

        @Override
        public int read(byte[] into, int offset, int length) throws IOException {
            return body.read(into, offset, length);
        }

        @Override
        void within(Duration limit) {
            // All of it is there.
        }

        @Override
        void end() {
            // Nobody gives a recording up.
        }

        @Override
        public void close() {
            // It is closed by who has opened it.
        }
    }
}
