package dev.holdfast.operator.offline.dump.live;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.holdfast.operator.api.ApiServer;
import dev.holdfast.operator.api.StreamedResponse;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** The names of the first 500 objects of a kind, from one request for their metadata. */
public final class FirstNames {
    private static final String METADATA = "application/json;as=PartialObjectMetadataList;g=meta.k8s.io;v=v1";
    private static final Duration PATIENCE = Duration.ofSeconds(2);

    private final ApiServer server;
    private final ObjectMapper json = new ObjectMapper();

    public FirstNames(ApiServer server) {
        this.server = server;
    }

    /** {@return the names of the objects} */
    public List<String> of(String path) throws IOException, InterruptedException {
        return metadata(path).stream().map(it -> it.path("name").asText()).toList();
    }

    /** {@return the names of the objects with their namespaces: {@code shop/keep}} */
    public List<String> withNamespaces(String path) throws IOException, InterruptedException {
        return metadata(path).stream()
                .map(it -> it.path("namespace").asText() + "/" + it.path("name").asText())
                .toList();
    }

    private List<JsonNode> metadata(String path) throws IOException, InterruptedException {
        List<JsonNode> all = new ArrayList<>();
        try (StreamedResponse body = server.get(path + "?limit=500", METADATA, PATIENCE, PATIENCE)) {
            json.readTree(body).path("items").forEach(item -> all.add(item.path("metadata")));
        }
        return all;
    }
}
