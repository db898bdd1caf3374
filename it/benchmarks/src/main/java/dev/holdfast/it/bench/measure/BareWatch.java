package dev.holdfast.it.bench.measure;

import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.internal.SSLUtils;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.security.GeneralSecurityException;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Stream;

/**
 * A minimal watch of one kind: a thread that reads lines, notes the time of each, and parses only the object's resource
 * version. No client can see a change earlier, so the operator's times are compared with these.
 */
public final class BareWatch implements AutoCloseable {
    private static final String VERSION = "\"resourceVersion\":\"";
    private static final int OK = 200;

    private final Map<String, Instant> seen = new ConcurrentHashMap<>();
    private final InstantSource clock;
    private final HttpClient http;
    private volatile Optional<String> end = Optional.empty();

    private BareWatch(InstantSource clock, HttpClient http, Stream<String> lines) {
        this.clock = clock;
        this.http = http;
        Thread.ofPlatform().daemon().name("bare watch").start(() -> run(lines));
    }

    /**
     * Opens a watch, which sees every change after the given version, and returns it.
     *
     * @param path the URL path of the collection, for example {@code /api/v1/pods}
     * @param version the resource version after which the watch starts
     */
    public static BareWatch open(Config connection, String path, String version, InstantSource clock)
            throws IOException, InterruptedException {
        HttpClient http = HttpClient.newBuilder()
                .version(HttpClient.Version.HTTP_1_1)
                .sslContext(tls(connection))
                .build();
        URI uri = URI.create(connection.getMasterUrl())
                .resolve(path + "?watch=true&timeoutSeconds=3600&resourceVersion=" + version);
        HttpResponse<Stream<String>> answer = http.send(
                HttpRequest.newBuilder(uri)
                        .header("Authorization", "Bearer " + connection.getAutoOAuthToken())
                        .build(),
                HttpResponse.BodyHandlers.ofLines());
        if (answer.statusCode() != OK) {
            throw new IOException("the API server answered " + answer.statusCode() + " to a watch of " + path);
        }
        return new BareWatch(clock, http, answer.body());
    }

    private static javax.net.ssl.SSLContext tls(Config connection) throws IOException {
        try {
            return SSLUtils.sslContext(connection);
        } catch (GeneralSecurityException e) {
            throw new IOException("cannot trust the API server", e);
        }
    }

    private void run(Stream<String> lines) {
        try {
            lines.forEach(line -> {
                Instant now = clock.instant();
                int from = line.indexOf(VERSION) + VERSION.length();
                seen.put(line.substring(from, line.indexOf('"', from)), now);
            });
            end = Optional.of("the API server ended it");
        } catch (UncheckedIOException e) {
            end = Optional.of(e.toString());
        }
    }

    /**
     * {@return when each change was read, by resource version}
     *
     * @throws IllegalStateException if the watch has ended by itself
     */
    public Map<String, Instant> seen() {
        end.ifPresent(why -> {
            throw new IllegalStateException("the bare watch is over: " + why);
        });
        return Map.copyOf(seen);
    }

    @Override
    public void close() {
        http.shutdownNow();
    }
}
