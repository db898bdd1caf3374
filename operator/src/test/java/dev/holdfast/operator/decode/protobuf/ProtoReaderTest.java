package dev.holdfast.operator.decode.protobuf;

import static dev.holdfast.operator.decode.Message.message;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.junit.jupiter.params.provider.Arguments.argumentSet;

import dev.holdfast.operator.decode.Message;
import java.nio.charset.StandardCharsets;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

class ProtoReaderTest {
    private final ProtoReader reader = new ProtoReader();

    @FunctionalInterface
    interface Read<T> {
        T of(ProtoReader reader) throws MalformedException;
    }

    @Test
    void fieldsOneAfterTheOther() throws MalformedException {
        open(message()
                .text(1, "web")
                .number(2, 300)
                .part(3, message().text(1, "inner"))
                .number(536870911, 1));

        assertThat(reader.next()).isTrue();
        assertThat(reader.field()).isEqualTo(1);
        assertThat(reader.string()).isEqualTo("web");
        assertThat(reader.next()).isTrue();
        assertThat(reader.field()).isEqualTo(2);
        assertThat(reader.int64()).isEqualTo(300);
        assertThat(reader.next()).isTrue();
        int outer = reader.enter();
        assertThat(reader.next()).isTrue();
        assertThat(reader.string()).isEqualTo("inner");
        assertThat(reader.next()).isFalse();
        reader.leave(outer);
        assertThat(reader.next()).isTrue();
        assertThat(reader.field()).isEqualTo(536870911);
        assertThat(reader.bool()).isTrue();
        assertThat(reader.next()).isFalse();
    }

    @ParameterizedTest
    @ValueSource(longs = {0, 1, 127, 128, 16383, 16384, Integer.MAX_VALUE, Long.MAX_VALUE, -1, Long.MIN_VALUE})
    void everyNumberIsReadAsWritten(long number) throws MalformedException {
        open(message().number(1, number));

        assertThat(reader.next()).isTrue();
        assertThat(reader.int64()).isEqualTo(number);
    }

    @Test
    void everyWireTypeIsSkippedByItsLength() throws MalformedException {
        open(message()
                .number(1, 300)
                .raw((2 << 3) | 1, 1, 2, 3, 4, 5, 6, 7, 8)
                .text(3, "skipped")
                .raw((4 << 3) | 5, 1, 2, 3, 4)
                .number(5, 1));

        for (int field = 1; field < 5; field++) {
            assertThat(reader.next()).isTrue();
            assertThat(reader.field()).isEqualTo(field);
            reader.skip();
        }

        assertThat(reader.next()).isTrue();
        assertThat(reader.field()).isEqualTo(5);
    }

    @Test
    void whatIsNoUtf8IsReplaced() throws MalformedException {
        open(message().bytes(1, new byte[] {'a', (byte) 0xff, 'b'}).text(2, "grün"));

        assertThat(reader.next()).isTrue();
        assertThat(reader.string()).isEqualTo("a\ufffdb");
        assertThat(reader.next()).isTrue();
        assertThat(reader.string()).isEqualTo("grün");
    }

    @Test
    void ofATextAThousandAndTwentyFourBytesAreRead() throws MalformedException {
        ByteSlice message = new ByteSlice(
                message().text(1, "x".repeat(1_025)).text(1, "y".repeat(1_024)).bytes());
        ProtoReader reader = new ProtoReader();
        StringCache cache = new StringCache();

        reader.open(message);
        reader.next();
        assertThat(reader.string()).isEqualTo("x".repeat(1_024));
        reader.next();
        assertThat(reader.string()).isEqualTo("y".repeat(1_024));
        assertThat(reader.next()).isFalse();

        reader.open(message);
        reader.next();
        assertThat(cache.of(reader)).isEqualTo("x".repeat(1_024));
        reader.next();
        assertThat(cache.of(reader)).isEqualTo("y".repeat(1_024));
        assertThat(reader.next()).isFalse();
    }

    @ParameterizedTest
    @ValueSource(strings = {"0", "7", "4711", "007", "9223372036854775807"})
    void aResourceVersionIsANumber(String version) throws MalformedException {
        open(message().text(1, version));

        assertThat(reader.next()).isTrue();
        assertThat(reader.version()).isEqualTo(Long.parseLong(version));
    }

