package dev.holdfast.operator.observe;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.fabric8.kubernetes.client.http.AsyncBody;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The body of an answer, fed by hand. */
@Timeout(30)
class BodyTest {
    private final Peer peer = new Peer();
    private final Body body = new Body(Duration.ofSeconds(20));

    /** The other end: counts how often it was asked for more. */
    private static final class Peer implements AsyncBody {
        private final CompletableFuture<Void> done = new CompletableFuture<>();
        private int asked;
        private boolean cancelled;

        @Override
        public void consume() {
            asked++;
        }

        @Override
        public CompletableFuture<Void> done() {
            return done;
        }

        @Override
        public void cancel() {
            cancelled = true;
        }
    }

    private void send(int... bytes) {
        ByteBuffer part = ByteBuffer.allocate(bytes.length);
        for (int one : bytes) {
            part.put((byte) one);
        }
        body.consume(List.of(part.flip()), peer);
    }

    @Test
    void bytesAreReadInTheirOrderToTheEnd() throws IOException {
        body.from(peer);
        send(1, 2, 255);
        send();
        send(4);
        peer.done.complete(null);

        assertThat(body.read()).isEqualTo(1);
        assertThat(body.readAllBytes()).containsExactly(2, -1, 4);
        assertThat(body.read()).isEqualTo(-1);
    }

    @Test
    void onePartIsFetchedAheadAndNoMore() throws IOException {
        body.from(peer);
        assertThat(peer.asked).isEqualTo(1);
        send(1, 2);
        assertThat(peer.asked).as("nobody has read").isEqualTo(1);

        assertThat(body.read()).isEqualTo(1);
        assertThat(peer.asked).isEqualTo(2);
        assertThat(body.read()).isEqualTo(2);
        assertThat(peer.asked).isEqualTo(2);
    }

    @Test
    void aBrokenConnectionIsNoEnd() throws IOException {
        body.from(peer);
        send(1);
        peer.done.completeExceptionally(new IOException("reset"));

        assertThat(body.read()).isEqualTo(1);
        assertThatThrownBy(body::read).isInstanceOf(IOException.class).hasMessageContaining("reset");
    }

    @Test
    void silenceBeyondTheTimeGivenIsAnError() {
        Body impatient = new Body(Duration.ZERO);
        impatient.from(peer);

        assertThatThrownBy(impatient::read).hasMessage("nothing came for 0 s");
    }

    @Test
    void whatIsEndedFromAnotherThreadEndsForItsReader() throws IOException {
        body.from(peer);
        body.end();

        assertThat(body.read()).isEqualTo(-1);
    }

    @Test
    void aConnectionIsGivenUpOnlyWhileNobodyReadsIt() throws IOException {
        body.from(peer);
        body.close();
        assertThat(peer.cancelled).as("the first part is being read").isFalse();

        send(1);
        assertThat(peer.cancelled).isTrue();
        assertThat(body.read()).isEqualTo(1);
        assertThat(peer.asked)
                .as("of what is given up nothing more is asked for")
                .isEqualTo(1);
    }

    @Test
    void aConnectionThatHasEndedIsGivenUpAtOnce() throws IOException {
        body.from(peer);
        peer.done.complete(null);
        assertThat(body.read()).isEqualTo(-1);

        body.close();

        assertThat(peer.cancelled).isTrue();
    }

    @Test
    void anInterruptedReaderStops() {
        body.from(peer);
        Thread.currentThread().interrupt();

        assertThatThrownBy(body::read).isInstanceOf(InterruptedIOException.class);
        assertThat(Thread.interrupted()).isTrue();
    }
}
