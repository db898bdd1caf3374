package dev.holdfast.operator.serve.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.params.provider.Arguments.argumentSet;

import dev.holdfast.operator.serve.http.Connection.Phase;
import java.io.IOException;
import java.io.OutputStream;
import java.net.BindException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Which connections are closed, and when. A client sends the first letter of a phase, which its connection enters, and
 * gets the letter back.
 */
@Timeout(60)
class ConnectionListenerTest {
    private static final Duration NEVER = Duration.ofHours(1);
    private static final Duration SOON = Duration.ofMillis(100);
    private static final int MOST_MILLIS = 20_000;
    private static final int END = -1;

    private final List<AutoCloseable> opened = new ArrayList<>();

    @AfterEach
    void closeAll() throws Exception {
        for (AutoCloseable one : opened.reversed()) {
            one.close();
        }
    }

    private ConnectionListener listener(ConnectionLimits limits, ConnectionListener.Service service)
            throws IOException {
        ConnectionListener listener = ConnectionListener.start(
                new InetSocketAddress(InetAddress.getLoopbackAddress(), 0),
                ConnectionThreads.virtual("test", ConnectionListenerTest::died),
                limits,
                Optional.empty(),
                service);
        opened.add(listener);
        return listener;
    }

    private static ConnectionLimits most(int connections) {
        return new ConnectionLimits(connections, Duration.ZERO, NEVER, NEVER, NEVER, NEVER);
    }

    private static void enterPhases(Connection connection) throws IOException {
        for (int read = connection.in().read();
                read != END;
                read = connection.in().read()) {
            connection.enter(phase(read));
            connection.out().write(read);
        }
    }

    private static int letter(Phase phase) {
        return phase.name().charAt(0);
    }

    private static Phase phase(int letter) {
        return Stream.of(Phase.values())
                .filter(it -> letter(it) == letter)
                .findFirst()
                .orElseThrow();
    }

    private Socket client(ConnectionListener listener) throws IOException {
        Socket client = new Socket(InetAddress.getLoopbackAddress(), listener.port());
        opened.add(client);
        client.setSoTimeout(MOST_MILLIS);
        return client;
    }

    private Socket clientIn(Phase phase, ConnectionListener listener) throws IOException {
        Socket client = client(listener);
        assertThatItEnters(phase, client);
        return client;
    }

    private static void assertThatItEnters(Phase phase, Socket client) throws IOException {
        client.getOutputStream().write(letter(phase));
        assertThat(client.getInputStream().read()).isEqualTo(letter(phase));
    }

    private static void assertThatItIsClosed(Socket client) throws IOException {
        try {
            assertThat(client.getInputStream().read()).isEqualTo(END);
        } catch (SocketException e) {
            assertThat(e).hasMessage("Connection reset");
        }
    }

    static Stream<Arguments> phasesWhoseConnectionsGo() {
        return Stream.of(
                argumentSet("a request that arrives", Phase.HEAD),
                argumentSet("an idle connection", Phase.IDLE),
                argumentSet("a connection that ends", Phase.END));
    }

    @ParameterizedTest
    @MethodSource("phasesWhoseConnectionsGo")
    void aFurtherConnectionTakesThePlaceOfTheOldestThatIsNotBeingAnswered(Phase phase) throws Exception {
        ConnectionListener listener = listener(most(3), ConnectionListenerTest::enterPhases);
        Socket answered = clientIn(Phase.REPLY, listener);
        Socket second = clientIn(phase, listener);
        Socket third = clientIn(phase, listener);

        Socket further = clientIn(Phase.HEAD, listener);

        assertThatItIsClosed(second);
        assertThatItEnters(Phase.HEAD, answered);
        assertThatItEnters(Phase.HEAD, third);
        assertThatItEnters(Phase.HEAD, further);
    }

    private static void died(Thread thread, Throwable death) {
        throw new AssertionError("thread " + thread.getName() + " died", death);
    }

    @Test
    void ifAllAreBeingAnsweredTheOldestGoes() throws Exception {
        ConnectionListener listener = listener(most(2), ConnectionListenerTest::enterPhases);
        Socket oldest = clientIn(Phase.REPLY, listener);
        Socket second = clientIn(Phase.REPLY, listener);

        Socket further = clientIn(Phase.REPLY, listener);

        assertThatItIsClosed(oldest);
        assertThatItEnters(Phase.REPLY, second);
        assertThatItEnters(Phase.REPLY, further);
    }

