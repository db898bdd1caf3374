package dev.holdfast.operator.api;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;

import dev.holdfast.operator.feed.WebSocketApiServer;
import dev.holdfast.operator.feed.WebSocketApiServer.Reply;
import io.fabric8.kubernetes.client.ConfigBuilder;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import okhttp3.OkHttpClient;
import okhttp3.Request;
import okhttp3.Response;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Tests of streamed response bodies: order, cut connections, timeouts, cancellation and renewed credentials. */
@Timeout(30)
class StreamingRequestsTest {
    private static final Duration LONG = Duration.ofSeconds(20);

    private final CountDownLatch sent = new CountDownLatch(1);
    private final AtomicInteger tokens = new AtomicInteger();
    private Reply reply = new Reply.StaysSilent();
    private final WebSocketApiServer server = new WebSocketApiServer(request ->
            "Bearer old".equals(request.headers().get("authorization")) ? new Reply.Says(401, "who are you") : reply);
    private final StreamingRequests streamingRequests = new StreamingRequests(new ConfigBuilder(server.connection())
            .withOauthTokenProvider(() -> tokens.getAndIncrement() == 0 ? "old" : "new")
            .build());

    private StreamedResponse get(Duration patience) throws InterruptedException {
        return streamingRequests.get("/some", "a/b", LONG, patience);
    }

    private StreamedResponse streams(WebSocketApiServer.Writer writer) throws InterruptedException {
        tokens.set(1);
        reply = new Reply.Streams(body -> {
            writer.write(body);
            sent.countDown();
        });
        return get(LONG);
    }

    @AfterEach
    void close() {
        streamingRequests.close();
        server.close();
    }

    @Test
    void bytesAreReadInTheirOrderToTheEnd() throws IOException, InterruptedException {
        try (StreamedResponse streamedResponse = streams(body -> {
            body.send(new byte[] {1, 2, -1});
            body.send(new byte[] {4});
            body.end();
        })) {
            assertThat(streamedResponse.read()).isEqualTo(1);
            assertThat(streamedResponse.readAllBytes()).containsExactly(2, -1, 4);
            assertThat(streamedResponse.read()).isEqualTo(-1);
        }
        assertThat(server.received().getLast().headers()).doesNotContainKey("holdfast-asked-by");
    }

    @Test
    void aConnectionThatIsCutIsNoEnd() throws IOException, InterruptedException {
        try (StreamedResponse streamedResponse = streams(body -> {
            body.send(new byte[] {1});
            body.cut();
        })) {
            assertThat(streamedResponse.read()).isEqualTo(1);
            assertThatThrownBy(streamedResponse::read)
                    .isInstanceOf(IOException.class)
                    .hasMessageStartingWith("the connection broke: ");
        }
    }

    @Test
    void silenceBeyondTheTimeGivenIsAnError() throws InterruptedException {
        tokens.set(1);
        reply = new Reply.Streams(_ -> {});
        try (StreamedResponse streamedResponse = get(Duration.ofSeconds(1))) {
            assertThatThrownBy(streamedResponse::read).hasMessage("no data for 1 s");
        }
    }

    @Test
    void whatIsEndedFromAnotherThreadEndsForItsReader() throws InterruptedException {
        try (StreamedResponse streamedResponse = streams(body -> body.send(new byte[] {1}))) {
            CompletableFuture<byte[]> read = reading(streamedResponse);
            streamedResponse.end();

            assertThat(read.join()).hasSizeLessThanOrEqualTo(1);
        }
    }

    @Test
    void whatIsBeingReadEndsWhenAllIsClosed() throws InterruptedException {
        try (StreamedResponse streamedResponse = streams(body -> body.send(new byte[] {1}))) {
            CompletableFuture<byte[]> read = reading(streamedResponse);
            streamingRequests.close();

            assertThat(read.join()).hasSizeLessThanOrEqualTo(1);
        }
    }

    /** Starts a thread that reads the body to its end. Returns its future result once the thread is reading. */
    private CompletableFuture<byte[]> reading(StreamedResponse streamedResponse) throws InterruptedException {
        CompletableFuture<byte[]> read = new CompletableFuture<>();
        CountDownLatch begun = new CountDownLatch(1);
        Thread.ofVirtual().start(() -> {
            try {
                begun.countDown();
                read.complete(streamedResponse.readAllBytes());
            } catch (IOException e) {
                read.completeExceptionally(e);
            }
        });
        sent.await();
        begun.await();
        return read;
    }

    @Test
    void anInterruptedReaderStops() throws InterruptedException {
        try (StreamedResponse streamedResponse = streams(body -> body.send(new byte[] {1}))) {
            Thread.currentThread().interrupt();

            assertThatThrownBy(streamedResponse::readAllBytes).isInstanceOf(InterruptedIOException.class);
            assertThat(Thread.interrupted()).isTrue();
        }
    }

    @Test
    void whatIsRefusedForItsCredentialsIsAskedForWithOthersAndThatAnswerIsRead()
            throws IOException, InterruptedException {
        reply = new Reply.Says(200, "here");
        try (StreamedResponse streamedResponse = get(LONG)) {
            assertThat(streamedResponse.readAllBytes()).asString().isEqualTo("here");
        }
        assertThat(server.received())
                .extracting(it -> it.headers().get("authorization"))
                .containsExactly("Bearer old", "Bearer new");
    }

    @Test
    void anAnswerToARequestFromElsewhereIsReadByItsCaller() throws IOException {
        tokens.set(1);
        reply = new Reply.Says(200, "a token");
        OkHttpClient client =
                new OkHttpClient.Builder().addInterceptor(new StreamingBodies()).build();
        try (Response answer = client.newCall(new Request.Builder()
                        .url(server.connection().getMasterUrl())
                        .build())
                .execute()) {
            assertThat(answer.body().string()).isEqualTo("a token");
        }
    }

    @Test
    void anAnswerThatIsGivenLittleTimeEndsWithItThoughItCouldBeWaitedForLonger() throws InterruptedException {
        try (StreamedResponse streamedResponse = streams(body -> body.send(new byte[] {1}))) {
            streamedResponse.within(Duration.ofSeconds(1));

            assertThatThrownBy(streamedResponse::readAllBytes).hasMessage("no data for 1 s");
        }
    }

    @Test
    void anAnswerThatComesTooLateIsNotWaitedFor() {
        Throwable failure = catchThrowable(() -> streamingRequests.get("/some", "a/b", Duration.ofMillis(10), LONG));

        assertThat(failure).isInstanceOf(UncheckedIOException.class).hasMessageEndingWith("timeout");
    }
}
