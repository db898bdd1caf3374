package dev.holdfast.operator.cli;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.dataformat.yaml.YAMLMapper;
import dev.holdfast.operator.config.OperatorConfig;
import dev.holdfast.operator.offline.dump.Dump;
import dev.holdfast.operator.offline.dump.DumpException;
import dev.holdfast.operator.offline.dump.DumpFile;
import dev.holdfast.operator.offline.dump.DumpReader;
import dev.holdfast.operator.offline.dump.DumpedPolicies;
import dev.holdfast.operator.translate.PolicyTranslator;
import dev.holdfast.policies.engine.Engine;
import dev.holdfast.policies.engine.protocol.Effect;
import dev.holdfast.policies.engine.protocol.Event;
import dev.holdfast.policies.engine.protocol.View;
import dev.holdfast.policies.engine.report.PolicyReport;
import java.io.BufferedReader;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeSet;
import java.util.stream.Stream;
import java.util.zip.GZIPInputStream;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Asks {@code check}, {@code explain}, {@code what-if}, {@code report}, {@code test} and the operator in mode Audit
 * which pods violate a rule: about 200 clusters of the vectors, and about the clusters that people reported.
 */
class SameAnswerTest {
    private static final Path RESOURCES = Path.of("..", "policies", "src", "test", "resources", "vectors");
    private static final Path FIELD = Path.of("src", "test", "resources", "dev", "holdfast", "operator", "field");
    private static final int CLUSTERS_OF_A_FAMILY = 40;
    private static final Instant NOW = Instant.parse("2026-11-20T12:00:00Z");

    private static final String POLICY = """
        {apiVersion: holdfast.dev/v1alpha1, kind: ClusterPlacementPolicy, metadata: {name: all},
         spec: {mode: Audit, podSelector: {}, forgivenessSeconds: 300}}
        """;

    /** A test without steps, of which the first second is recorded. */
    private static final String TEST = """
        apiVersion: cli.holdfast.dev/v1
        kind: PolicyTest
        end: 1s
        expect:
        - {at: 0s, violations: []}
        """;

    private final ObjectMapper json = new ObjectMapper();
    private final YAMLMapper yaml = new YAMLMapper();

    @TempDir
    private Path folder;

    /** Violations, each as {@code shop/web-1 NodeAffinity}. */
    private record Violations(List<String> podsAndRules) {
        Violations {
            podsAndRules = podsAndRules.stream().sorted().toList();
        }

        List<String> pods() {
            return List.copyOf(new TreeSet<>(podsAndRules.stream()
                    .map(it -> it.substring(0, it.indexOf(' ')))
                    .toList()));
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"affinity", "antiaffinity", "mixed", "node", "spread"})
    void allSayTheSameAboutRecordedClusters(String family) throws Exception {
        int violations = 0;
        try (BufferedReader lines = new BufferedReader(new InputStreamReader(
                new GZIPInputStream(Files.newInputStream(RESOURCES.resolve(family + ".jsonl.gz"))), UTF_8))) {
            for (int i = 0; i < CLUSTERS_OF_A_FAMILY; i++) {
                JsonNode vector = json.readTree(lines.readLine());
                ObjectNode list = json.createObjectNode();
                list.put("apiVersion", "v1");
                list.put("kind", "List");
                ArrayNode items = list.putArray("items");
                for (String kind : List.of("namespaces", "nodes", "pods")) {
                    vector.path(kind).forEach(object -> items.add(stored(object)));
                }
                violations += compare(vector.path("id").asText(), list.toString());
            }
        }
        assertThat(violations).isPositive();
    }

    /** {@return the object as an API server stores it, so that {@code test} adds nothing to it} */
    private static JsonNode stored(JsonNode object) {
        ObjectNode stored = object.deepCopy();
        ObjectNode metadata = stored.withObjectProperty("metadata");
        metadata.put("resourceVersion", "1");
        if (!metadata.has("uid")) {
            metadata.put("uid", "uid-of-" + metadata.path("name").asText());
        }
        return stored;
    }

    static Stream<Path> reportedClusters() throws IOException {
        try (Stream<Path> folders = Files.list(FIELD)) {
            return folders.map(it -> it.resolve("cluster.yaml")).filter(Files::exists).sorted().toList().stream();
        }
    }

    @ParameterizedTest
    @MethodSource("reportedClusters")
    void allSayTheSameAboutReportedClusters(Path cluster) throws Exception {
        compare(cluster.toString(), Files.readString(cluster));
    }

    /**
     * Compares the answers about a cluster, and returns the number of violations. In {@code what-if}, the scheduler
     * soon binds the pods that wait, which may end violations. So these pods are left out there.
     */
    private int compare(String name, String cluster) throws Exception {
        String file = Files.writeString(folder.resolve("cluster.yaml"), cluster).toString();
        String policies =
                Files.writeString(folder.resolve("policies.yaml"), POLICY).toString();
        Violations checked = checked(file, policies);

        assertThat(explained(file, policies)).as("explain, %s", name).isEqualTo(checked);
        assertThat(run(
                                "what-if",
                                "-f",
                                withoutPending(cluster),
                                "--policy",
                                policies,
                                "--label",
                                "node/" + firstNode(cluster),
                                "absent-",
                                "--until",
                                "1s")
                        .at("/summary/violatedAtEnd")
                        .asInt(-1))
                .as("what-if, %s", name)
                .isEqualTo(checked.podsAndRules().size());
        JsonNode report = run("report", "-f", file, "--policy", policies);
        assertThat(report.at("/summary/violations").asInt(-1))
                .as("report, %s", name)
                .isEqualTo(checked.podsAndRules().size());
        assertThat(report.at("/policies/0/violations").asInt(-1))
                .as("policy in the report, %s", name)
                .isEqualTo(checked.podsAndRules().size());
        assertThat(report.path("pending"))
                .as("pods without a node in the report, %s", name)
                .isEqualTo(run("check", "-f", file, "--policy", policies).path("pending"));
        assertThat(recorded(cluster)).as("test, %s", name).isEqualTo(checked);
        assertThat(audited(cluster))
                .as("status in Audit, %s", name)
                .isEqualTo(checked.pods().size());
        return checked.podsAndRules().size();
    }

