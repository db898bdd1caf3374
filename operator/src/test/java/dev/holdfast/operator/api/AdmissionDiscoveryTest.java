package dev.holdfast.operator.api;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.params.provider.Arguments.argumentSet;

import com.sun.net.httpserver.HttpServer;
import io.fabric8.kubernetes.client.ConfigBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Whether the API server serves MutatingAdmissionPolicies, by its answer to discovery. */
class AdmissionDiscoveryTest {
    private static final String SERVING = """
        {"kind": "APIResourceList", "groupVersion": "admissionregistration.k8s.io/v1", "resources": [
          {"name": "mutatingadmissionpolicies"}, {"name": "mutatingadmissionpolicybindings"}]}
        """;
    private static final String REFUSAL = """
        {"kind": "Status", "apiVersion": "v1", "status": "Failure", "code": CODE}
        """;

    static Stream<Arguments> answers() {
        return Stream.of(
                argumentSet("the resource is in the list", 200, SERVING, Optional.of(InjectionSupport.INSTALLED)),
                argumentSet(
                        "the list has other resources",
                        200,
                        "{\"kind\": \"APIResourceList\", \"resources\": [{\"name\": \"mutatingwebhooks\"}]}",
                        Optional.of(InjectionSupport.NOT_SERVED)),
                argumentSet(
                        "a list without resources",
                        200,
                        "{\"kind\": \"APIResourceList\"}",
                        Optional.of(InjectionSupport.NOT_SERVED)),
                argumentSet(
                        "the API server does not know the version",
                        404,
                        refusal(404),
                        Optional.of(InjectionSupport.NOT_SERVED)),
                argumentSet("a proxy knows no such page", 404, "<html>", Optional.empty()),
                argumentSet("discovery is forbidden", 403, refusal(403), Optional.empty()),
                argumentSet("the API server fails", 500, refusal(500), Optional.empty()),
                argumentSet("another object", 200, "{\"kind\": \"List\", \"resources\": []}", Optional.empty()),
                argumentSet(
                        "resources that are no list",
                        200,
                        SERVING.replace("[", "{").replace("]", "}"),
                        Optional.empty()),
                argumentSet("no JSON", 200, "<html>", Optional.empty()),
                argumentSet("an empty answer", 200, "", Optional.empty()),
                argumentSet("JSON of depth 10,000", 200, "[".repeat(10_000), Optional.empty()));
    }

    @ParameterizedTest
    @MethodSource("answers")
    void anAnswerIsReadOrIsNone(int code, String body, Optional<InjectionSupport> expected) throws IOException {
        HttpServer server = server(code, body);
        try (KubernetesClient client = client(server)) {
            AdmissionDiscovery discovery = new AdmissionDiscovery(client, (_, _) -> {});

            assertThat(discovery.ask()).isEqualTo(expected);
        } finally {
            server.stop(0);
        }
    }

    @Test
    void itAsksAtTheStart() throws IOException {
        HttpServer server = server(200, SERVING);
        try (KubernetesClient client = client(server);
                AdmissionDiscovery discovery = new AdmissionDiscovery(client, (_, _) -> {})) {
            assertThat(discovery.support()).isEqualTo(InjectionSupport.UNKNOWN);

            discovery.start();

            await().until(() -> discovery.support() == InjectionSupport.INSTALLED);
        } finally {
            server.stop(0);
        }
    }

    private static String refusal(int code) {
        return REFUSAL.replace("CODE", Integer.toString(code));
    }

    private static HttpServer server(int code, String body) throws IOException {
        HttpServer server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.createContext(AdmissionDiscovery.PATH, exchange -> {
            byte[] bytes = body.getBytes(StandardCharsets.UTF_8);
            exchange.getResponseHeaders().add("Content-Type", "application/json");
            exchange.sendResponseHeaders(code, bytes.length == 0 ? -1 : bytes.length);
            exchange.getResponseBody().write(bytes);
            exchange.close();
        });
        server.start();
        return server;
    }

    private static KubernetesClient client(HttpServer server) {
        return new KubernetesClientBuilder()
                .withConfig(new ConfigBuilder()
                        .withAutoConfigure(false)
                        .withMasterUrl("http://127.0.0.1:" + server.getAddress().getPort())
                        .build())
                .build();
    }
}
