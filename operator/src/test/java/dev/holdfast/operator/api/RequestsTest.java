package dev.holdfast.operator.api;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;

import dev.holdfast.operator.feed.WatchServer;
import dev.holdfast.operator.feed.WatchServer.Reply;
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

/** How the body of an answer is read from its connection. */
@Timeout(30)
class RequestsTest {
    private static final Duration LONG = Duration.ofSeconds(20);

    private final CountDownLatch sent = new CountDownLatch(1);
    private final AtomicInteger tokens = new AtomicInteger();
    private Reply reply = new Reply.StaysSilent();
    private final WatchServer server = new WatchServer(request ->
            "Bearer old".equals(request.headers().get("authorization")) ? new Reply.Says(401, "who are you") : reply);
    private final Requests requests = new Requests(new ConfigBuilder(server.connection())
            .withOauthTokenProvider(() -> tokens.getAndIncrement() == 0 ? "old" : "new")
            .build());

    private Answer get(Duration patience) throws InterruptedException {
        return requests.get("/some", "a/b", LONG, patience);
    }

    private Answer streams(WatchServer.Writer writer) throws InterruptedException {
        tokens.set(1);
        reply = new Reply.Streams(body -> {
            writer.write(body);
            sent.countDown();
        });
        return get(LONG);
    }

    @AfterEach
    void close() {
        requests.close();
        server.close();
    }

    @Test
    void bytesAreReadInTheirOrderToTheEnd() throws IOException, InterruptedException {
        try (Answer answer = streams(body -> {
            body.send(new byte[] {1, 2, -1});
            body.send(new byte[] {4});
            body.end();
        })) {
            assertThat(answer.read()).isEqualTo(1);
            assertThat(answer.readAllBytes()).containsExactly(2, -1, 4);
            assertThat(answer.read()).isEqualTo(-1);
        }
        assertThat(server.received().getLast().headers()).doesNotContainKey("holdfast-asked-by");
    }

    @Test
    void aConnectionThatIsCutIsNoEnd() throws IOException, InterruptedException {
        try (Answer answer = streams(body -> {
            body.send(new byte[] {1});
            body.cut();
        })) {
            assertThat(answer.read()).isEqualTo(1);
            assertThatThrownBy(answer::read)
                    .isInstanceOf(IOException.class)
                    .hasMessageStartingWith("the connection broke: ");
        }
    }

    @Test
    void silenceBeyondTheTimeGivenIsAnError() throws InterruptedException {
        tokens.set(1);
        reply = new Reply.Streams(_ -> {});
        try (Answer answer = get(Duration.ofSeconds(1))) {
            assertThatThrownBy(answer::read).hasMessage("nothing came for 1 s");
        }
    }

    @Test
    void whatIsEndedFromAnotherThreadEndsForItsReader() throws InterruptedException {
        try (Answer answer = streams(body -> body.send(new byte[] {1}))) {
            CompletableFuture<byte[]> read = reading(answer);
            answer.end();

            assertThat(read.join()).hasSizeLessThanOrEqualTo(1);
        }
    }

    @Test
    void whatIsBeingReadEndsWhenAllIsClosed() throws InterruptedException {
        try (Answer answer = streams(body -> body.send(new byte[] {1}))) {
            CompletableFuture<byte[]> read = reading(answer);
            requests.close();

            assertThat(read.join()).hasSizeLessThanOrEqualTo(1);
        }
    }

    /** {@return what is read to the end, by a thread of its own that has begun} */
    private CompletableFuture<byte[]> reading(Answer answer) throws InterruptedException {
        CompletableFuture<byte[]> read = new CompletableFuture<>();
        CountDownLatch begun = new CountDownLatch(1);
        Thread.ofVirtual().start(() -> {
            try {
                begun.countDown();
                read.complete(answer.readAllBytes());
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
        try (Answer answer = streams(body -> body.send(new byte[] {1}))) {
            Thread.currentThread().interrupt();

            assertThatThrownBy(answer::readAllBytes).isInstanceOf(InterruptedIOException.class);
            assertThat(Thread.interrupted()).isTrue();
        }
    }

    @Test
    void whatIsRefusedForItsCredentialsIsAskedForWithOthersAndThatAnswerIsRead()
            throws IOException, InterruptedException {
        reply = new Reply.Says(200, "here");
        try (Answer answer = get(LONG)) {
            assertThat(answer.readAllBytes()).asString().isEqualTo("here");
        }
        assertThat(server.received())
                .extracting(it -> it.headers().get("authorization"))
                .containsExactly("Bearer old", "Bearer new");
    }

    @Test
    void whatIsAskedForByNobodyHereIsReadByWhoeverAsks() throws IOException {
        tokens.set(1);
        reply = new Reply.Says(200, "a token");
        OkHttpClient client =
                new OkHttpClient.Builder().addInterceptor(new Handover()).build();
        try (Response answer = client.newCall(new Request.Builder()
                        .url(server.connection().getMasterUrl())
                        .build())
                .execute()) {
            assertThat(answer.body().string()).isEqualTo("a token");
        }
    }

    @Test
    void anAnswerThatIsGivenLittleTimeEndsWithItThoughItCouldBeWaitedForLonger() throws InterruptedException {
        try (Answer answer = streams(body -> body.send(new byte[] {1}))) {
            answer.within(Duration.ofSeconds(1));

            assertThatThrownBy(answer::readAllBytes).hasMessage("nothing came for 1 s");
        }
    }

    @Test
    void anAnswerThatComesTooLateIsNotWaitedFor() {
        Throwable failure = catchThrowable(() -> requests.get("/some", "a/b", Duration.ofMillis(10), LONG));

        assertThat(failure).isInstanceOf(UncheckedIOException.class).hasMessageEndingWith("timeout");
    }
}