    @Test
    void aConnectionThatWasAbortedLeavesItsPlace() throws Exception {
        ConnectionListener listener = listener(
                new ConnectionLimits(2, Duration.ZERO, NEVER, NEVER, NEVER, SOON), ConnectionListenerTest::enterPhases);
        Socket oldest = clientIn(Phase.IDLE, listener);
        Socket second = clientIn(Phase.END, listener);
        assertThatItIsClosed(second);

        clientIn(Phase.IDLE, listener);

        assertThatItEnters(Phase.IDLE, oldest);
    }

    static Stream<Arguments> deadlines() {
        return Stream.of(
                argumentSet(
                        "a request that does not arrive",
                        new ConnectionLimits(2, Duration.ZERO, SOON, NEVER, NEVER, NEVER),
                        Optional.empty()),
                argumentSet(
                        "a later request that does not arrive",
                        new ConnectionLimits(2, Duration.ZERO, SOON, NEVER, NEVER, NEVER),
                        Optional.of(Phase.HEAD)),
                argumentSet(
                        "an idle connection",
                        new ConnectionLimits(2, Duration.ZERO, NEVER, SOON, NEVER, NEVER),
                        Optional.of(Phase.IDLE)),
                argumentSet(
                        "a reply that is not taken",
                        new ConnectionLimits(2, Duration.ZERO, NEVER, NEVER, SOON, NEVER),
                        Optional.of(Phase.REPLY)),
                argumentSet(
                        "a connection that ends",
                        new ConnectionLimits(2, Duration.ZERO, NEVER, NEVER, NEVER, SOON),
                        Optional.of(Phase.END)));
    }

    @ParameterizedTest
    @MethodSource("deadlines")
    void aConnectionIsClosedAtTheDeadlineOfItsPhase(ConnectionLimits limits, Optional<Phase> phase) throws Exception {
        ConnectionListener listener = listener(limits, ConnectionListenerTest::enterPhases);

        Socket client = phase.isPresent() ? clientIn(phase.get(), listener) : client(listener);

        assertThatItIsClosed(client);
    }

    @Test
    void theBytesOfTheFirstRequestDoNotMoveItsDeadline() throws Exception {
        ConnectionListener listener =
                listener(new ConnectionLimits(2, Duration.ZERO, SOON, NEVER, NEVER, NEVER), connection -> {
                    while (connection.in().read() != END) {
                        connection.received();
                    }
                });
        Socket client = client(listener);

        await().until(() -> {
            try {
                client.getOutputStream().write(1);
                return false;
            } catch (SocketException _) {
                return true;
            }
        });
    }

    @Test
    void theFirstBytesOfALaterRequestBeginItsDeadline() throws Exception {
        ConnectionListener listener =
                listener(new ConnectionLimits(2, Duration.ZERO, SOON, NEVER, NEVER, NEVER), connection -> {
                    connection.enter(Phase.IDLE);
                    connection.out().write(1);
                    while (connection.in().read() != END) {
                        connection.received();
                    }
                });
        Socket client = client(listener);
        assertThat(client.getInputStream().read()).isEqualTo(1);

        client.getOutputStream().write(1);

        assertThatItIsClosed(client);
    }

    @Test
    void aThreadThatWritesToAClientThatReadsNothingGoesOn() throws Exception {
        CompletableFuture<Exception> failure = new CompletableFuture<>();
        ConnectionListener listener =
                listener(new ConnectionLimits(2, Duration.ZERO, NEVER, NEVER, SOON, NEVER), connection -> {
                    connection.enter(Phase.REPLY);
                    OutputStream out = connection.out();
                    try {
                        while (true) {
                            out.write(new byte[1 << 16]);
                        }
                    } catch (IOException e) {
                        failure.complete(e);
                    }
                });

        client(listener);

        assertThat(failure.get(MOST_MILLIS, TimeUnit.MILLISECONDS)).isInstanceOf(SocketException.class);
    }

