package dev.holdfast.it.operator;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.ConfigMapBuilder;
import io.fabric8.kubernetes.api.model.ObjectMetaBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.dsl.Resource;
import io.fabric8.kubernetes.client.dsl.base.PatchContext;
import io.fabric8.kubernetes.client.dsl.base.PatchType;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Base64;
import java.util.Comparator;
import java.util.Optional;
import java.util.function.UnaryOperator;
import java.util.stream.IntStream;
import java.util.stream.StreamSupport;
import java.util.zip.GZIPInputStream;
import java.util.zip.GZIPOutputStream;

/**
 * The ConfigMaps of the ledger, as a user edits them who has all rights. Numbers 0 and 1 are the two copies of moves,
 * limits and brakes, 2 to 6 have the clocks, and 7 has the heartbeat.
 */
record LedgerMaps(KubernetesClient client, String namespace) {
    private static final int NUMBER = 8;
    private static final int COPIES = 2;
    private static final int HEARTBEAT = 7;

    private static final String KEY = "ledger.json.gz";

    /** The length of the checksum and of the size at the end of a gzip text. */
    private static final int TRAILER = 8;

    private static final PatchContext MERGE = PatchContext.of(PatchType.JSON_MERGE);
    private static final ObjectMapper JSON = new ObjectMapper();

    private static final Comparator<JsonNode> WRITES = Comparator.<JsonNode>comparingLong(
                    copy -> copy.path("term").asLong())
            .thenComparingLong(copy -> copy.path("write").asLong());

    private Resource<ConfigMap> map(int number) {
        return client.configMaps().inNamespace(namespace).withName("holdfast-ledger-" + number);
    }

    String uid(int number) {
        return map(number).require().getMetadata().getUid();
    }

    /** {@return the stored bytes; empty if the ConfigMap was never written} */
    Optional<byte[]> data(int number) {
        return Optional.ofNullable(map(number).require().getBinaryData())
                .flatMap(data -> Optional.ofNullable(data.get(KEY)))
                .map(Base64.getDecoder()::decode);
    }

    /** {@return the stored JSON; fails if there is none} */
    JsonNode json(int number) {
        try {
            return JSON.readTree(unzipped(data(number).orElseThrow()));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** {@return which of the two copies was written last; fails if one cannot be read} */
    int newerCopy() {
        return WRITES.compare(json(0), json(1)) > 0 ? 0 : 1;
    }

    /** {@return the highest term of the copies that can be read} */
    long term() {
        return IntStream.range(0, COPIES)
                .mapToObj(this::readable)
                .flatMap(Optional::stream)
                .mapToLong(copy -> copy.path("term").asLong())
                .max()
                .orElse(0);
    }

    /** {@return whether both copies are of this operator's format and of these objects} */
    boolean areWhole() {
        return IntStream.range(0, COPIES)
                .allMatch(number -> readable(number)
                        .filter(copy -> copy.path("readableFrom").asInt() == 1)
                        .filter(copy -> copy.path("uid").asText().equals(uid(number)))
                        .isPresent());
    }

    private Optional<JsonNode> readable(int number) {
        try {
            return data(number).isEmpty() ? Optional.empty() : Optional.of(json(number));
        } catch (UncheckedIOException _) {
            return Optional.empty();
        }
    }

    /** Replaces the stored bytes of one ConfigMap. */
    void put(int number, byte[] bytes) {
        String data = Base64.getEncoder().encodeToString(bytes);
        map(number).patch(MERGE, "{\"binaryData\":{\"" + KEY + "\":\"" + data + "\"}}");
    }

    void removeData(int number) {
        map(number).patch(MERGE, "{\"binaryData\":null}");
    }

    /** Edits the JSON of one ConfigMap, and stores it as the operator does. */
    void editJson(int number, UnaryOperator<String> edit) {
        put(number, zipped(edited(number, edit)));
    }

    /** Edits the JSON of one ConfigMap, and leaves the checksum as it was. */
    void editJsonOnly(int number, UnaryOperator<String> edit) {
        byte[] before = data(number).orElseThrow();
        byte[] after = zipped(edited(number, edit));
        System.arraycopy(before, before.length - TRAILER, after, after.length - TRAILER, TRAILER);
        put(number, after);
    }

    private String edited(int number, UnaryOperator<String> edit) {
        String before = unzipped(data(number).orElseThrow());
        String after = edit.apply(before);
        if (before.equals(after)) {
            throw new IllegalStateException("the edit changes nothing in " + before);
        }
        return after;
    }

    /** Makes every stored clock say that its violation was observed for a billion seconds. */
    void forgeClocks() {
        for (int number = COPIES; number < HEARTBEAT; number++) {
            if (data(number).isPresent() && !json(number).path("clocks").isEmpty()) {
                editJson(number, text -> text.replaceAll("(\"observed\":)\"[^\"]*\"", "$1\"PT1000000000S\""));
            }
        }
    }

    /** {@return whether a clock of this pod is stored} */
    boolean hasClockOf(String podUid) {
        return IntStream.range(COPIES, HEARTBEAT)
                .filter(number -> data(number).isPresent())
                .mapToObj(this::json)
                .flatMap(part -> StreamSupport.stream(part.path("clocks").spliterator(), false))
                .anyMatch(clock -> clock.path("podUid").asText().equals(podUid));
    }

    void deleteAll() {
        IntStream.range(0, NUMBER).forEach(number -> map(number).delete());
    }

    /** Deletes all and creates them with the same data, as a restore in another cluster does: each gets a new UID. */
    void restoreAll() {
        for (int number = 0; number < NUMBER; number++) {
            ConfigMap before = map(number).require();
            map(number).delete();
            client.resource(new ConfigMapBuilder(before)
                            .withMetadata(new ObjectMetaBuilder()
                                    .withNamespace(namespace)
                                    .withName(before.getMetadata().getName())
                                    .withLabels(before.getMetadata().getLabels())
                                    .withAnnotations(before.getMetadata().getAnnotations())
                                    .build())
                            .build())
                    .create();
        }
    }

    private static String unzipped(byte[] bytes) {
        try (GZIPInputStream text = new GZIPInputStream(new ByteArrayInputStream(bytes))) {
            return new String(text.readAllBytes(), UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static byte[] zipped(String text) {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (GZIPOutputStream zip = new GZIPOutputStream(bytes)) {
            zip.write(text.getBytes(UTF_8));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return bytes.toByteArray();
    }
}
