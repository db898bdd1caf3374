package dev.holdfast.it.bench.measure;

import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.internal.SSLUtils;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;

/**
 * A minimal watch of one kind: a thread that reads lines, notes the time of each, and parses only the object's resource
 * version. No client can see a change earlier, so the operator's times are compared with these.
 */
public final class BareWatch implements AutoCloseable {
    private static final String VERSION = "\"resourceVersion\":\"";
    private static final int BUFFER = 64 * 1024;
    private static final int OK = 200;

    private final Map<String, Instant> seen = new ConcurrentHashMap<>();
    private final InstantSource clock;
    private final HttpClient http;
    private final InputStream body;
    private final Thread thread;
    private volatile Optional<String> end = Optional.empty();

    private BareWatch(InstantSource clock, HttpClient http, InputStream body, String path) {
        this.clock = clock;
        this.http = http;
        this.body = body;
        this.thread = Thread.ofPlatform().daemon().name("bare watch of " + path).start(this::run);
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
        HttpResponse<InputStream> answer = http.send(
                HttpRequest.newBuilder(uri)
                        .header("Authorization", "Bearer " + connection.getAutoOAuthToken())
                        .build(),
                HttpResponse.BodyHandlers.ofInputStream());
        if (answer.statusCode() != OK) {
            throw new IOException("the API server answered " + answer.statusCode() + " to a watch of " + path);
        }
        return new BareWatch(clock, http, answer.body(), path);
    }

    private static javax.net.ssl.SSLContext tls(Config connection) throws IOException {
        try {
            return SSLUtils.sslContext(connection);
        } catch (GeneralSecurityException e) {
            throw new IOException("cannot trust the API server", e);
        }
    }

    private void run() {
        try {
            ByteArrayOutputStream line = new ByteArrayOutputStream(BUFFER);
            byte[] buffer = new byte[BUFFER];
            for (int length = body.read(buffer); length >= 0; length = body.read(buffer)) {
                Instant now = clock.instant();
                int from = 0;
                for (int i = 0; i < length; i++) {
                    if (buffer[i] == '\n') {
                        line.write(buffer, from, i - from);
                        note(line.toString(StandardCharsets.ISO_8859_1), now);
                        line.reset();
                        from = i + 1;
                    }
                }
                line.write(buffer, from, length - from);
            }
            end = Optional.of("the API server ended it");
        } catch (IOException e) {
            end = Optional.of(e.toString());
        }
    }

    private void note(String line, Instant now) {
        int from = line.indexOf(VERSION) + VERSION.length();
        seen.put(line.substring(from, line.indexOf('"', from)), now);
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
        try {
            body.close();
        } catch (IOException _) {
            // The watch has ended.
        }
        thread.interrupt();
    }
}
