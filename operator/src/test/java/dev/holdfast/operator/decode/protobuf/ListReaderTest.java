package dev.holdfast.operator.decode.protobuf;

import static dev.holdfast.operator.decode.Message.message;
import static dev.holdfast.operator.decode.RecordedBodies.envelope;
import static dev.holdfast.operator.decode.RecordedBodies.joined;
import static dev.holdfast.operator.decode.RecordedBodies.list;
import static dev.holdfast.operator.decode.RecordedBodies.type;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.junit.jupiter.params.provider.Arguments.argumentSet;

import dev.holdfast.operator.decode.Message;
import dev.holdfast.operator.decode.Trickle;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.SequenceInputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

class ListReaderTest {
    private static final Message METADATA = message().text(2, "42");

    private final List<String> items = new ArrayList<>();

    @ParameterizedTest
    @ValueSource(ints = {1, 7, 8192})
    void itemsAreHandedOnOneByOneHoweverTheyArrive(int piece) throws IOException {
        String large = "x".repeat(1_000_000);

        ListMetadata listMetadata =
                new ListReader(new Trickle(list("42", named("a"), named(large), named("")), piece)).read(this::take);

        assertThat(listMetadata).isEqualTo(new ListMetadata(42, ""));
        assertThat(items).containsExactly("a", large, "");
    }

    @Test
    void anItemIsHandedOnBeforeTheNextHasCome() throws IOException {
        byte[] body = list("42", named("first"), named("second"));
        List<Integer> known = new ArrayList<>();
        InputStream slowly = new Trickle(body, 1) {
            private int sent;

            @Override
            public int read(byte[] target, int from, int length) {
                int read = super.read(target, from, length);
                sent += Math.max(read, 0);
                if (sent > body.length - 10) {
                    known.add(items.size());
                }
                return read;
            }
        };

        new ListReader(slowly).read(this::take);

        assertThat(known.getFirst()).isEqualTo(1);
    }

    @Test
    void regionsSayWhereInTheBodyTheyStand() throws IOException {
        byte[] body = list("42", named("a"), named("b"));
        List<String> found = new ArrayList<>();

        new ListReader(new Trickle(body, 3))
                .read(item -> found.add(new String(body, (int) item.offset() + 2, 1, StandardCharsets.UTF_8)));

        assertThat(found).containsExactly("a", "b");
    }

    @Test
    void anEmptyList() throws IOException {
        assertThat(read(list("7"))).isEqualTo(new ListMetadata(7, ""));
        assertThat(items).isEmpty();
    }

    @Test
    void aPageSaysHowToAskForTheNext() throws IOException {
        assertThat(read(envelope(
                        "PodList", message().part(1, message().text(2, "7").text(3, "token")))))
                .isEqualTo(new ListMetadata(7, "token"));
    }

    @Test
    void metadataMayComeAfterTheItemsAndUnknownFieldsAnywhere() throws IOException {
        Message list = message()
                .number(9, 1)
                .part(2, named("a"))
                .raw((10 << 3) | 1, 1, 2, 3, 4, 5, 6, 7, 8)
                .text(11, "new")
                .raw((12 << 3) | 5, 1, 2, 3, 4)
                .part(1, message().text(1, "").text(2, "7").number(4, 3));

        assertThat(read(joined(envelope("PodList", list), message().number(9, 1).bytes())))
                .isEqualTo(new ListMetadata(7, ""));
        assertThat(items).containsExactly("a");
    }

    @Test
    void aListThatIsCutAnywhereIsAnErrorAndNeverAShorterList() {
        byte[] body = message()
                .raw('k', '8', 's', 0)
                .part(1, type("PodList"))
                .part(2, message().part(1, METADATA).part(2, named("a")).part(2, named("b")))
                .bytes();

        for (int length = 0; length < body.length; length++) {
            byte[] cut = Arrays.copyOf(body, length);
            assertThatExceptionOfType(MalformedException.class)
                    .as("cut after %d of %d bytes", length, body.length)
                    .isThrownBy(() -> read(cut));
        }
    }

