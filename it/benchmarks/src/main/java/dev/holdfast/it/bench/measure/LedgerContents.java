package dev.holdfast.it.bench.measure;

import com.fasterxml.jackson.databind.ObjectMapper;
import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.util.Base64;
import java.util.List;
import java.util.Optional;
import java.util.zip.GZIPInputStream;

/**
 * What the ConfigMaps of the ledger hold.
 *
 * @param bytes the size of all data, as etcd stores it
 * @param clocks the number of clocks
 */
public record LedgerContents(int bytes, int clocks) {
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final String NAME = "holdfast-ledger-\\d+";
    private static final String KEY = "ledger.json.gz";

    /** {@return what the ledger in the operator's namespace holds now} */
    public static LedgerContents read(KubernetesClient client, String namespace) throws IOException {
        return of(client.configMaps().inNamespace(namespace).list().getItems());
    }

    static LedgerContents of(List<ConfigMap> all) throws IOException {
        int bytes = 0;
        int clocks = 0;
        for (ConfigMap map : all) {
            byte[] data = data(map);
            bytes += data.length;
            if (data.length > 0) {
                try (GZIPInputStream text = new GZIPInputStream(new ByteArrayInputStream(data))) {
                    clocks += JSON.readTree(text).path("clocks").size();
                }
            }
        }
        return new LedgerContents(bytes, clocks);
    }

    /** {@return whether a ConfigMap is part of the ledger} */
    static boolean isPart(ConfigMap map) {
        return map.getMetadata().getName().matches(NAME);
    }

    /** {@return the data of a ConfigMap of the ledger; empty if it was never written, or is no part of the ledger} */
    static byte[] data(ConfigMap map) {
        return Optional.ofNullable(map.getBinaryData())
                .filter(_ -> isPart(map))
                .flatMap(data -> Optional.ofNullable(data.get(KEY)))
                .map(Base64.getDecoder()::decode)
                .orElseGet(() -> new byte[0]);
    }
}
