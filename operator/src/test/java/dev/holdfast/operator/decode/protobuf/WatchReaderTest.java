package dev.holdfast.operator.decode.protobuf;

import static dev.holdfast.operator.decode.Message.message;
import static dev.holdfast.operator.decode.RecordedBodies.envelope;
import static dev.holdfast.operator.decode.RecordedBodies.frame;
import static dev.holdfast.operator.decode.RecordedBodies.joined;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.junit.jupiter.params.provider.Arguments.argumentSet;

import dev.holdfast.operator.decode.Message;
import dev.holdfast.operator.decode.Trickle;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

class WatchReaderTest {
    private static final byte[] ADDED = frame("ADDED", envelope("Pod", message().text(1, "a")));

    @ParameterizedTest
    @ValueSource(ints = {1, 7, 8192})
    void everyKindOfFrameHoweverItArrives(int piece) throws IOException {
        String large = "x".repeat(1_000_000);

        assertThat(told(new Trickle(
                        joined(
                                ADDED,
                                frame("MODIFIED", envelope("Pod", message().text(1, large))),
                                frame("DELETED", envelope("Pod", message().text(1, "b"))),
                                frame("BOOKMARK", envelope("Pod", bookmark("17"))),
                                frame("ERROR", envelope("Status", GONE))),
                        piece)))
                .containsExactly(
                        "changed a",
                        "changed " + large,
                        "deleted b",
                        new WatchFrame.Bookmark(17).toString(),
                        new WatchFrame.Failed(410, "Expired", "too old resource version").toString(),
                        "end");
    }

    private static final Message GONE = message()
            .part(1, message().text(1, "").text(2, ""))
            .text(2, "Failure")
            .text(3, "too old resource version")
            .text(4, "Expired")
            .number(6, 410);

    static Stream<Arguments> bookmarks() {
        return Stream.of(
                argumentSet("an ordinary bookmark", bookmark("17")),
                argumentSet(
                        "with an annotation, which is skipped",
                        bookmark("17").part(1, message().entry(12, "other", "true"))),
                argumentSet(
                        "with an empty spec and status, as the API server writes it",
                        bookmark("17").part(2, message().text(3, "")).part(3, message())));
    }

    @ParameterizedTest
    @MethodSource("bookmarks")
    void bookmarks(Message object) throws IOException {
        assertThat(watch(frame("BOOKMARK", envelope("Pod", object))).next()).contains(new WatchFrame.Bookmark(17));
    }

    @Test
    void aStatusMaySayLittle() throws IOException {
        assertThat(watch(frame("ERROR", envelope("Status", message()))).next())
                .contains(new WatchFrame.Failed(0, "", ""));
    }

    @Test
    void theBodyOfARefusedRequestIsReadAsAStatus() throws MalformedException {
        assertThat(StatusDecoder.ofBody(envelope("Status", GONE)))
                .isEqualTo(new WatchFrame.Failed(410, "Expired", "too old resource version"));
    }

    @Test
    void aWatchThatIsCutWithinAFrameHasNotEnded() throws IOException {
        byte[] body = joined(ADDED, frame("BOOKMARK", envelope("Pod", bookmark("17"))));

        for (int length = 0; length < body.length; length++) {
            WatchReader reader = watch(Arrays.copyOf(body, length));
            if (length >= ADDED.length) {
                assertThat(reader.next()).containsInstanceOf(WatchFrame.Changed.class);
            }
            if (length == 0 || length == ADDED.length) {
                assertThat(reader.next()).isEmpty();
            } else {
                assertThatExceptionOfType(MalformedException.class)
                        .as("cut after %d of %d bytes", length, body.length)
                        .isThrownBy(reader::next)
                        .withMessage("byte " + length + ": the body ends too early");
            }
        }
    }