    @Test
    void aListThatIsCutBehindItsEndIsWholeOnlyBetweenFields() throws IOException {
        byte[] body = list("42", named("a"));

        for (int length = body.length - 4; length <= body.length; length++) {
            byte[] cut = Arrays.copyOf(body, length);
            if (length % 2 == body.length % 2) {
                assertThat(read(cut)).isEqualTo(new ListMetadata(42, ""));
            } else {
                assertThatExceptionOfType(MalformedException.class).isThrownBy(() -> read(cut));
            }
        }
    }

    static Stream<Arguments> malformed() {
        Message whole = message().part(1, METADATA).part(2, named("a"));
        return Stream.of(
                argumentSet(
                        "the page of a proxy",
                        "<html><body>502 Bad Gateway</body></html>".getBytes(StandardCharsets.UTF_8),
                        "byte 0: this is not protobuf of an API server: it begins with"
                                + " \"<html><body>502 Bad Gateway</body></html\""),
                argumentSet(
                        "JSON",
                        "{\"kind\":1}".getBytes(StandardCharsets.UTF_8),
                        "byte 0: this is not protobuf of an API server: it begins with \"{\"kind\":1}\""),
                argumentSet(
                        "an empty body",
                        new byte[0],
                        "byte 0: this is not protobuf of an API server: it begins with \"\""),
                argumentSet(
                        "half of the magic",
                        new byte[] {'k', '8'},
                        "byte 0: this is not protobuf of an API server: it begins with \"k8\""),
                argumentSet("only the magic", new byte[] {'k', '8', 's', 0}, "byte 4: the body ends without a list"),
                argumentSet(
                        "an error instead of a list",
                        envelope("Status", message().text(2, "Failure")),
                        "byte 12: expected a list, but this is of kind Status"),
                argumentSet(
                        "no resourceVersion",
                        message()
                                .raw('k', '8', 's', 0)
                                .part(2, message().part(2, named("a")))
                                .bytes(),
                        "byte 11: the list has no resourceVersion"),
                argumentSet(
                        "an empty resourceVersion",
                        message()
                                .raw('k', '8', 's', 0)
                                .part(2, message().part(1, message().text(2, "")))
                                .bytes(),
                        "byte 10: the resourceVersion is \"\", not a number of up to 63 bits"),
                argumentSet(
                        "two lists",
                        joined(
                                message()
                                        .raw('k', '8', 's', 0)
                                        .part(2, message().part(1, METADATA))
                                        .bytes(),
                                message().part(2, whole).bytes()),
                        "byte 13: the body has a second list"),
                argumentSet(
                        "an item that exceeds the list",
                        message()
                                .raw('k', '8', 's', 0, 0x12, 3, 0x12, 2, 'a', 'b')
                                .bytes(),
                        "byte 7: field 2 is 2 bytes long, which is beyond the end of the list"),
                argumentSet(
                        "an item above the limit",
                        message()
                                .raw('k', '8', 's', 0, 0x12)
                                .varint(1L << 40)
                                .raw(0x12)
                                .varint((16 << 20) + 1)
                                .bytes(),
                        "byte 12: an item of 16777217 bytes: at most 16777216 are allowed"),
                argumentSet(
                        "an item with a false length in a short body",
                        message()
                                .raw('k', '8', 's', 0, 0x12)
                                .varint(1L << 40)
                                .raw(0x12)
                                .varint(16 << 20)
                                .raw(1, 2, 3)
                                .bytes(),
                        "byte 19: the body ends too early"),
                argumentSet(
                        "a list of negative length",
                        message().raw('k', '8', 's', 0, 0x12).varint(-1).bytes(),
                        "byte 5: field 2 is 18446744073709551615 bytes long, which is beyond the end of the list"),
                argumentSet(
                        "an item that is a number",
                        message()
                                .raw('k', '8', 's', 0)
                                .part(2, message().number(2, 5))
                                .bytes(),
                        "byte 7: field 2 has the wire type 0"),
                argumentSet(
                        "a group",
                        message().raw('k', '8', 's', 0, 0x12, 1, 0x1b).bytes(),
                        "byte 7: field 3 has the wire type 3"),
                argumentSet(
                        "a number that exceeds the list",
                        message().raw('k', '8', 's', 0, 0x12, 2, 0x18, 0xff, 1).bytes(),
                        "byte 8: the list ends in the middle of a number"),
                argumentSet(
                        "a field of eight bytes, of which the list has four",
                        message()
                                .raw('k', '8', 's', 0, 0x12, 5, 0x19, 1, 2, 3, 4)
                                .bytes(),
                        "byte 7: field 3 goes beyond the end of the list"),
                argumentSet("field 0", message().raw('k', '8', 's', 0, 0).bytes(), "byte 4: invalid tag 0"),
                argumentSet(
                        "invalid bytes after the list",
                        joined(list("42"), new byte[] {0x1a, 5, 'a'}),
                        "byte " + (list("42").length + 3) + ": the body ends too early"));
    }

