package dev.holdfast.it.bench.measure;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Base64;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.zip.GZIPInputStream;

/**
 * What the ConfigMaps of the ledger hold.
 *
 * @param bytes the size of the data of each ConfigMap, as etcd stores it, in the order of their names
 * @param clocks the number of clocks in each ConfigMap that has clocks, in the order of their names
 */
public record LedgerContents(List<Integer> bytes, List<Integer> clocks) {
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final String NAME = "holdfast-ledger-\\d+";
    private static final String KEY = "ledger.json.gz";

    public LedgerContents {
        bytes = List.copyOf(bytes);
        clocks = List.copyOf(clocks);
    }

    /** {@return what the ledger in the operator's namespace holds now} */
    public static LedgerContents read(KubernetesClient client, String namespace) {
        return of(client.configMaps().inNamespace(namespace).list().getItems());
    }

    static LedgerContents of(List<ConfigMap> all) {
        List<Integer> bytes = new ArrayList<>();
        List<Integer> clocks = new ArrayList<>();
        all.stream()
                .filter(one -> isPart(one.getMetadata().getName()))
                .sorted(Comparator.comparing(one -> one.getMetadata().getName()))
                .map(one -> data(one).orElseGet(() -> new byte[0]))
                .forEach(data -> {
                    bytes.add(data.length);
                    clocks(data).ifPresent(clocks::add);
                });
        return new LedgerContents(bytes, clocks);
    }

    private static Optional<Integer> clocks(byte[] data) {
        if (data.length == 0) {
            return Optional.empty();
        }
        try (GZIPInputStream text = new GZIPInputStream(new ByteArrayInputStream(data))) {
            JsonNode clocks = JSON.readTree(text).path("clocks");
            return clocks.isArray() ? Optional.of(clocks.size()) : Optional.empty();
        } catch (IOException e) {
            throw new IllegalStateException("a ConfigMap of the ledger cannot be decoded: " + e.getMessage(), e);
        }
    }

    /** {@return whether a ConfigMap of this name is one of the ledger} */
    public static boolean isPart(String name) {
        return name.matches(NAME);
    }

    /** {@return the data of a ConfigMap of the ledger; empty if it was never written} */
    static Optional<byte[]> data(ConfigMap map) {
        return Optional.ofNullable(map.getBinaryData())
                .flatMap(data -> Optional.ofNullable(data.get(KEY)))
                .map(Base64.getDecoder()::decode);
    }

    /** {@return the number of clocks in all parts} */
    public int allClocks() {
        return clocks.stream().mapToInt(Integer::intValue).sum();
    }

    /** {@return the size of all data} */
    public int allBytes() {
        return bytes.stream().mapToInt(Integer::intValue).sum();
    }
}
