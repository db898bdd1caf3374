package dev.holdfast.operator.decode;

import static dev.holdfast.operator.decode.Message.message;
import static dev.holdfast.operator.decode.RecordedBodies.frame;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.junit.jupiter.params.provider.Arguments.argumentSet;

import com.sun.management.ThreadMXBean;
import dev.holdfast.operator.decode.protobuf.ByteSlice;
import dev.holdfast.operator.decode.protobuf.ListReader;
import dev.holdfast.operator.decode.protobuf.MalformedException;
import dev.holdfast.operator.decode.protobuf.WatchReader;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Tests of false lengths in bodies. A reader must allocate memory only for bytes that have arrived, whatever length is
 * announced.
 */
class HostileLengthsTest {
    private static final ThreadMXBean THREADS = (ThreadMXBean) ManagementFactory.getThreadMXBean();
    private static final long KIB = 1024;

    @FunctionalInterface
    interface Reading {
        void run() throws IOException;
    }

    static Stream<Arguments> claims() {
        return Stream.of(
                argumentSet(
                        "an item of the largest length, but the body ends",
                        list(message()
                                .raw('k', '8', 's', 0, 0x12)
                                .varint(1L << 40)
                                .raw(0x12)
                                .varint(ListReader.LARGEST_ITEM))),
                argumentSet(
                        "an item above the limit",
                        list(message()
                                .raw('k', '8', 's', 0, 0x12)
                                .varint(1L << 40)
                                .raw(0x12)
                                .varint(Integer.MAX_VALUE))),
                argumentSet(
                        "a type of the largest length",
                        list(message().raw('k', '8', 's', 0, 0x0a).varint(ListReader.LARGEST_ITEM))),
                argumentSet("a frame of the largest length", watch(message().raw(1, 0, 0, 0))),
                argumentSet("a frame above the limit", watch(message().raw(0x7f, 0xff, 0xff, 0xff))),
                argumentSet(
                        "a frame whose type claims to be long",
                        watch(message()
                                .raw(frame(message().raw(0x0a).varint(1L << 30).raw(1, 2, 3))))),
                argumentSet("a name", pod(message().raw(0x0a, 20, 0x0a).varint(1L << 30))),
                argumentSet("a label", pod(message().part(1, message().raw(0x5a).varint(1L << 31)))),
                argumentSet(
                        "a resource amount of a container",
                        pod(message()
                                .part(
                                        2,
                                        message()
                                                .part(2, message().raw(0x42, 9, 0x12))
                                                .varint(1L << 30)))),
                argumentSet(
                        "an affinity",
                        pod(message().part(2, message().raw(0x92, 1).varint(Long.MAX_VALUE)))));
    }

    private static Reading list(Message body) {
        byte[] bytes = body.bytes();
        return () -> new ListReader(new ByteArrayInputStream(bytes)).read(_ -> {});
    }

    private static Reading watch(Message body) {
        byte[] bytes = body.bytes();
        return () -> new WatchReader(new ByteArrayInputStream(bytes), "Pod").next();
    }

    private static Reading pod(Message body) {
        byte[] bytes = body.bytes();
        PodDecoder decoder = new PodDecoder();
        return () -> decoder.decode(new ByteSlice(bytes));
    }

    @ParameterizedTest
    @MethodSource("claims")
    void takeNoMemory(Reading reading) {
        refused(reading); // loads classes, whose memory must not count
        long before = THREADS.getCurrentThreadAllocatedBytes();

        refused(reading);

        // The buffer starts with 64 KiB; the rest of the limit is for the exception and its assertion.
        assertThat(THREADS.getCurrentThreadAllocatedBytes() - before).isLessThan(256 * KIB);
    }

    private static void refused(Reading reading) {
        assertThatExceptionOfType(MalformedException.class).isThrownBy(reading::run);
    }

    @Test
    void aLargeItemTakesLittleMoreThanItsBytes() throws IOException {
        byte[] body = RecordedBodies.list("1", message().bytes(1, new byte[8 << 20]));
        long before = THREADS.getCurrentThreadAllocatedBytes();

        new ListReader(new Trickle(body, 8192)).read(_ -> {});

        // 64 KiB, doubled until all bytes fit: 16 MiB in sum, and one more array for the last bytes.
        assertThat(THREADS.getCurrentThreadAllocatedBytes() - before).isLessThan(25 << 20);
    }

    /** Decodes 200 MB of distinct labels and node selectors, more than the caches may hold. */
    @Test
    void manyDifferentPodsLeaveNoMoreThanTheCachesHold() throws MalformedException {
        PodDecoder decoder = new PodDecoder();
        long before = used();
        for (int i = 0; i < 100_000; i++) {
            decoder.decode(unique(i));
        }

        // The caches may hold keys of 11 MiB and the values decoded from them.
        assertThat(used() - before).isLessThan(48 << 20);
        assertThat(decoder.decode(unique(0)).uid()).isEqualTo("u0");
    }

    private static ByteSlice unique(int number) {
        String filler = "x".repeat(1000) + number;
        return new ByteSlice(message()
                .part(
                        1,
                        message()
                                .text(1, "p" + number)
                                .text(3, "ns" + number)
                                .text(5, "u" + number)
                                .text(6, "1")
                                .entry(11, "k" + number, filler))
                .part(2, message().entry(7, "k" + number, filler).text(10, "n" + number))
                .bytes());
    }

    private static long used() {
        System.gc();
        return ManagementFactory.getMemoryMXBean().getHeapMemoryUsage().getUsed();
    }
}
