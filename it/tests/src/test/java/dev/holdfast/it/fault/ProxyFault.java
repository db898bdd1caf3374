package dev.holdfast.it.fault;

import java.time.Duration;

/** What a proxy does to an answer. */
sealed interface ProxyFault {
    /** Nothing: all of it passes. */
    record Pass() implements ProxyFault {}

    /** Nothing of it passes, and the connection stands; it goes on from there when the fault ends. */
    record Stall() implements ProxyFault {}

    /** The answer begins, so that a watch opens, and nothing more of it passes until the fault ends. */
    record Freeze() implements ProxyFault {}

    /** No answer to a new request: the connection is closed once it is there. */
    record HangUp() implements ProxyFault {}

    /**
     * The body ends after so many bytes; that of a watch after so many of the next frame.
     *
     * @param manner whether HTTP calls that an end, or the connection breaks
     */
    record Cut(long bytes, Manner manner) implements ProxyFault {}

    /** How a body ends that is cut. */
    enum Manner {
        AS_IF_IT_WERE_ALL,
        BROKEN
    }

    /**
     * Somebody else answers new requests, and the API server is never asked.
     *
     * @param headers each with the end of its line; may be empty
     * @param body each character a byte
     */
    record Answer(int status, String headers, String body) implements ProxyFault {
        /** {@return what the API server itself would answer} */
        static Answer status(int code) {
            return new Answer(
                    code,
                    "Content-Type: application/json\r\n",
                    "{\"kind\":\"Status\",\"apiVersion\":\"v1\",\"status\":\"Failure\",\"code\":" + code + "}");
        }
    }

    /** A watch ends with an ERROR of code 410, so long after it was opened. */
    record Expire(Duration age) implements ProxyFault {}

    /** A watch ends with an ERROR of this code. */
    record Fail(int code) implements ProxyFault {}

    /**
     * These bytes come in a watch, between two frames, and then all goes on.
     *
     * @param bytes each character one
     */
    record Insert(String bytes) implements ProxyFault {}

    /** Each frame of a watch comes twice. */
    record Repeat() implements ProxyFault {}

    /** Of each two frames of a watch that come within a second the second comes first. */
    record Swap() implements ProxyFault {}
}
