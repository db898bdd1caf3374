package dev.holdfast.operator.cli;

import static dev.holdfast.operator.decode.Message.message;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.params.provider.Arguments.argumentSet;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.holdfast.operator.decode.Message;
import dev.holdfast.operator.decode.RecordedBodies;
import dev.holdfast.operator.feed.WebSocketApiServer;
import dev.holdfast.operator.feed.WebSocketApiServer.Reply;
import dev.holdfast.operator.feed.WebSocketApiServer.Request;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Commands on a live cluster with one pod. It has no CRDs of Holdfast, and the user may not list budgets. */
@Timeout(60)
class LiveInputTest {
    private static final String BUDGETS = "/apis/policy/v1/poddisruptionbudgets";

    @TempDir
    private Path folder;

    private final WebSocketApiServer server = new WebSocketApiServer(LiveInputTest::answer);
    private Path kubeconfig = Path.of("");

    @BeforeEach
    void writeKubeconfig() throws IOException {
        kubeconfig = Files.writeString(
                folder.resolve("kubeconfig"), """
                    apiVersion: v1
                    kind: Config
                    current-context: local
                    contexts: [{name: local, context: {cluster: local, user: me, namespace: shop}}]
                    clusters: [{name: local, cluster: {server: "%s"}}]
                    users: [{name: me, user: {}}]
                    """.formatted(server.connection().getMasterUrl()));
    }

    @AfterEach
    void close() {
        server.close();
    }

    private static Reply answer(Request request) {
        String path = request.target().replaceAll("\\?.*", "");
        if (path.equals(BUDGETS)) {
            return new Reply.Says(403, "{\"kind\":\"Status\",\"status\":\"Failure\",\"message\":\"no\"}");
        }
        if (path.startsWith("/apis/holdfast.dev/")) {
            return new Reply.Says(404, "404 page not found");
        }
        byte[] list = "application/json".equals(request.headers().get("accept"))
                ? "{\"kind\":\"List\",\"apiVersion\":\"v1\",\"items\":[]}".getBytes(StandardCharsets.UTF_8)
                : switch (path) {
                    case "/api/v1/namespaces" ->
                        RecordedBodies.list("9", message().part(1, metadata("shop", "")));
                    case "/api/v1/nodes" -> RecordedBodies.list("9", message().part(1, metadata("n1", "")));
                    case "/api/v1/pods" ->
                        RecordedBodies.list(
                                "9",
                                message()
                                        .part(1, metadata("web-1", "shop"))
                                        .part(2, message().text(10, "n1"))
                                        .part(3, message().text(1, "Running")));
                    default -> RecordedBodies.list("9");
                };
        return new Reply.Streams(body -> {
            body.send(list);
            body.end();
        });
    }

    private static Message metadata(String name, String namespace) {
        return message().text(1, name).text(3, namespace).text(5, "uid-" + name).text(6, "5");
    }

    private CommandRun run(String... arguments) {
        CommandRun run = CommandRun.in(folder);
        run.execute(Stream.concat(Stream.of(arguments), Stream.of("--kubeconfig", kubeconfig.toString()))
                .toArray(String[]::new));
        return run;
    }

    static Stream<Arguments> documents() {
        String policies = "/apis/holdfast.dev/v1alpha1/placementpolicies";
        String clusterPolicies = "/apis/holdfast.dev/v1alpha1/clusterplacementpolicies";
        String pauses = "/apis/holdfast.dev/v1alpha1/enforcementpauses";
        return Stream.of(
                argumentSet("check", "check", List.of(policies, clusterPolicies)),
                argumentSet("report", "report", List.of(policies, clusterPolicies)),
                argumentSet(
                        "explain of a pod", "explain pod/web-1", List.of(BUDGETS, policies, clusterPolicies, pauses)),
                argumentSet(
                        "explain of a node", "explain node/n1", List.of(BUDGETS, policies, clusterPolicies, pauses)),
                argumentSet("what-if", "what-if --cordon n1", List.of(BUDGETS, policies, clusterPolicies, pauses)));
    }

    @ParameterizedTest
    @MethodSource("documents")
    void eachDocumentNamesTheKindsThatCouldNotBeListed(String command, List<String> paths) throws IOException {
        CommandRun run = run((command + " -o json").split(" "));

        JsonNode document = new ObjectMapper().readTree(run.out().toString());
        assertThat(document.path("unreadable").findValuesAsText("path")).isEqualTo(paths);
        assertThat(document.path("unreadable").findValuesAsText("reason"))
                .isEqualTo(paths.stream()
                        .map(path -> path.equals(BUDGETS) ? "Forbidden" : "NotFound")
                        .toList());
        assertThat(document.path("pods").findValues("unreadable"))
                .as("in a pod of a list")
                .allMatch(JsonNode::isEmpty);
    }

    static Stream<Arguments> sizes() {
        return Stream.of(
                argumentSet("by default, a page has 500 objects", "", "/api/v1/pods?limit=500"),
                argumentSet("as kubectl does, by --chunk-size", "--chunk-size=50", "/api/v1/pods?limit=50"),
                argumentSet("0 is without pages", "--chunk-size=0", "/api/v1/pods"));
    }

    @ParameterizedTest
    @MethodSource("sizes")
    void theClusterIsListedInPages(String option, String target) {
        run(Stream.of("check", option).filter(part -> !part.isEmpty()).toArray(String[]::new));

        assertThat(server.received()).extracting(Request::target).contains(target);
    }

    @Test
    void aNegativeSizeIsInvalid() {
        assertThat(run("check", "--chunk-size=-1").err().toString())
                .startsWith("holdfast: --chunk-size must be greater than or equal to 0\n");
        assertThat(server.received()).isEmpty();
    }
}