    static Stream<Arguments> malformed() {
        return Stream.of(
                row(
                        "a tag that does not end",
                        message().raw(0x80),
                        ProtoReader::next,
                        1,
                        "ends in the middle of a number"),
                row("field 0", message().raw(0x02, 0), ProtoReader::next, 0, "invalid tag 2"),
                row(
                        "a tag of more than 32 bits",
                        message().varint((1L << 35) | 2),
                        ProtoReader::next,
                        0,
                        "invalid tag 34359738370"),
                row("the start of a group", message().raw((1 << 3) | 3), ProtoReader::next, 0, "the wire type 3"),
                row("the end of a group", message().raw((1 << 3) | 4), ProtoReader::next, 0, "the wire type 4"),
                row("wire type 6", message().raw((1 << 3) | 6), ProtoReader::next, 0, "the wire type 6"),
                row("wire type 7", message().raw((1 << 3) | 7), ProtoReader::next, 0, "the wire type 7"),
                field(
                        "a number that is cut off",
                        message().raw(0x08, 0xff),
                        ProtoReader::int64,
                        2,
                        "ends in the middle of a number"),
                field(
                        "a number of 65 bits",
                        message().raw(0x08, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 2),
                        ProtoReader::int64,
                        1,
                        "more than 64 bits"),
                field(
                        "a number of eleven bytes",
                        message().raw(0x08, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0),
                        ProtoReader::int64,
                        1,
                        "more than 64 bits"),
                field(
                        "an int of 33 bits",
                        message().number(1, 1L << 32),
                        ProtoReader::int32,
                        0,
                        "is 4294967296, which has more than 32 bits"),
                field(
                        "a length beyond the end",
                        message().raw(0x0a, 4, 'a', 'b', 'c'),
                        ProtoReader::string,
                        1,
                        "field 1 is 4 bytes long, but 3 are left"),
                field(
                        "a length beyond an int",
                        message().raw(0x0a).varint(1L << 32).raw('a'),
                        ProtoReader::string,
                        1,
                        "field 1 is 4294967296 bytes long, but 1 are left"),
                field(
                        "a negative length",
                        message().raw(0x0a).varint(-1),
                        ProtoReader::string,
                        1,
                        "field 1 is 18446744073709551615 bytes long, but 0 are left"),
                field("text instead of a number", message().text(1, ""), ProtoReader::int32, 0, "wire type 2, not 0"),
                field("a number instead of text", message().number(1, 1), ProtoReader::string, 0, "type 0, not 2"),
                field(
                        "a skipped field of 8 bytes, of which 7 are left",
                        message().raw(0x09, 1, 2, 3, 4, 5, 6, 7),
                        ProtoReaderTest::skip,
                        1,
                        "field 1 takes 8 bytes, but 7 are left"),
                field(
                        "a skipped field of 4 bytes, of which 3 are left",
                        message().raw(0x0d, 1, 2, 3),
                        ProtoReaderTest::skip,
                        1,
                        "field 1 takes 4 bytes, but 3 are left"),
                field("an empty resourceVersion", message().text(1, ""), ProtoReader::version, 2, "\"\", not a number"),
                field("a resourceVersion of letters", message().text(1, "12a"), ProtoReader::version, 2, "\"12a\""),
                field("a negative resourceVersion", message().text(1, "-1"), ProtoReader::version, 2, "\"-1\""),
                field(
                        "a resourceVersion of 64 bits",
                        message().text(1, "9223372036854775808"),
                        ProtoReader::version,
                        2,
                        "not a number of up to 63 bits"));
    }

    private static Arguments field(String name, Message bytes, Read<?> read, long offset, String what) {
        return row(
                name,
                bytes,
                reader -> {
                    assertThat(reader.next()).isTrue();
                    return read.of(reader);
                },
                offset,
                what);
    }

    private static Arguments row(String name, Message bytes, Read<?> read, long offset, String what) {
        return argumentSet(name, bytes, read, offset, what);
    }

    @ParameterizedTest
    @MethodSource("malformed")
    void whatIsWrongIsToldWithItsPlace(Message bytes, Read<?> read, long offset, String what) {
        open(bytes);

        assertThatExceptionOfType(MalformedException.class)
                .isThrownBy(() -> read.of(reader))
                .withMessageStartingWith("byte " + (1000 + offset) + ": ")
                .withMessageContaining(what)
                .returns(1000 + offset, MalformedException::offset);
    }

    @Test
    void aPartCannotReachBeyondWhatIsAroundIt() throws MalformedException {
        open(message().part(1, message().raw(0x0a, 5, 'a')).text(2, "neighbour"));

        assertThat(reader.next()).isTrue();
        reader.enter();
        assertThat(reader.next()).isTrue();
        assertThatExceptionOfType(MalformedException.class)
                .isThrownBy(reader::string)
                .withMessage("byte 1003: field 1 is 5 bytes long, but 1 are left");
    }

    @Test
    void nestingHasAnEnd() throws MalformedException {
        Message nested = message();
        for (int depth = 0; depth < 101; depth++) {
            nested = message().part(1, nested);
        }
        open(nested);
        for (int depth = 0; depth < 100; depth++) {
            assertThat(reader.next()).isTrue();
            reader.enter();
        }

        assertThat(reader.next()).isTrue();
        assertThatExceptionOfType(MalformedException.class)
                .isThrownBy(reader::enter)
                .withMessageContaining("messages are nested deeper than 100");
    }

    @Test
    void theBeginningOfAThingIsShownAsFarAsItCanBePrinted() {
        assertThat(new ByteSlice("<html>\n\u0000\u00e9".getBytes(StandardCharsets.UTF_8)).beginning())
                .isEqualTo("<html>....");
        assertThat(new ByteSlice("x".repeat(100).getBytes(StandardCharsets.UTF_8)).beginning())
                .isEqualTo("x".repeat(40));
    }

    private static boolean skip(ProtoReader reader) throws MalformedException {
        reader.skip();
        return true;
    }

    /** Opens the message in the middle of a larger array, which is itself in the middle of a body. */
    private void open(Message message) {
        byte[] bytes = message.bytes();
        byte[] around = new byte[bytes.length + 20];
        System.arraycopy(bytes, 0, around, 10, bytes.length);
        reader.open(around, 10, 10 + bytes.length, 1000);
    }
}
