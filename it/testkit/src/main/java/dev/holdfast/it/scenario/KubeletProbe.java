package dev.holdfast.it.scenario;

import static org.awaitility.Awaitility.await;

import dev.holdfast.it.controlplane.TimeLimits;
import io.fabric8.kubernetes.api.model.Probe;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;

/**
 * A probe of a container by HTTP, asked as the kubelet does: each time over a new connection, and within a time limit.
 *
 * @param timeout how long the probe may take, from connecting until the whole reply is there
 * @param period the time from one ask to the next
 * @param failureThreshold how many failures in a row make the kubelet act on the container
 */
public record KubeletProbe(int port, String path, Duration timeout, Duration period, int failureThreshold) {
    private static final int DEFAULT_PERIOD_SECONDS = 10;
    private static final int DEFAULT_FAILURE_THRESHOLD = 3;
    private static final int SUCCESS = 200;
    private static final int ABOVE_SUCCESS = 400;
    private static final int MOST_BYTES = 10 << 10;

    /** {@return the probe that a container declares, at a port of this machine} */
    public static KubeletProbe of(Probe declared, int port) {
        int seconds = declared.getTimeoutSeconds() == null ? 1 : declared.getTimeoutSeconds();
        int period = declared.getPeriodSeconds() == null ? DEFAULT_PERIOD_SECONDS : declared.getPeriodSeconds();
        int threshold =
                declared.getFailureThreshold() == null ? DEFAULT_FAILURE_THRESHOLD : declared.getFailureThreshold();
        return new KubeletProbe(
                port,
                declared.getHttpGet().getPath(),
                Duration.ofSeconds(seconds),
                Duration.ofSeconds(period),
                threshold);
    }

    /**
     * The outcome of one probe.
     *
     * @param took from connecting until the whole reply was there, or the probe had failed
     * @param failure why the probe failed; empty if it succeeded
     */
    public record Outcome(Duration took, String failure) {
        /** {@return whether the probe succeeded} */
        public boolean succeeded() {
            return failure.isEmpty();
        }
    }

    /** Asks once, and returns the outcome. */
    public Outcome ask() {
        long start = System.nanoTime();
        String failure = failure(start);
        return new Outcome(Duration.ofNanos(System.nanoTime() - start), failure);
    }

    /**
     * Probes until one probe succeeds, or as many in a row failed as make the kubelet act, each a period after the one
     * before. Returns the last outcome.
     */
    public Outcome askToTheThreshold() {
        Outcome outcome = ask();
        for (int failures = 1; !outcome.succeeded() && failures < failureThreshold; failures++) {
            Duration rest = period.minus(outcome.took());
            if (rest.isPositive()) {
                await("the next ask")
                        .pollDelay(rest)
                        .atMost(period.plus(TimeLimits.ANSWER))
                        .until(() -> true);
            }
            outcome = ask();
        }
        return outcome;
    }

    private String failure(long start) {
        try (Socket socket = new Socket()) {
            socket.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), port), left(start));
            socket.getOutputStream()
                    .write(("GET " + path + " HTTP/1.1\r\nHost: 127.0.0.1:" + port
                                    + "\r\nUser-Agent: kube-probe/1.37\r\nAccept: */*\r\nConnection: close\r\n\r\n")
                            .getBytes(StandardCharsets.US_ASCII));
            return failureOf(reply(socket, start));
        } catch (IOException e) {
            return String.valueOf(e);
        }
    }

    private String reply(Socket socket, long start) throws IOException {
        byte[] bytes = new byte[MOST_BYTES];
        int length = 0;
        while (length < MOST_BYTES) {
            socket.setSoTimeout(left(start));
            int count = socket.getInputStream().read(bytes, length, MOST_BYTES - length);
            if (count < 0) {
                break;
            }
            length += count;
        }
        return new String(bytes, 0, length, StandardCharsets.US_ASCII);
    }

    private static String failureOf(String reply) {
        if (!reply.matches("(?s)HTTP/1\\.\\d \\d{3}.*")) {
            return "no HTTP reply: " + reply;
        }
        int status = Integer.parseInt(reply.substring(9, 12));
        return status >= SUCCESS && status < ABOVE_SUCCESS ? "" : reply;
    }

    /** {@return the rest of the time limit in milliseconds, at least 1} */
    private int left(long start) throws SocketTimeoutException {
        long left = timeout.minusNanos(System.nanoTime() - start).toMillis();
        if (left <= 0) {
            throw new SocketTimeoutException("no reply within " + timeout.toSeconds() + " s");
        }
        return Math.toIntExact(left);
    }
}