    static Stream<Arguments> malformed() {
        return Stream.of(
                argumentSet(
                        "an empty frame",
                        new byte[4],
                        "byte 0: a frame of 0 bytes (\"....\"): 1 to 16777216 are allowed"),
                argumentSet(
                        "a negative length",
                        new byte[] {-1, -1, -1, -1},
                        "byte 0: a frame of 4294967295 bytes (\"....\"): 1 to 16777216 are allowed"),
                argumentSet(
                        "a length beyond the limit",
                        new byte[] {1, 0, 0, 1},
                        "byte 0: a frame of 16777217 bytes (\"....\"): 1 to 16777216 are allowed"),
                argumentSet(
                        "the page of a proxy",
                        "<html>".getBytes(StandardCharsets.UTF_8),
                        "byte 0: a frame of 1013478509 bytes (\"<htm\"): 1 to 16777216 are allowed"),
                argumentSet(
                        "an unknown type",
                        frame("RENAMED", envelope("Pod", message())),
                        "byte 6: an event of the unknown type RENAMED"),
                argumentSet(
                        "an object of another kind",
                        frame("MODIFIED", envelope("Node", message())),
                        "byte 18: expected a Pod, but this is of kind \"Node\""),
                argumentSet(
                        "an object without a kind",
                        frame("MODIFIED", new byte[] {'k', '8', 's', 0, 0x12, 0}),
                        "byte 18: expected a Pod, but this is of kind \"\""),
                argumentSet(
                        "no type",
                        frame(message().part(2, message().bytes(1, envelope("Pod", message())))),
                        "byte 4: an event without a type or without an object"),
                argumentSet(
                        "no object",
                        frame(message().text(1, "ADDED")),
                        "byte 4: an event without a type or without an object"),
                argumentSet(
                        "an empty object",
                        frame(message().text(1, "ADDED").part(2, message())),
                        "byte 4: an event without a type or without an object"),
                argumentSet(
                        "an object that is not protobuf",
                        frame("ADDED", "{\"kind\":\"Pod\"}".getBytes(StandardCharsets.UTF_8)),
                        "byte 15: this is not protobuf of an API server: it begins with \"{\"kind\":\"Pod\"}\""),
                argumentSet(
                        "an envelope without an object",
                        frame("ADDED", new byte[] {'k', '8', 's', 0}),
                        "byte 15: the envelope is empty"),
                argumentSet(
                        "an object that exceeds its envelope",
                        frame("ADDED", new byte[] {'k', '8', 's', 0, 0x12, 9, 1}),
                        "byte 20: field 2 is 9 bytes long, but 1 are left"),
                argumentSet(
                        "a bookmark without a version",
                        frame("BOOKMARK", envelope("Pod", message().part(1, message()))),
                        "byte 35: an object without a resourceVersion"),
                argumentSet(
                        "a bookmark whose version is not a number",
                        frame("BOOKMARK", envelope("Pod", bookmark(""))),
                        "byte 41: the resourceVersion is \"\", not a number of up to 63 bits"));
    }

    @ParameterizedTest
    @MethodSource("malformed")
    void whatIsNoFrameIsToldWithItsPlace(byte[] body, String message) {
        assertThatExceptionOfType(MalformedException.class)
                .isThrownBy(() -> watch(body).next())
                .withMessage(message);
    }

    @Test
    void placesAreCountedFromTheBeginningOfTheBody() throws IOException {
        WatchReader reader = watch(joined(ADDED, ADDED, new byte[4]));
        reader.next();
        reader.next();

        assertThatExceptionOfType(MalformedException.class)
                .isThrownBy(reader::next)
                .withMessageStartingWith("byte " + 2 * ADDED.length + ": a frame of 0 bytes");
    }

    private static Message bookmark(String resourceVersion) {
        return message().part(1, message().text(1, "").text(6, resourceVersion).part(8, message()));
    }

    private static WatchReader watch(byte[] body) {
        return new WatchReader(new ByteArrayInputStream(body), "Pod");
    }

    private static List<String> told(InputStream body) throws IOException {
        WatchReader reader = new WatchReader(body, "Pod");
        List<String> told = new ArrayList<>();
        for (Optional<WatchFrame> frame = reader.next(); frame.isPresent(); frame = reader.next()) {
            told.add(
                    switch (frame.get()) {
                        case WatchFrame.Changed(ByteSlice object) -> "changed " + name(object);
                        case WatchFrame.Deleted(ByteSlice object) -> "deleted " + name(object);
                        case WatchFrame.Bookmark bookmark -> bookmark.toString();
                        case WatchFrame.Failed failed -> failed.toString();
                    });
        }
        told.add("end");
        return told;
    }

    private static String name(ByteSlice object) throws MalformedException {
        ProtoReader reader = new ProtoReader();
        reader.open(object);
        assertThat(reader.next()).isTrue();
        return reader.string(Integer.MAX_VALUE);
    }
}
