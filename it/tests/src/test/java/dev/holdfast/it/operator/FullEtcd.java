package dev.holdfast.it.operator;

import dev.holdfast.it.controlplane.ControlPlane;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;

/**
 * An etcd that accepts no writes, as if its disk quota were used up, until it is closed. Reads go on. For this, it sets
 * etcd's own NOSPACE alarm.
 */
final class FullEtcd implements AutoCloseable {
    private final URI alarms;

    FullEtcd(ControlPlane controlPlane) {
        this.alarms = controlPlane.etcd().resolve("/v3/maintenance/alarm");
        send("ACTIVATE");
    }

    @Override
    public void close() {
        send("DEACTIVATE");
    }

    private void send(String action) {
        HttpRequest request = HttpRequest.newBuilder(alarms)
                .POST(HttpRequest.BodyPublishers.ofString("{\"action\":\"" + action + "\",\"alarm\":\"NOSPACE\"}"))
                .build();
        try (HttpClient http =
                HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build()) {
            HttpResponse<String> answer = http.send(request, HttpResponse.BodyHandlers.ofString());
            if (answer.statusCode() != 200) {
                throw new IllegalStateException("etcd answered " + answer.statusCode() + ": " + answer.body());
            }
        } catch (IOException e) {
            throw new UncheckedIOException("cannot reach etcd at " + alarms, e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted", e);
        }
    }
}
