package dev.holdfast.operator.serve;

import java.io.BufferedReader;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.function.Supplier;
import java.util.stream.Stream;

/** Probes and metrics in a JVM of their own, which ends when 64 MiB of heap do not suffice. */
final class EndpointProcess implements AutoCloseable {
    private static final HttpReply ONE_MEBIBYTE = HttpReply.metrics("up 1\n" + "x".repeat(1 << 20));

    private final Process process;
    private final List<Integer> ports;

    private EndpointProcess(Process process, List<Integer> ports) {
        this.process = process;
        this.ports = ports;
    }

    static EndpointProcess start() throws IOException {
        Process process = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-Xmx64m",
                        "-XX:+UseSerialGC",
                        "-XX:+ExitOnOutOfMemoryError",
                        "-cp",
                        System.getProperty("java.class.path"),
                        EndpointProcess.class.getName())
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
        try (BufferedReader output = process.inputReader(StandardCharsets.US_ASCII)) {
            String line = Optional.ofNullable(output.readLine()).orElseThrow();
            return new EndpointProcess(
                    process, Stream.of(line.split(" ")).map(Integer::valueOf).toList());
        }
    }

    public static void main(String[] arguments) throws IOException, InterruptedException {
        Map<String, Supplier<HttpReply>> metrics =
                Map.of("/metrics", new SharedReply(() -> ONE_MEBIBYTE, () -> Instant.EPOCH));
        ReaderAccess access = new ReaderAccess((_, _) -> new ReaderAccess.Review.Allowed(), () -> Instant.EPOCH);
        try (HttpEndpoint probes = HttpEndpoint.start(
                        HttpEndpoint.Purpose.PROBES,
                        free(),
                        Map.of("/livez", () -> HttpReply.ok("ok")),
                        Optional.empty(),
                        (_, death) -> {
                            throw new AssertionError(death);
                        });
                HttpEndpoint plain = HttpEndpoint.start(
                        HttpEndpoint.Purpose.METRICS, free(), metrics, Optional.empty(), (_, death) -> {
                            throw new AssertionError(death);
                        });
                HttpEndpoint secure = HttpEndpoint.start(
                        HttpEndpoint.Purpose.METRICS,
                        free(),
                        metrics,
                        Optional.of(HttpsSettings.withOwnCertificate(access)),
                        (_, death) -> {
                            throw new AssertionError(death);
                        })) {
            System.out.println(probes.port() + " " + plain.port() + " " + secure.port());
            new CountDownLatch(1).await();
        }
    }

    private static InetSocketAddress free() {
        return new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);
    }

    int probes() {
        return ports.get(0);
    }

    int metrics() {
        return ports.get(1);
    }

    int secureMetrics() {
        return ports.get(2);
    }

    boolean lives() {
        return process.isAlive();
    }

    @Override
    public void close() {
        process.destroyForcibly();
    }
}
