package dev.holdfast.it.bench.cluster;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Base64;
import java.util.Collection;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/**
 * Client that writes objects directly into etcd. That takes seconds; through kube-apiserver it would take many minutes.
 * kube-apiserver sends these changes to its watches like any other change.
 */
public final class Etcd implements AutoCloseable {
    /** The maximum number of operations that etcd allows in one transaction, whose size is limited to 1.5 MiB. */
    private static final int MOST_OPERATIONS = 128;

    private static final int MOST_BYTES = 900_000;
    private static final int WRITERS = 3;
    private static final int OK = 200;

    private final URI transactions;
    private final HttpClient http =
            HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();

    /**
     * @param etcd the address of etcd
     */
    public Etcd(URI etcd) {
        this.transactions = etcd.resolve("/v3/kv/txn");
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
    }

    /**
     * Commits all writes, in several transactions in parallel. The iterator may create a write while earlier writes are
     * in progress.
     */
    void fill(Iterator<Write> writes) {
        try (ExecutorService writers = Executors.newFixedThreadPool(WRITERS)) {
            Callable<Void> work = () -> {
                for (List<Write> batch = batch(writes); !batch.isEmpty(); batch = batch(writes)) {
                    commit(batch);
                }
                return null;
            };
            List<Future<Void>> all = new ArrayList<>();
            for (int i = 0; i < WRITERS; i++) {
                all.add(writers.submit(work));
            }
            for (Future<Void> one : all) {
                one.get();
            }
        } catch (ExecutionException e) {
            throw new UncheckedIOException("cannot write to etcd: " + e.getCause(), new IOException(e.getCause()));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted while etcd was written", e);
        }
    }

    private static List<Write> batch(Iterator<Write> writes) {
        List<Write> batch = new ArrayList<>();
        synchronized (writes) {
            for (int bytes = 0; bytes < MOST_BYTES && batch.size() < MOST_OPERATIONS && writes.hasNext(); ) {
                Write next = writes.next();
                batch.add(next);
                bytes += next.value.length;
            }
        }
        return batch;
    }

    /** Commits writes in one transaction. If several are for the same key, only the last is committed. */
    void commit(Collection<Write> batch) throws IOException, InterruptedException {
        ByteArrayOutputStream json = new ByteArrayOutputStream(2 * MOST_BYTES);
        String before = "{\"success\":[";
        Map<String, Write> last = new LinkedHashMap<>();
        batch.forEach(write -> last.put(write.key, write));
        for (Write write : last.values()) {
            text(json, before);
            boolean removes = write.value.length == 0;
            text(json, removes ? "{\"requestDeleteRange\":{\"key\":\"" : "{\"requestPut\":{\"key\":\"");
            base64(json, write.key.getBytes(StandardCharsets.UTF_8));
            if (!removes) {
                text(json, "\",\"value\":\"");
                base64(json, write.value);
            }
            text(json, "\"}}");
            before = ",";
        }
        text(json, "]}");
        post(json.toByteArray());
    }

    private void post(byte[] json) throws IOException, InterruptedException {
        HttpResponse<String> answer = http.send(
                HttpRequest.newBuilder(transactions)
                        .POST(HttpRequest.BodyPublishers.ofByteArray(json))
                        .build(),
                HttpResponse.BodyHandlers.ofString());
        if (answer.statusCode() != OK) {
            throw new IOException("etcd answered " + answer.statusCode() + ": " + answer.body());
        }
    }

    private static void text(ByteArrayOutputStream json, String text) {
        json.writeBytes(text.getBytes(StandardCharsets.US_ASCII));
    }

    private static void base64(ByteArrayOutputStream json, byte[] bytes) {
        json.writeBytes(Base64.getEncoder().encode(bytes));
    }

    @Override
    public void close() {
        http.close();
    }
}
