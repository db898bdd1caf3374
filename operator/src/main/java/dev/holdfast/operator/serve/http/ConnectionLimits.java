package dev.holdfast.operator.serve.http;

import java.time.Duration;

/**
 * The limits of one port.
 *
 * <p>The numbers of connections are chosen by memory, for a heap of 233 MiB and a container of 448 MiB. A connection
 * holds at most 8 KiB of a request ({@link HeadBuffer}) and about 4 KiB of objects and of its thread's stack. A TLS
 * connection holds up to 80 KiB more, for records and the messages of a handshake. So 256 connections without TLS take
 * at most 3 MiB of the heap, and 64 with TLS at most 6 MiB. The kernel keeps at most 80 KiB for each
 * ({@link ConnectionListener}): 20 MiB and 5 MiB.
 *
 * @param connections how many connections are open at most; a further one takes the place of another
 * @param pace how long the next TLS handshake waits after one began: this bounds the cost of clients that open
 *     connections without pause
 * @param head how long a request may take to arrive, from its first byte; for the first request of a connection, from
 *     the begin of the connection, with the TLS handshake
 * @param idle how long a connection may be idle between two requests
 * @param reply how long it may take until a client has taken a reply, from the end of its request
 * @param end how long a connection stays open after its last reply, so that the reply arrives
 */
public record ConnectionLimits(
        int connections, Duration pace, Duration head, Duration idle, Duration reply, Duration end) {
    /** A kubelet and a few scrapers need fewer than ten. */
    private static final int PLAIN = 256;

    private static final int TLS = 64;

    /**
     * The time between two handshakes. One takes 1 to 2 ms of a CPU, so handshakes take less than half of a CPU. With
     * RSA keys of 4,096 bits, a handshake takes longer.
     */
    private static final Duration TLS_PACE = Duration.ofMillis(5);

    /** {@return the limits of a port without TLS} */
    public static ConnectionLimits plain() {
        return of(PLAIN, Duration.ZERO);
    }

    /** {@return the limits of a port with TLS} */
    public static ConnectionLimits tls() {
        return of(TLS, TLS_PACE);
    }

    private static ConnectionLimits of(int connections, Duration pace) {
        return new ConnectionLimits(
                connections,
                pace,
                Duration.ofSeconds(5),
                Duration.ofSeconds(10),
                Duration.ofSeconds(20),
                Duration.ofSeconds(5));
    }
}
