package dev.holdfast.operator.ledger;

import dev.holdfast.operator.api.ApiClients;
import dev.holdfast.operator.api.ApiErrorText;
import dev.holdfast.operator.api.LimitedRequests;
import dev.holdfast.operator.config.ComponentLabel;
import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.ConfigMapBuilder;
import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.KubernetesClientException;
import java.time.Duration;
import java.util.Base64;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;

/** Client of the ConfigMaps of the ledger. Used for one name by one thread at a time. */
final class KubernetesLedger implements LedgerApi {
    /** The timeout of a request. A request is sent only if this replica is sure to lead for at least that long. */
    static final Duration REQUEST_TIMEOUT = Duration.ofSeconds(3);

    private static final String RESOURCE = "configmaps";
    static final String KEY = "ledger.json.gz";

    private final LimitedRequests requests;
    private final String namespace;

    /**
     * Each ConfigMap in the API server's last reply, without data. A replace changes only the data in it and the label
     * of its component, so it keeps what other clients set, for example other labels.
     */
    private final Map<String, ConfigMap> latest = new ConcurrentHashMap<>();

    KubernetesLedger(Config connection, String namespace) {
        this.requests = new LimitedRequests(ApiClients.of(connection, REQUEST_TIMEOUT), REQUEST_TIMEOUT);
        this.namespace = namespace;
    }

    @Override
    public LedgerAnswer read(String name) {
        return request("get", name, folder() + "/" + name, "GET", Optional.empty());
    }

    @Override
    public LedgerAnswer create(String name) {
        ConfigMap made = new ConfigMapBuilder()
                .withNewMetadata()
                .withNamespace(namespace)
                .withName(name)
                .addToLabels(ComponentLabel.KEY, ComponentLabel.LEDGER.value())
                .endMetadata()
                .build();
        return request("create", name, folder(), "POST", Optional.of(made));
    }

    @Override
    public LedgerAnswer replace(String name, byte[] data) {
        ConfigMap seen = latest.get(name);
        if (seen == null) {
            return new LedgerAnswer.Changed();
        }
        ConfigMap edited = new ConfigMapBuilder(seen)
                .editOrNewMetadata()
                .addToLabels(ComponentLabel.KEY, ComponentLabel.LEDGER.value())
                .endMetadata()
                .addToBinaryData(KEY, Base64.getEncoder().encodeToString(data))
                .build();
        return request("update", name, folder() + "/" + name, "PUT", Optional.of(edited));
    }

    private String folder() {
        return "/api/v1/namespaces/" + namespace + "/configmaps";
    }

    private LedgerAnswer request(String verb, String name, String path, String method, Optional<ConfigMap> body) {
        try {
            return answer(name, requests.send(method, path, body, ConfigMap.class));
        } catch (KubernetesClientException e) {
            return failure(verb, name, e);
        } catch (RuntimeException e) {
            return new LedgerAnswer.Failed(ApiErrorText.of(verb, RESOURCE, e));
        }
    }

    private LedgerAnswer answer(String name, ConfigMap read) {
        Optional<String> data =
                Optional.ofNullable(read.getBinaryData()).flatMap(all -> Optional.ofNullable(all.remove(KEY)));
        latest.put(name, read);
        return new LedgerAnswer.Current(read.getMetadata().getUid(), data.map(KubernetesLedger::decoded));
    }

    private static byte[] decoded(String base64) {
        return Base64.getDecoder().decode(base64);
    }

    private LedgerAnswer failure(String verb, String name, KubernetesClientException e) {
        return switch (e.getCode()) {
            case 403 ->
                new LedgerAnswer.Refused("the right to " + verb + " " + RESOURCE + " " + namespace + "/" + name
                        + " is missing: grant it");
            case 404 ->
                verb.equals("create")
                        ? new LedgerAnswer.Refused("namespace " + namespace + " does not exist")
                        : new LedgerAnswer.Missing();
            case 409 -> new LedgerAnswer.Changed();
            default -> new LedgerAnswer.Failed(ApiErrorText.of(verb, RESOURCE, e));
        };
    }

    @Override
    public void close() {
        requests.close();
    }
}
