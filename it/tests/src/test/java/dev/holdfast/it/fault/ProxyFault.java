package dev.holdfast.it.fault;

import java.time.Duration;

/** What a {@link FaultProxy} does with an answer of the API server. */
sealed interface ProxyFault {
    /** No fault: the whole answer passes. */
    record Pass() implements ProxyFault {}

    /** No byte of the answer passes, and the connection stays open. The answer continues when the fault ends. */
    record Stall() implements ProxyFault {}

    /** The head of the answer passes, so that a watch opens. No further byte passes until the fault ends. */
    record Freeze() implements ProxyFault {}

    /** New requests get no answer: the proxy accepts the connection and closes it. */
    record HangUp() implements ProxyFault {}

    /**
     * The body ends after this many bytes; the body of a watch ends after this many bytes of the next frame.
     *
     * @param manner whether the body ends as HTTP requires, or the connection breaks
     */
    record Cut(long bytes, Manner manner) implements ProxyFault {}

    /** How a body that is cut off ends. */
    enum Manner {
        AS_IF_IT_WERE_ALL,
        BROKEN
    }

    /**
     * The proxy answers new requests itself and does not forward them.
     *
     * @param headers the header lines, each with its line end; may be empty
     * @param body the body, in which each character stands for a byte
     */
    record Answer(int status, String headers, String body) implements ProxyFault {
        /** {@return an answer with this HTTP status and a body as the API server sends it} */
        static Answer status(int code) {
            return new Answer(
                    code,
                    "Content-Type: application/json\r\n",
                    "{\"kind\":\"Status\",\"apiVersion\":\"v1\",\"status\":\"Failure\",\"code\":" + code + "}");
        }
    }

    /** A watch ends with an ERROR event of code 410 once it has lasted this long. */
    record Expire(Duration age) implements ProxyFault {}

    /** A watch ends with an ERROR event of this code. */
    record Fail(int code) implements ProxyFault {}

    /**
     * The proxy inserts these bytes between two frames of a watch; the watch continues.
     *
     * @param bytes the bytes to insert; each character stands for a byte
     */
    record Insert(String bytes) implements ProxyFault {}

    /** The client receives each event of a watch twice. */
    record Repeat() implements ProxyFault {}

    /** The client receives two events of a watch in reverse order if they are sent within a second. */
    record Swap() implements ProxyFault {}
}
