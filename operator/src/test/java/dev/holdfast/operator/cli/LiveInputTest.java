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
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Commands on a live cluster with one pod. It has no CRDs of Holdfast, and the user may not list budgets. */
@Timeout(60)
class LiveInputTest {
    private static final String BUDGETS = "/apis/policy/v1/poddisruptionbudgets";

    @TempDir
    private Path folder;

    private static final String CONFIG_MAPS = "configmaps";
    private static final String DEFAULTS_COUNT =
            ": so the operator's defaults count for limits, maxMode, schedulers, and"
                    + " exempt and protected namespaces; see --operator-namespace and --config\n";

    /** A controller of a kind that Holdfast does not know. */
    private static final Message OWNER = message()
            .text(1, "Web")
            .text(3, "web")
            .text(4, "uid-of-web")
            .text(5, "example.com/v1")
            .number(6, 1);

    private static final Message READY = message().text(1, "Ready").text(2, "True");

    private final WebSocketApiServer server = new WebSocketApiServer(this::answer);

    /** The PlacementPolicies in JSON; the API server does not know the kind if there is none. */
    private String policies = "";

    /** What the API server says of ConfigMaps. */
    private Reply configMaps = json("");

    private Path kubeconfig = Path.of("");

    @BeforeEach
    void writeKubeconfig() throws IOException {
        kubeconfig = Files.writeString(folder.resolve("kubeconfig"), server.kubeconfig());
    }

    @ParameterizedTest
    @ValueSource(strings = {"check", "dump", "zones", "explain pod/web-1", "what-if --cordon n1"})
    void aServerThatIsDownIsNamedWithItsContext(String command) throws IOException {
        Path down = Files.writeString(
                folder.resolve("down"),
                Files.readString(kubeconfig).replaceFirst("server: \"[^\"]*\"", "server: \"http://127.0.0.1:1\""));

        StringWriter out = new StringWriter();
        StringWriter err = new StringWriter();
        int exitCode = CommandRun.printingTo(folder, out, err).execute((command + " --kubeconfig " + down).split(" "));

        assertThat(exitCode).isEqualTo(ExitCode.COULD_NOT_RUN);
        assertThat(err.toString())
                .startsWith("holdfast: cannot list /")
                .contains(": cannot reach the API server http://127.0.0.1:1 of context local")
                .doesNotContain("java.", "Exception");
    }

    @AfterEach
    void close() {
        server.close();
    }