    private Violations checked(String file, String policies) throws IOException {
        List<String> all = new ArrayList<>();
        run("check", "-f", file, "--policy", policies)
                .path("violations")
                .forEach(it -> all.add(it.path("namespace").asText() + "/"
                        + it.path("pod").asText() + " " + it.at("/rule/name").asText()));
        return new Violations(all);
    }

    private Violations explained(String file, String policies) throws IOException {
        List<String> all = new ArrayList<>();
        for (JsonNode object : objects(Files.readString(Path.of(file)))) {
            if (object.path("kind").asText().equals("Pod")) {
                String namespace = object.at("/metadata/namespace").asText();
                String pod = object.at("/metadata/name").asText();
                for (JsonNode rule : run("explain", "pod/" + pod, "-n", namespace, "-f", file, "--policy", policies)
                        .path("rules")) {
                    if (rule.path("verdict").asText().equals("Violated")) {
                        all.add(namespace + "/" + pod + " "
                                + rule.at("/rule/name").asText());
                    }
                }
            }
        }
        return new Violations(all);
    }

    /** {@return the violations at the beginning of a test of the same files, as it records them} */
    private Violations recorded(String cluster) throws IOException {
        Path test = Files.createDirectories(folder.resolve("test"));
        Files.writeString(test.resolve("cluster.yaml"), cluster);
        Files.writeString(test.resolve("policies.yaml"), POLICY);
        Files.writeString(test.resolve("test.yaml"), TEST);
        StringWriter err = new StringWriter();
        int code = CommandRun.printingTo(folder, new StringWriter(), err).execute("test", "--record", test.toString());
        assertThat(code).as(err::toString).isZero();
        List<String> all = new ArrayList<>();
        JsonNode first =
                yaml.readTree(test.resolve("test.yaml").toFile()).path("expect").path(0);
        first.path("violations")
                .forEach(it ->
                        all.add(it.path("pod").asText() + " " + it.path("rule").asText()));
        return new Violations(all);
    }

    private List<JsonNode> objects(String cluster) throws IOException {
        List<JsonNode> objects = new ArrayList<>();
        for (JsonNode document :
                yaml.readerFor(JsonNode.class).<JsonNode>readValues(cluster).readAll()) {
            if (document.has("items")) {
                document.path("items").forEach(objects::add);
            } else {
                objects.add(document);
            }
        }
        return objects;
    }

    private String withoutPending(String cluster) throws IOException {
        ObjectNode list = json.createObjectNode().put("apiVersion", "v1").put("kind", "List");
        ArrayNode items = list.putArray("items");
        for (JsonNode object : objects(cluster)) {
            if (!object.path("kind").asText().equals("Pod")
                    || !object.at("/spec/nodeName").asText().isEmpty()) {
                items.add(object);
            }
        }
        return Files.writeString(folder.resolve("bound.json"), list.toString()).toString();
    }

    private String firstNode(String cluster) throws IOException {
        for (JsonNode object : objects(cluster)) {
            if (object.path("kind").asText().equals("Node")) {
                return object.at("/metadata/name").asText();
            }
        }
        throw new IllegalArgumentException("no node");
    }

    /** {@return how many pods violate a rule, as the status says that the operator writes for the policy} */
    private static int audited(String cluster) throws DumpException {
        OperatorConfig config = OperatorConfig.defaults();
        DumpedPolicies translated = new DumpedPolicies(new PolicyTranslator(config.defaultForgiveness()));
        Engine engine = new Engine(config.engineSettings());
        List<Effect> effects = new ArrayList<>();
        read(cluster).objects().forEach(it -> effects.addAll(engine.step(new Event.ObjectChanged(it), NOW)));
        translated.translate(read(POLICY).policies()).forEach(it -> effects.addAll(engine.step(it, NOW)));
        for (View view : View.values()) {
            effects.addAll(engine.step(new Event.ViewSynced(view), NOW));
        }
        effects.addAll(engine.step(new Event.TimePassed(), NOW.plusSeconds(10)));
        return effects.stream()
                .flatMap(it -> it instanceof Effect.Publish(PolicyReport report) ? Stream.of(report) : Stream.empty())
                .reduce((_, last) -> last)
                .orElseThrow()
                .pods()
                .violating();
    }

    private static Dump read(String text) throws DumpException {
        return new DumpReader(_ -> {})
                .read(List.of(new DumpFile("text", () -> new ByteArrayInputStream(text.getBytes(UTF_8)))));
    }

    private JsonNode run(String command, String... arguments) throws IOException {
        StringWriter out = new StringWriter();
        StringWriter err = new StringWriter();
        String[] all = Stream.concat(Stream.concat(Stream.of(command), Stream.of(arguments)), Stream.of("-o", "json"))
                .toArray(String[]::new);
        int code = CommandRun.printingTo(folder, out, err).execute(all);
        assertThat(code).as(() -> String.join(" ", all) + ": " + err).isLessThan(2);
        return json.readTree(out.toString());
    }
}
