package dev.holdfast.operator.publish;

import dev.holdfast.it.schedules.Schedules;
import dev.holdfast.policies.engine.report.Notification;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** The engine's thread that records Kubernetes events, the one that writes them, and the one that ends it. */
class EventSchedulesIT {
    private static final List<String> EACH =
            List.of("Pod web-1", "ReplicaSet web-5d9f8", "PlacementPolicy web", "Pod odd-1");

    /** A recorder, and what it has written and counted. */
    private static final class Recorder {
        private final List<String> written = new ArrayList<>();
        private int counted;
        private boolean closed;
        private final EventRecorder recorder = new EventRecorder(
                (note, _) -> write(note),
                _ -> Optional.of("policy-uid"),
                _ -> Optional.empty(),
                () -> true,
                () -> Samples.SINCE,
                this::count,
                (_, death) -> {
                    throw new IllegalStateException(death);
                });

        private boolean write(EventDraft note) {
            synchronized (written) {
                if (closed) {
                    throw new IllegalStateException("written after the close: " + note);
                }
                return written.add(note.target().kind() + " " + note.target().name());
            }
        }

        private synchronized void count(EventWriteResult result) {
            if (result != EventWriteResult.WRITTEN) {
                throw new IllegalStateException("not written: " + result);
            }
            counted++;
        }

        void close() {
            recorder.close();
            synchronized (written) {
                closed = true;
            }
        }
    }

    @Test
    void eachEventThatIsRecordedBeforeTheCloseIsWrittenOnceAndInOrder() {
        Schedules.play(() -> {
            Recorder recorder = new Recorder();
            recorder.recorder.start();
            Thread engine = Thread.ofPlatform().start(() -> {
                recorder.recorder.record(new Notification.Started(Samples.violation()));
                recorder.recorder.record(Samples.tooComplex());
            });
            Thread informer = Thread.ofPlatform().start(() -> recorder.recorder.forget(Samples.POLICY));
            engine.join();
            informer.join();
            recorder.close();
            if (!recorder.written.equals(EACH) || recorder.counted != EACH.size()) {
                throw new IllegalStateException("written: " + recorder.written + ", counted " + recorder.counted);
            }
        });
    }
}
