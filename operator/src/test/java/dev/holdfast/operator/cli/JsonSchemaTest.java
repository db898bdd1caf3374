package dev.holdfast.operator.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.params.provider.Arguments.argumentSet;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * What commands print with {@code -o json} about the sample is what the published schemas describe, and nothing else.
 */
class JsonSchemaTest {
    private static final Path DOCS = Path.of("..", "docs");
    private static final String SHOP = DOCS.resolve("samples/shop.yaml").toString();
    private static final String ZONES = DOCS.resolve("samples/zones.yaml").toString();
    private static final String KEEP = DOCS.resolve("samples/keep.yaml").toString();

    @TempDir
    private Path folder;

    private JsonNode schema = new ObjectMapper().createObjectNode();
    private final List<String> differences = new ArrayList<>();

    static Stream<Arguments> commands() {
        return Stream.of(
                argumentSet("check", "check-report.json", List.of("check", "-f", SHOP)),
                argumentSet(
                        "explain",
                        "pod-explanation.json",
                        List.of("explain", "pod/web-1", "-n", "shop", "-f", SHOP, "--policy", KEEP)),
                argumentSet(
                        "what-if",
                        "what-if-report.json",
                        List.of("what-if", "-f", SHOP, "--policy", KEEP, "--label", "node/node-2", "disk-")),
                argumentSet(
                        "what-if with losses",
                        "what-if-report.json",
                        List.of("what-if", "-f", ZONES, "--fail-zone", "c")),
                argumentSet("check --soft", "soft-report.json", List.of("check", "--soft", "-f", SHOP)),
                argumentSet(
                        "explain --scores",
                        "score-explanation.json",
                        List.of("explain", "pod/web-1", "-n", "shop", "--scores", "-f", SHOP)),
                argumentSet("zones", "zones-report.json", List.of("zones", "-f", ZONES)),
                argumentSet(
                        "test",
                        "test-report.json",
                        List.of("test", DOCS.resolve("samples/tests").toString())),
                argumentSet("report", "cluster-report.json", List.of("report", "-f", SHOP, "--policy", KEEP)),
                argumentSet("report with zones", "cluster-report.json", List.of("report", "-f", ZONES, "--zones")),
                argumentSet("version", "version.json", List.of("version")));
    }

    @ParameterizedTest
    @MethodSource("commands")
    void theDocumentIsAsItsSchemaSays(String file, List<String> command) throws IOException {
        CommandRun run = CommandRun.in(folder);
        run.execute(Stream.concat(command.stream(), Stream.of("-o", "json")).toArray(String[]::new));
        ObjectMapper json = new ObjectMapper();
        schema = json.readTree(Files.readString(DOCS.resolve("schemas").resolve(file)));

        compare("", json.readTree(run.out().toString()), schema);

        assertThat(differences).isEmpty();
    }

    private void compare(String place, JsonNode value, JsonNode described) {
        JsonNode type = described.has("$ref")
                ? schema.at(described.path("$ref").asText().substring(1))
                : described;
        if (type.has("const")) {
            require(place, value.equals(type.path("const")), value);
        } else if (type.has("enum")) {
            require(place, Set.copyOf(list(type.path("enum"))).contains(value), value);
        } else {
            switch (type.path("type").asText()) {
                case "object" -> object(place, value, type);
                case "array" -> {
                    require(place, value.isArray(), value);
                    list(value).forEach(item -> compare(place + "[]", item, type.path("items")));
                }
                case "string" ->
                    require(
                            place,
                            value.isTextual()
                                    && value.asText()
                                            .matches(type.path("pattern").asText("(?s).*")),
                            value);
                case "integer" -> require(place, value.isIntegralNumber() && value.asLong() >= 0, value);
                case "boolean" -> require(place, value.isBoolean(), value);
                default -> differences.add(place + ": the schema says nothing");
            }
        }
    }

    private void object(String place, JsonNode value, JsonNode type) {
        Set<String> written = new TreeSet<>();
        value.fieldNames().forEachRemaining(written::add);
        Set<String> known = new TreeSet<>();
        type.path("properties").fieldNames().forEachRemaining(known::add);
        require(place, written.equals(known), value);
        value.properties()
                .forEach(field -> compare(
                        place + "." + field.getKey(),
                        field.getValue(),
                        type.path("properties").path(field.getKey())));
    }

    private void require(String place, boolean met, JsonNode value) {
        if (!met) {
            differences.add(place + ": " + value);
        }
    }

    private static List<JsonNode> list(JsonNode array) {
        List<JsonNode> items = new ArrayList<>();
        array.forEach(items::add);
        return items;
    }
}