    @ParameterizedTest
    @MethodSource("malformed")
    void whatIsNoListIsToldWithItsPlace(byte[] body, String message) {
        assertThatExceptionOfType(MalformedException.class)
                .isThrownBy(() -> read(body))
                .withMessage(message);
    }

    /** Only the beginning of a list of 3 GB, with its first item: the length must not be truncated to an int. */
    @Test
    void aListMayBeLongerThanAnIntCounts() {
        byte[] head = message()
                .raw('k', '8', 's', 0, 0x12)
                .varint(3L << 30)
                .part(2, named("a"))
                .bytes();

        assertThatExceptionOfType(MalformedException.class)
                .isThrownBy(() -> read(head))
                .withMessage("byte " + head.length + ": the body ends too early");
        assertThat(items).containsExactly("a");
    }

    /** The skipped 3 GB come from a stream that writes no bytes: copying real ones would take seconds. */
    @Test
    void whatIsSkippedMayBeLongerThanAnIntCounts() throws IOException {
        long skipped = 3L << 30;
        byte[] head =
                message().raw('k', '8', 's', 0, (5 << 3) | 2).varint(skipped).bytes();
        byte[] tail = message().part(2, message().part(1, METADATA)).bytes();

        InputStream body = new SequenceInputStream(
                new SequenceInputStream(new ByteArrayInputStream(head), new Nothing(skipped)),
                new ByteArrayInputStream(tail));

        assertThat(new ListReader(body).read(this::take)).isEqualTo(new ListMetadata(42, ""));
    }

    @Test
    void whatTheSinkRefusesEndsTheReading() {
        assertThatExceptionOfType(MalformedException.class)
                .isThrownBy(() -> new ListReader(new ByteArrayInputStream(list("42", named("a"), named("b"))))
                        .read(item -> {
                            take(item);
                            throw new MalformedException(item.offset(), "no pod");
                        }))
                .withMessageEndingWith("no pod");
        assertThat(items).containsExactly("a");
    }

    /** A stream that reports bytes as read without writing them into the buffer. */
    private static final class Nothing extends InputStream {
        private long left;

        private Nothing(long length) {
            this.left = length;
        }

        @Override
        public int read() {
            left--;
            return left < 0 ? -1 : 0;
        }

        @Override
        public int read(byte[] target, int from, int length) {
            if (left == 0) {
                return -1;
            }
            int step = (int) Math.min(left, length);
            left -= step;
            return step;
        }
    }

    private ListMetadata read(byte[] body) throws IOException {
        return new ListReader(new ByteArrayInputStream(body)).read(this::take);
    }

    private void take(ByteSlice item) throws MalformedException {
        ProtoReader reader = new ProtoReader();
        reader.open(item);
        items.add(reader.next() ? reader.string(Integer.MAX_VALUE) : "");
    }

    private static Message named(String name) {
        return name.isEmpty() ? message() : message().text(1, name);
    }
}
