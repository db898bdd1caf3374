package dev.holdfast.operator.serve.http;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.Socket;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class HandshakePaceTest {
    private static final Duration LONG = Duration.ofHours(1);
    private static final Duration SHORT = Duration.ofMillis(50);

    @Test
    void handshakesBeginOneAfterTheOther() throws Exception {
        HandshakePace pace = new HandshakePace(SHORT);
        List<Thread> threads = new ArrayList<>();

        long start = System.nanoTime();
        for (int i = 0; i < 5; i++) {
            threads.add(Thread.ofVirtual().start(() -> awaitTurn(pace)));
        }
        for (Thread thread : threads) {
            thread.join();
        }

        assertThat(Duration.ofNanos(System.nanoTime() - start)).isGreaterThanOrEqualTo(SHORT.multipliedBy(5));
    }

    private static void awaitTurn(HandshakePace pace) {
        try (Socket connection = new Socket()) {
            pace.await(connection);
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }

    @Test
    void theTurnOfAClosedConnectionTakesNoTime() throws Exception {
        Socket connection = new Socket();
        connection.close();

        new HandshakePace(LONG).await(connection);

        assertThat(connection.isClosed()).isTrue();
    }
}
