package dev.holdfast.it.bench.cluster;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.function.IntFunction;
import java.util.stream.IntStream;

/**
 * Client that writes objects directly into etcd. That takes seconds; through kube-apiserver it would take many minutes.
 * kube-apiserver sends these changes to its watches like any other change.
 */
public final class Etcd implements AutoCloseable {
    /** One transaction may have 128 operations and 1.5 MiB: room for this many pods. */
    private static final int BATCH = 100;

    private static final int WRITERS = 3;
    private static final int OK = 200;

    /** Writes and reads bytes as base64, as the JSON gateway of etcd does. */
    private static final ObjectMapper JSON = new ObjectMapper();

    private final URI etcd;
    private final HttpClient http =
            HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();

    /**
     * @param etcd the address of etcd
     */
    public Etcd(URI etcd) {
        this.etcd = etcd;
    }

    /**
     * A write or deletion of one key.
     *
     * @param value the new value; empty deletes the key
     */
    @SuppressWarnings("ArrayRecordComponent") // No write is compared with another.
    record Write(String key, byte[] value) {
        /** {@return a write that deletes a key} */
        static Write removing(String key) {
            return new Write(key, new byte[0]);
        }

        private Map<String, Object> operation() {
            byte[] bytes = key.getBytes(StandardCharsets.UTF_8);
            return value.length == 0
                    ? Map.of("requestDeleteRange", Map.of("key", bytes))
                    : Map.of("requestPut", Map.of("key", bytes, "value", value));
        }
    }

    /**
     * Commits all writes, in several transactions in parallel.
     *
     * @param write makes the write with a number, from 0; called by several threads
     */
    void fill(int count, IntFunction<Write> write) throws IOException, InterruptedException {
        List<Callable<Void>> batches = new ArrayList<>();
        for (int from = 0; from < count; from += BATCH) {
            IntStream batch = IntStream.range(from, Math.min(count, from + BATCH));
            batches.add(() -> {
                commit(batch.mapToObj(write).toList());
                return null;
            });
        }
        try (ExecutorService writers = Executors.newFixedThreadPool(WRITERS)) {
            for (Future<Void> done : writers.invokeAll(batches)) {
                done.get();
            }
        } catch (ExecutionException e) {
            throw new IOException("cannot write to etcd: " + e.getCause(), e);
        }
    }

    /** Commits writes in one transaction. If several are for the same key, only the last is committed. */
    void commit(List<Write> batch) throws IOException, InterruptedException {
        Map<String, Object> last = new LinkedHashMap<>();
        batch.forEach(write -> last.put(write.key, write.operation()));
        var _ = post("/v3/kv/txn", Map.of("success", last.values()));
    }

    /** {@return the value of a key, which must exist} */
    byte[] read(String key) throws IOException, InterruptedException {
        return post("/v3/kv/range", Map.of("key", key.getBytes(StandardCharsets.UTF_8)))
                .at("/kvs/0/value")
                .binaryValue();
    }

    private JsonNode post(String path, Object body) throws IOException, InterruptedException {
        HttpResponse<byte[]> answer = http.send(
                HttpRequest.newBuilder(etcd.resolve(path))
                        .POST(HttpRequest.BodyPublishers.ofByteArray(JSON.writeValueAsBytes(body)))
                        .build(),
                HttpResponse.BodyHandlers.ofByteArray());
        if (answer.statusCode() != OK) {
            throw new IOException(
                    "etcd answered " + answer.statusCode() + ": " + new String(answer.body(), StandardCharsets.UTF_8));
        }
        return JSON.readTree(answer.body());
    }

    @Override
    public void close() {
        http.close();
    }
}