    @Test
    void theKernelKeepsLittleForAClientThatReadsNothing() throws Exception {
        CompletableFuture<Integer> kept = new CompletableFuture<>();
        ConnectionListener listener = listener(most(2), connection -> {
            int written = 0;
            connection.enter(Phase.REPLY);
            try {
                while (true) {
                    connection.out().write(new byte[1 << 10]);
                    written += 1 << 10;
                }
            } catch (IOException _) {
                kept.complete(written);
            }
        });
        Socket client = new Socket();
        opened.add(client);
        client.setReceiveBufferSize(4 << 10);
        client.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), listener.port()));
        assertThat(client.getInputStream().read()).isZero();

        listener.close();

        assertThat(kept.get(MOST_MILLIS, TimeUnit.MILLISECONDS)).isLessThan(256 << 10);
    }

    @Test
    void theLastBytesReachAClientThatHasSentMoreThanWasRead() throws Exception {
        ConnectionListener listener =
                listener(new ConnectionLimits(2, Duration.ZERO, NEVER, NEVER, NEVER, SOON), connection -> {
                    assertThat(connection.in().read()).isEqualTo(1);
                    connection.out().write(2);
                });
        Socket client = client(listener);

        client.getOutputStream().write(new byte[] {1, 1, 1, 1});

        assertThat(client.getInputStream().read()).isEqualTo(2);
        assertThat(client.getInputStream().read()).isEqualTo(END);
    }

    @Test
    void aFailureOfTheServiceEndsItsConnectionOnly() throws Exception {
        ConnectionListener listener = listener(most(2), connection -> {
            if (connection.in().read() == 1) {
                throw new IllegalStateException("planted");
            }
            connection.out().write(3);
        });
        Socket first = client(listener);
        first.getOutputStream().write(1);
        assertThatItIsClosed(first);

        Socket second = client(listener);
        second.getOutputStream().write(2);

        assertThat(second.getInputStream().read()).isEqualTo(3);
    }

    @Test
    void theEndOfTheListenerEndsItsConnectionsAndFreesThePort() throws Exception {
        ConnectionListener listener = listener(most(2), ConnectionListenerTest::enterPhases);
        Socket client = clientIn(Phase.REPLY, listener);

        listener.close();

        assertThatItIsClosed(client);
        // The system may give a free port to another process for a moment.
        await().ignoreExceptionsInstanceOf(BindException.class)
                .untilAsserted(() -> ConnectionListener.start(
                                new InetSocketAddress(InetAddress.getLoopbackAddress(), listener.port()),
                                ConnectionThreads.virtual("test", ConnectionListenerTest::died),
                                most(2),
                                Optional.empty(),
                                ConnectionListenerTest::enterPhases)
                        .close());
    }

    @Test
    void aConnectionThatGetsNoThreadIsClosedAndTheNextIsServed() throws Exception {
        AtomicInteger started = new AtomicInteger();
        ConnectionThreads few = new ConnectionThreads(
                "test",
                task -> {
                    if (started.incrementAndGet() == 1) {
                        throw new OutOfMemoryError("unable to create native thread");
                    }
                    return Thread.ofVirtual().unstarted(task);
                },
                ConnectionListenerTest::died);
        try (ConnectionListener listener = ConnectionListener.start(
                new InetSocketAddress(InetAddress.getLoopbackAddress(), 0),
                few,
                most(2),
                Optional.empty(),
                ConnectionListenerTest::enterPhases)) {
            assertThatItIsClosed(client(listener));

            clientIn(Phase.IDLE, listener);
        }
    }

    @Test
    void aPortWhoseConnectionsCannotBeAcceptedIsTriedAgainAfterAPause() throws Exception {
        AtomicInteger tries = new AtomicInteger();
        try (ServerSocket exhausted = new ServerSocket(0, 1, InetAddress.getLoopbackAddress()) {
                    @Override
                    public Socket accept() throws IOException {
                        if (tries.incrementAndGet() <= 3) {
                            throw new SocketException("Too many open files");
                        }
                        return super.accept();
                    }
                };
                ConnectionListener listener = new ConnectionListener(
                        exhausted,
                        ConnectionThreads.virtual("test", ConnectionListenerTest::died),
                        most(2),
                        Optional.empty(),
                        ConnectionListenerTest::enterPhases)) {
            long begun = System.nanoTime();

            clientIn(Phase.IDLE, listener);

            assertThat(Duration.ofNanos(System.nanoTime() - begun)).isGreaterThan(Duration.ofMillis(200));
        }
    }

    @Test
    void theDeathOfTheThreadThatAcceptsIsReported() throws Exception {
        CompletableFuture<String> dead = new CompletableFuture<>();
        try (ServerSocket broken = new ServerSocket(0, 1, InetAddress.getLoopbackAddress()) {
                    @Override
                    public Socket accept() {
                        throw new IllegalStateException("planted");
                    }
                };
                ConnectionListener _ = new ConnectionListener(
                        broken,
                        ConnectionThreads.virtual(
                                "test", (thread, death) -> dead.complete(thread.getName() + ": " + death)),
                        most(2),
                        Optional.empty(),
                        ConnectionListenerTest::enterPhases)) {
            assertThat(dead.get(30, TimeUnit.SECONDS))
                    .isEqualTo("holdfast-test-accept: java.lang.IllegalStateException: planted");
        }
    }
}
