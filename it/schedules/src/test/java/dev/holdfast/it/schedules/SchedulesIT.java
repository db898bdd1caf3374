package dev.holdfast.it.schedules;

import static dev.holdfast.operator.decode.Message.message;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.holdfast.operator.decode.Message;
import dev.holdfast.operator.decode.PodDecoder;
import dev.holdfast.operator.decode.protobuf.ByteSlice;
import dev.holdfast.operator.decode.protobuf.MalformedException;
import dev.holdfast.operator.decode.protobuf.ObjectDecoder;
import dev.holdfast.policies.model.Pod;
import org.junit.jupiter.api.Test;

/** The schedules find races, and find none where there is none. */
class SchedulesIT {
    private static final class Counter {
        private int count;

        void add() {
            count++;
        }
    }

    @Test
    void findTheLostUpdateOfAPlainField() {
        assertThatThrownBy(() -> Schedules.play(() -> {
                    Counter counter = new Counter();
                    Thread other = Thread.ofPlatform().start(counter::add);
                    counter.add();
                    other.join();
                    assertThat(counter.count).isEqualTo(2);
                }))
                .isInstanceOf(AssertionError.class);
    }

    @Test
    void findNothingIfTheFieldIsGuarded() {
        Schedules.play(() -> {
            Counter counter = new Counter();
            Thread other = Thread.ofPlatform().start(() -> {
                synchronized (counter) {
                    counter.add();
                }
            });
            synchronized (counter) {
                counter.add();
            }
            other.join();
            assertThat(counter.count).isEqualTo(2);
        });
    }

    /** A decoder belongs to one thread. If two use it, one of them reads what the other has begun. */
    @Test
    void findTwoThreadsThatShareADecoder() {
        byte[] one = pod("u-1", "web");
        byte[] two = pod("u-2", "db");

        assertThatThrownBy(() -> Schedules.play(() -> {
                    ObjectDecoder<Pod> decoder = new PodDecoder();
                    Thread other = Thread.ofPlatform().start(() -> reads(decoder, two, "u-2"));
                    reads(decoder, one, "u-1");
                    other.join();
                }))
                .isInstanceOf(AssertionError.class);
    }

    @Test
    void findNothingIfEachThreadHasItsDecoder() {
        byte[] one = pod("u-1", "web");
        byte[] two = pod("u-2", "db");

        Schedules.play(() -> {
            Thread other = Thread.ofPlatform().start(() -> reads(new PodDecoder(), two, "u-2"));
            reads(new PodDecoder(), one, "u-1");
            other.join();
        });
    }

    private static void reads(ObjectDecoder<Pod> decoder, byte[] pod, String uid) {
        try {
            if (!decoder.decode(new ByteSlice(pod)).uid().equals(uid)) {
                throw new IllegalStateException("another pod than " + uid);
            }
        } catch (MalformedException e) {
            throw new IllegalStateException(e);
        }
    }

    private static byte[] pod(String uid, String app) {
        Message metadata = message()
                .text(1, "web-1")
                .text(3, "shop")
                .text(5, uid)
                .text(6, "7")
                .entry(11, "app", app);
        return message().part(1, metadata).bytes();
    }
}