    private Reply answer(Request request) {
        if (request.target().contains(CONFIG_MAPS)) {
            return configMaps;
        }
        String path = request.target().replaceAll("\\?.*", "");
        if (path.equals(BUDGETS)) {
            return new Reply.Says(403, "{\"kind\":\"Status\",\"status\":\"Failure\",\"message\":\"no\"}");
        }
        if (path.endsWith("/placementpolicies") && !policies.isEmpty()) {
            return json(policies);
        }
        if (path.startsWith("/apis/holdfast.dev/")) {
            return new Reply.Says(404, "404 page not found");
        }
        byte[] list = "application/json".equals(request.headers().get("accept"))
                ? "{\"kind\":\"List\",\"apiVersion\":\"v1\",\"items\":[]}".getBytes(StandardCharsets.UTF_8)
                : switch (path) {
                    case "/api/v1/namespaces" ->
                        RecordedBodies.list("9", message().part(1, metadata("shop", "")));
                    case "/api/v1/nodes" ->
                        RecordedBodies.list(
                                "9",
                                message()
                                        .part(1, metadata("n1", ""))
                                        .part(3, message().part(4, READY)));
                    case "/api/v1/pods" ->
                        RecordedBodies.list(
                                "9",
                                message()
                                        .part(1, metadata("web-1", "shop").part(13, OWNER))
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
                argumentSet("report", "report", List.of(BUDGETS, policies, clusterPolicies)),
                argumentSet("report with zones", "report --zones", List.of(BUDGETS, policies, clusterPolicies, pauses)),
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

    private static Reply json(String items) {
        byte[] list = ("{\"kind\":\"List\",\"apiVersion\":\"v1\",\"items\":[" + items + "]}")
                .getBytes(StandardCharsets.UTF_8);
        return new Reply.Streams(body -> {
            body.send(list);
            body.end();
        });
    }

    private static String configMap(String namespace, String config) {
        return configMap(namespace, "holdfast", "configuration", "\"config.yaml\": \"%s\"".formatted(config));
    }

    private static String configMap(String namespace, String name, String component, String data) {
        return """
            {"kind": "ConfigMap", "apiVersion": "v1", "metadata": {"namespace": "%s", "name": "%s", "labels":
             {"holdfast.dev/component": "%s"}}, "data": {%s}}\
            """.formatted(namespace, name, component, data);
    }

    static Stream<Arguments> configurations() {
        return Stream.of(
                argumentSet(
                        "the one operator's ConfigMap counts",
                        json(configMap("ops", "maxMode: Audit")),
                        "check",
                        "holdfast: the operator's configuration is that of ConfigMap ops/holdfast\n"),
                argumentSet(
                        "the name of the ConfigMap follows the release, and does not matter",
                        json(configMap("ops", "keeper", "configuration", "\"config.yaml\": \"\"")),
                        "check",
                        "holdfast: the operator's configuration is that of ConfigMap ops/keeper\n"),
                argumentSet(
                        "a ConfigMap with the label and without a configuration file is ignored by name",
                        json(configMap("ops", "") + "," + configMap("shop", "mine", "configuration", "\"a\": \"b\"")),
                        "check",
                        "holdfast: warning: 1 ConfigMap with the label holdfast.dev/component=configuration without"
                                + " config.yaml ignored: shop/mine\n"
                                + "holdfast: the operator's configuration is that of ConfigMap ops/holdfast\n"),
                argumentSet(
                        "of many ConfigMaps that are ignored three are named",
                        json(Stream.of("a", "b", "c", "d")
                                .map(it -> configMap("shop", it, "configuration", ""))
                                .collect(Collectors.joining(","))),
                        "check",
                        "holdfast: warning: 4 ConfigMaps with the label holdfast.dev/component=configuration without"
                                + " config.yaml ignored: shop/a, shop/b, shop/c, ...\n"),
                argumentSet(
                        "a ledger elsewhere than the configuration is ignored by name",
                        json(configMap("ops", "") + "," + configMap("shop", "holdfast-ledger-0", "ledger", "")),
                        "what-if --cordon n1",
                        "holdfast: warning: 1 ConfigMap with the label holdfast.dev/component=ledger without the name"
                                + " holdfast-ledger-NUMBER in namespace ops ignored: shop/holdfast-ledger-0\n"),
                argumentSet(
                        "a ledger of another name is ignored by name",
                        json(configMap("shop", "my-ledger-0", "ledger", "")),
                        "what-if --cordon n1",
                        "holdfast: warning: 1 ConfigMap with the label holdfast.dev/component=ledger without the name"
                                + " holdfast-ledger-NUMBER ignored: shop/my-ledger-0\n"),
                argumentSet(
                        "a ConfigMap with another value of the label is none of an operator",
                        json(configMap("shop", "mine", "weather", "\"config.yaml\": \"\"")),
                        "check",
                        "holdfast: warning: there is no ConfigMap of an operator, with the label"
                                + " holdfast.dev/component=configuration" + DEFAULTS_COUNT),
                argumentSet(
                        "of an unreadable and a readable configuration none is guessed",
                        json(configMap("ops", "weather: fine") + "," + configMap("shop", "")),
                        "check",
                        "holdfast: warning: there are several operators, with ConfigMaps ops/holdfast, shop/holdfast"
                                + DEFAULTS_COUNT),
                argumentSet(
                        "without an operator its defaults count",
                        json(""),
                        "check",
                        "holdfast: warning: there is no ConfigMap of an operator, with the label"
                                + " holdfast.dev/component=configuration" + DEFAULTS_COUNT),
                argumentSet(
                        "without the right its defaults count",
                        new Reply.Says(403, "{\"kind\":\"Status\",\"status\":\"Failure\",\"message\":\"no\"}"),
                        "check",
                        "holdfast: warning: the right to list"
                                + " /api/v1/configmaps?labelSelector=holdfast.dev%2Fcomponent is missing"
                                + DEFAULTS_COUNT),
                argumentSet(
                        "of several operators none is guessed",
                        json(configMap("ops", "") + "," + configMap("team", "")),
                        "check",
                        "holdfast: warning: there are several operators, with ConfigMaps ops/holdfast, team/holdfast"
                                + DEFAULTS_COUNT),
                argumentSet(
                        "of several operators the named one counts",
                        json(configMap("ops", "") + "," + configMap("team", "")),
                        "check --operator-namespace team",
                        "holdfast: the operator's configuration is that of ConfigMap team/holdfast\n"),
                argumentSet(
                        "a configuration of a newer operator does not count",
                        json(configMap("ops", "weather: fine")),
                        "check",
                        "holdfast: warning: ConfigMap ops/holdfast: unknown key weather; allowed here: breakers,"));
    }

    @ParameterizedTest
    @MethodSource("configurations")
    void theOperatorsConfigurationIsReadOrTheDefaultsAreNamed(Reply reply, String command, String line) {
        configMaps = reply;

        assertThat(run(command.split(" ")).err().toString()).contains(line);
    }

    private static String enforcing(String status) {
        return """
            {"apiVersion": "holdfast.dev/v1alpha1", "kind": "PlacementPolicy", "metadata": {"namespace": "shop",
             "name": "keep", "uid": "k", "generation": 1}, "spec": {"mode": "Enforce", "podSelector": {},
             "podRuleSelection": "None", "allow": ["UnknownController", "TooFewReplicas"], "forgivenessSeconds": 60, "rules": [{"name": "ssd", "nodeAffinity": {"required":
             {"nodeSelectorTerms": [{"matchExpressions": [{"key": "disk", "operator": "Exists"}]}]}}}]}, "status":
             {"observedGeneration": 1, "effective": {"mode": "Enforce", "forgivenessSeconds": 60}, %s}}\
            """.formatted(status);
    }

    static Stream<Arguments> statuses() {
        String outcome = "\"holds\": [{\"reason\": \"OutcomeBreaker\", \"count\": 1}]";
        String label = "\"holds\": [{\"reason\": \"LabelBreaker\", \"count\": 1}]";
        String forbidden = "the right to list /api/v1/configmaps?labelSelector=holdfast.dev%2Fcomponent is missing";
        return Stream.of(
                argumentSet(
                        "without the right to read the ledger",
                        new Reply.Says(403, "{\"kind\":\"Status\",\"status\":\"Failure\",\"message\":\"no\"}"),
                        outcome,
                        forbidden + ", so the status of policies counts: 0 evictions within the hour, 0 backlogs and 1"
                                + " open breaker. A status lists the last ten evictions. It is assumed that no move"
                                + " is in flight or was futile, and that each violation begins now; see"
                                + " --operator-namespace\n",
                        "OutcomeBreaker"),
                argumentSet(
                        "without a ledger",
                        json(""),
                        outcome,
                        "no ledger of the operator was read, so the status of policies counts: 0 evictions within the"
                                + " hour, 0 backlogs and 1 open breaker.",
                        "OutcomeBreaker"),
                argumentSet(
                        "a breaker of a label that the status does not name is left out",
                        json(""),
                        label,
                        "0 backlogs and 0 open breakers, without the label breaker that holds shop/keep. A status",
                        "Infeasible"));
    }

    @ParameterizedTest
    @MethodSource("statuses")
    void brakesAreThoseOfTheStatusIfTheLedgerIsNotRead(Reply reply, String status, String line, String hold) {
        configMaps = reply;
        policies = enforcing(status);

        CommandRun run = run("explain", "pod/web-1");

        assertThat(run.err().toString()).contains(line);
        assertThat(run.out().toString()).contains("(" + hold + ")");
    }

    @Test
    void aDocumentHasTheDefaultsAmongItsWarnings() throws IOException {
        CommandRun run = run("explain", "pod/web-1", "-o", "json");

        assertThat(new ObjectMapper()
                        .readTree(run.out().toString())
                        .path("warnings")
                        .toString())
                .contains("so the operator's defaults count");
    }

    @Test
    void oneNamespaceIsEnoughForTheConfiguration() {
        configMaps = json(configMap("ops", ""));

        run("check", "--operator-namespace", "ops");

        assertThat(server.received())
                .extracting(Request::target)
                .contains("/api/v1/namespaces/ops/configmaps?labelSelector=holdfast.dev%2Fcomponent&limit=500");
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
