package dev.holdfast.operator.serve.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.params.provider.Arguments.argumentSet;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** What a server understands of the bytes of a client, whatever pieces they come in. */
class HeadBufferTest {
    private static final String LIVEZ = "GET /livez HTTP/1.1\r\n";
    private static final RequestHead INCOMPLETE = new RequestHead.Incomplete();
    private static final RequestHead GET_LIVEZ = get("/livez");

    private static RequestHead get(String path) {
        return new RequestHead.Complete("GET", path, Optional.empty(), true);
    }

    private static RequestHead closing(String path) {
        return new RequestHead.Complete("GET", path, Optional.empty(), false);
    }

    private static RequestHead bad(String why) {
        return new RequestHead.Refused(400, why);
    }

    /**
     * The heads in these bytes, the last of which is incomplete or refused. The client sends pieces of this many bytes.
     */
    private static List<RequestHead> read(String bytes, int piece) {
        try (InputStream client = new ByteArrayInputStream(bytes.getBytes(StandardCharsets.ISO_8859_1)) {
            @Override
            public int read(byte[] into, int offset, int length) {
                return super.read(into, offset, Math.min(length, piece));
            }
        }) {
            HeadBuffer buffer = new HeadBuffer();
            List<RequestHead> heads = new ArrayList<>();
            boolean open = true;
            while (open) {
                RequestHead next = buffer.next();
                open = next instanceof RequestHead.Complete
                        || (next instanceof RequestHead.Incomplete && buffer.fill(client));
                if (!open || !next.equals(INCOMPLETE)) {
                    heads.add(next);
                }
            }
            return heads;
        } catch (IOException e) {
            throw new IllegalStateException(e);
        }
    }

    static Stream<Arguments> understood() {
        return Stream.of(
                argumentSet("no header fields", LIVEZ + "\r\n", GET_LIVEZ),
                argumentSet("header fields that do not matter", LIVEZ + "Host: a\r\nAccept:\r\n\r\n", GET_LIVEZ),
                argumentSet("lines that end with LF alone", "GET /livez HTTP/1.1\nHost: a\n\n", GET_LIVEZ),
                argumentSet("empty lines before the request", "\r\n\r\n\n" + LIVEZ + "\r\n", GET_LIVEZ),
                argumentSet("a query", "GET /livez?verbose=1 HTTP/1.1\r\n\r\n", GET_LIVEZ),
                argumentSet("a whole URL", "GET http://a:8080/livez HTTP/1.1\r\n\r\n", GET_LIVEZ),
                argumentSet("an encoded path", "GET /live%7A HTTP/1.1\r\n\r\n", GET_LIVEZ),
                argumentSet("no path but *", "GET * HTTP/1.1\r\n\r\n", get("*")),
                argumentSet("a body of no bytes", LIVEZ + "Content-Length: 0\r\n\r\n", GET_LIVEZ),
                argumentSet("HTTP/1.0", "GET /livez HTTP/1.0\r\n\r\n", closing("/livez")),
                argumentSet(
                        "HTTP/1.0 that keeps alive",
                        "GET /livez HTTP/1.0\r\nConnection: Keep-Alive\r\n\r\n",
                        GET_LIVEZ),
                argumentSet("the wish to close", LIVEZ + "connection: upgrade , Close\r\n\r\n", closing("/livez")),
                argumentSet(
                        "the first Authorization of two, and another method",
                        "HEAD /metrics HTTP/1.1\r\nauthorization:  Bearer a \r\nAuthorization: Bearer b\r\n\r\n",
                        new RequestHead.Complete("HEAD", "/metrics", Optional.of("Bearer a"), true)));
    }

    @ParameterizedTest
    @MethodSource("understood")
    void aRequestIsUnderstoodWhateverPiecesItComesIn(String bytes, RequestHead expected) {
        IntStream.rangeClosed(1, bytes.length())
                .forEach(piece -> assertThat(read(bytes, piece)).containsExactly(expected, INCOMPLETE));
    }

