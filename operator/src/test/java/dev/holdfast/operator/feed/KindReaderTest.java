package dev.holdfast.operator.feed;

import static dev.holdfast.operator.decode.Message.message;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.holdfast.operator.decode.Corpus;
import dev.holdfast.operator.decode.protobuf.ByteSlice;
import dev.holdfast.operator.decode.protobuf.ListReader;
import dev.holdfast.operator.decode.scheduling.SchedulingScope;
import dev.holdfast.policies.engine.protocol.OwnerThread;
import dev.holdfast.policies.model.ClusterEvent;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;

/** Which threads may decode, and that readers of two threads do not disturb each other. */
class KindReaderTest {
    private static final int ROUNDS = 200;

    private final ProtobufKind pods = ProtobufKind.pods(SchedulingScope.RULES);

    private static ByteSlice pod(String name) {
        return new ByteSlice(message()
                .part(
                        1,
                        message()
                                .text(1, name)
                                .text(3, "shop")
                                .text(5, "u-" + name)
                                .text(6, "7"))
                .bytes());
    }

    @Test
    void aSecondThreadIsRefusedWhateverItReads() throws Exception {
        KindReader<?> reader = pods.reader();
        SeenObjects seenObjects = new SeenObjects(WatchedKind.PODS, () -> Instant.EPOCH, _ -> {});
        reader.event(pod("a"));

        try (ExecutorService other = Executors.newSingleThreadExecutor()) {
            for (Callable<?> use : List.<Callable<?>>of(
                    () -> reader.event(pod("b")),
                    () -> {
                        reader.changed(seenObjects, pod("b"));
                        return 0;
                    },
                    () -> {
                        reader.deleted(seenObjects, pod("b"));
                        return 0;
                    })) {
                assertThatThrownBy(() -> other.submit(use).get())
                        .isInstanceOf(ExecutionException.class)
                        .cause()
                        .isInstanceOf(OwnerThread.ForeignThreadException.class)
                        .hasMessageStartingWith("the reader of kind Pod belongs to the thread '");
            }
        }
        assertThat(seenObjects.size()).isZero();
    }

    @Test
    void twoReadersOfOneKindReadOnTwoThreadsWhatOneReadsAlone() throws Exception {
        List<byte[]> recorded = new ArrayList<>();
        new ListReader(new ByteArrayInputStream(Corpus.body("pods.pb"))).read(item -> recorded.add(bytes(item)));
        List<ClusterEvent> alone = read(recorded, pods.reader());
        CyclicBarrier together = new CyclicBarrier(2);

        try (ExecutorService two = Executors.newFixedThreadPool(2)) {
            Callable<List<ClusterEvent>> reading = () -> {
                KindReader<?> own = pods.reader();
                together.await();
                List<ClusterEvent> last = List.of();
                for (int i = 0; i < ROUNDS; i++) {
                    last = read(recorded, own);
                    assertThat(last).isEqualTo(alone);
                }
                return last;
            };
            for (Future<List<ClusterEvent>> each : two.invokeAll(List.of(reading, reading))) {
                assertThat(each.get()).isEqualTo(alone);
            }
        }
    }

    private static byte[] bytes(ByteSlice item) {
        return Arrays.copyOfRange(item.buffer(), item.from(), item.to());
    }

    private static List<ClusterEvent> read(List<byte[]> items, KindReader<?> reader) throws IOException {
        List<ClusterEvent> events = new ArrayList<>();
        for (byte[] item : items) {
            events.add(reader.event(new ByteSlice(item)));
        }
        return events;
    }
}
