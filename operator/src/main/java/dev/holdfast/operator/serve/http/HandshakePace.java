package dev.holdfast.operator.serve.http;

import java.io.InterruptedIOException;
import java.net.Socket;
import java.time.Duration;
import java.util.concurrent.locks.ReentrantLock;

/**
 * The pace at which TLS handshakes begin: a client that opens connections and closes them again at once would otherwise
 * take a whole CPU. Handshakes of connections that wait longest come first, and those of connections that are closed
 * meanwhile take no time.
 *
 * <p>Example: of 64 connections the last one waits at most 64 x 5 ms, however many further ones take the place of
 * others.
 */
final class HandshakePace {
    private final Duration pace;
    private final ReentrantLock turn = new ReentrantLock(true);

    HandshakePace(Duration pace) {
        this.pace = pace;
    }

    /** Waits until the handshake of a connection may begin. */
    void await(Socket connection) throws InterruptedIOException {
        turn.lock();
        try {
            if (!connection.isClosed()) {
                Thread.sleep(pace);
            }
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
            throw new InterruptedIOException("interrupted before the handshake");
        } finally {
            turn.unlock();
        }
    }
}