    static Stream<Arguments> refused() {
        RequestHead firstLine = bad("the first line of a request is: GET PATH HTTP/1.1");
        RequestHead version = bad("the version of HTTP is not 1.0 or 1.1");
        RequestHead path = bad("the path of the request is invalid");
        RequestHead field = bad("each header field of a request is: NAME: VALUE");
        RequestHead length = bad("Content-Length is not a number");
        RequestHead body = new RequestHead.Refused(413, "send the request without a body");
        return Stream.of(
                argumentSet("no path", "GET HTTP/1.1\r\n\r\n", firstLine),
                argumentSet("too many parts", "GET /livez now HTTP/1.1\r\n\r\n", firstLine),
                argumentSet("a method that is no token", "G(T /livez HTTP/1.1\r\n\r\n", firstLine),
                argumentSet("the first bytes of TLS", "\u0016\u0003\u0001\n\n", firstLine),
                argumentSet("HTTP/2", "PRI * HTTP/2.0\r\n\r\n", version),
                argumentSet("HTTP/1.2", "GET /livez HTTP/1.2\r\n\r\n", version),
                argumentSet("an invalid path", "GET /%zz HTTP/1.1\r\n\r\n", path),
                argumentSet("a URL without a path", "GET mailto:a HTTP/1.1\r\n\r\n", path),
                argumentSet("a field without a colon", LIVEZ + "Host\r\n\r\n", field),
                argumentSet("a field without a name", LIVEZ + ": a\r\n\r\n", field),
                argumentSet("a field that goes on in the next line", LIVEZ + "Accept: a\r\n b\r\n\r\n", field),
                argumentSet("a space before the colon", LIVEZ + "Host : a\r\n\r\n", field),
                argumentSet("a CR inside a field", LIVEZ + "Host: a\rb\r\n\r\n", field),
                argumentSet("a NUL inside a field", LIVEZ + "Host: a\0\r\n\r\n", field),
                argumentSet("a length that is negative", LIVEZ + "Content-Length: -1\r\n\r\n", length),
                argumentSet("an empty length", LIVEZ + "Content-Length:\r\n\r\n", length),
                argumentSet("a body", "POST /livez HTTP/1.1\r\nContent-Length: 3\r\n\r\nabc", body),
                argumentSet("a second length", LIVEZ + "Content-Length: 0\r\nContent-Length: 1\r\n\r\n", body),
                argumentSet("a length of many digits", LIVEZ + "Content-Length: " + "9".repeat(40) + "\r\n\r\n", body),
                argumentSet("a body in chunks", LIVEZ + "Transfer-Encoding: chunked\r\n\r\n", body));
    }

    @ParameterizedTest
    @MethodSource("refused")
    void anInvalidRequestIsRefusedWhateverPiecesItComesIn(String bytes, RequestHead expected) {
        IntStream.rangeClosed(1, bytes.length())
                .forEach(piece -> assertThat(read(bytes, piece)).containsExactly(expected));
    }

    @Test
    void requestsThatAreSentAheadAreReadOneAfterTheOther() {
        String ahead =
                LIVEZ + "\r\n" + "GET /readyz HTTP/1.1\r\nHost: a\r\n\r\n\r\n" + LIVEZ + "Connection: close\r\n\r\nGET";

        IntStream.rangeClosed(1, ahead.length())
                .forEach(piece -> assertThat(read(ahead, piece))
                        .containsExactly(GET_LIVEZ, get("/readyz"), closing("/livez"), INCOMPLETE));
    }

    @Test
    void aHeadOf8KibIsReadAndALongerOneIsRefusedBeforeItsEnd() {
        String fields = LIVEZ + "Authorization: ";
        String token = "a".repeat(8_192 - fields.length() - "\r\n\r\n".length());

        assertThat(read(fields + token + "\r\n\r\n" + LIVEZ, 8_192))
                .containsExactly(new RequestHead.Complete("GET", "/livez", Optional.of(token), true), INCOMPLETE);
        for (int piece : new int[] {1, 1_000, 8_192, 400_000}) {
            assertThat(read(fields + token + "a\r\n\r\n", piece))
                    .containsExactly(new RequestHead.Refused(431, "the head of the request is longer than 8192 bytes"));
        }
        assertThat(read(fields + "a".repeat(330_000), 400_000))
                .containsExactly(new RequestHead.Refused(431, "the head of the request is longer than 8192 bytes"));
    }
}
