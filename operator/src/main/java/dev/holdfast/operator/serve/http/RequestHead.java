package dev.holdfast.operator.serve.http;

import java.util.Optional;

/** The known part of the next HTTP request: of its first line and its header fields. */
public sealed interface RequestHead {
    /** The head is not complete yet. */
    record Incomplete() implements RequestHead {}

    /**
     * A complete and valid head of a request without a body.
     *
     * @param path the path of the URL, decoded, without the query
     * @param authorization the value of the first header field {@code Authorization}; empty if there is none
     * @param keepsAlive whether the client wants to send further requests on this connection
     */
    record Complete(String method, String path, Optional<String> authorization, boolean keepsAlive)
            implements RequestHead {
        /** {@return this request as the last one of its connection} */
        public Complete last() {
            return new Complete(method, path, authorization, false);
        }
    }

    /**
     * A request that is not served, and after which nothing of the connection is read.
     *
     * @param status the HTTP status code of the reply
     * @param why the line of text of the reply
     */
    record Refused(int status, String why) implements RequestHead {}
}
