package dev.holdfast.operator.feed;

import java.time.Duration;
import java.util.function.Supplier;

/** A fault of one response of a {@link FakeApiServer}. */
sealed interface AnswerFault {
    /** The connection is refused. */
    record Down() implements AnswerFault {}

    /** The server sends its answer this much later. */
    record Delays(Duration length) implements AnswerFault {}

    /** The server accepts the request and never answers. */
    record Mute() implements AnswerFault {}

    /** The server answers with an error status. */
    record Refuses(int code, String message, Duration retryAfter) implements AnswerFault {
        static Refuses with(int code, String message) {
            return new Refuses(code, message, Duration.ZERO);
        }
    }

    /** A proxy answers with status 200 and an HTML page. */
    record Page(String html) implements AnswerFault {}

    /** The server answers a watch with this body, which then ends. */
    record Sends(Supplier<byte[]> body) implements AnswerFault {}

    /** The body ends after this share of it, as if it were complete. */
    record Cut(double share) implements AnswerFault {}

    /** The connection breaks after this share of the body. */
    record Breaks(double share) implements AnswerFault {}

    /** The body stalls after this share of it; a watch stalls after its headers. */
    record Freezes(double share) implements AnswerFault {}

    /** The body arrives in twenty parts over this time. */
    record Trickles(Duration length) implements AnswerFault {}
}
