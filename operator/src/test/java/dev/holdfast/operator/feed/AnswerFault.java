package dev.holdfast.operator.feed;

import java.time.Duration;

/** What may go wrong with an answer of a {@link FakeApiServer}, instead of it or within it. */
sealed interface AnswerFault {
    /** Nobody listens. */
    record Down() implements AnswerFault {}

    /** It takes the request and never answers. */
    record Mute() implements AnswerFault {}

    /** It answers another status than 200. */
    record Refuses(int code, String message, Duration retryAfter) implements AnswerFault {
        static Refuses with(int code, String message) {
            return new Refuses(code, message, Duration.ZERO);
        }
    }

    /** Somebody else answers with 200 and something that is no answer. */
    record Page(String html) implements AnswerFault {}

    /** The body ends after so much of it, as if that were all. */
    record Cut(double share) implements AnswerFault {}

    /** The connection breaks after so much of the body. */
    record Breaks(double share) implements AnswerFault {}

    /** Nothing comes any more after so much of the body; of a watch, nothing but its head. */
    record Freezes(double share) implements AnswerFault {}

    /** The body comes in twenty parts, and takes so long. */
    record Trickles(Duration length) implements AnswerFault {}
}
