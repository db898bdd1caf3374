package dev.holdfast.operator.ledger;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.holdfast.operator.feed.WebSocketApiServer;
import dev.holdfast.operator.feed.WebSocketApiServer.Reply;
import java.io.IOException;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The ledger's ConfigMap in an API server that answers each request with a ConfigMap of an earlier chart. */
@Timeout(60)
class KubernetesLedgerTest {
    private static final String EARLIER = """
        {"kind": "ConfigMap", "apiVersion": "v1", "metadata": {"namespace": "ops", "name": "holdfast-ledger-0",
         "uid": "u", "resourceVersion": "7", "labels": {"app.kubernetes.io/name": "keeper"}}}
        """;

    private final WebSocketApiServer server = new WebSocketApiServer(_ -> new Reply.Says(200, EARLIER));
    private final KubernetesLedger ledger = new KubernetesLedger(server.connection(), "ops");

    @AfterEach
    void close() {
        ledger.close();
        server.close();
    }

    @Test
    void aMadeConfigMapHasTheLabelByWhichCommandsFindIt() throws IOException {
        ledger.create("holdfast-ledger-0");

        assertThat(sentLabels()).isEqualTo(Map.of("holdfast.dev/component", "ledger"));
    }

    @Test
    void theNextWriteAddsTheLabelToAConfigMapOfAnEarlierVersion() throws IOException {
        ledger.read("holdfast-ledger-0");

        ledger.replace("holdfast-ledger-0", new byte[] {1});

        assertThat(sentLabels())
                .isEqualTo(Map.of("app.kubernetes.io/name", "keeper", "holdfast.dev/component", "ledger"));
    }

    private Map<?, ?> sentLabels() throws IOException {
        ObjectMapper json = new ObjectMapper();
        JsonNode sent = json.readTree(server.received().getLast().body());
        return json.convertValue(sent.at("/metadata/labels"), Map.class);
    }
}
