package dev.holdfast.crds;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.params.provider.Arguments.argumentSet;

import io.fabric8.kubernetes.api.model.apiextensions.v1.CustomResourceDefinition;
import io.fabric8.kubernetes.api.model.apiextensions.v1.JSONSchemaProps;
import io.fabric8.kubernetes.client.utils.KubernetesSerialization;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Tests that every YAML example of the documentation is a complete Holdfast object, or the status of one, and that all
 * its fields exist. The integration tests also send the complete objects to a real API server.
 */
class DocumentedYamlTest {
    private static final Path ROOT = Path.of("..");
    private static final Pattern EXAMPLE = Pattern.compile("(?m)^( *)```yaml\\n((?:.*\\n)*?)\\1```$");
    private static final KubernetesSerialization YAML = new KubernetesSerialization();

    static Stream<Arguments> examples() throws IOException {
        List<Path> pages = new ArrayList<>();
        for (String folder : List.of("docs", "charts/holdfast")) {
            try (Stream<Path> files = Files.walk(ROOT.resolve(folder))) {
                files.filter(file -> file.toString().endsWith(".md")).sorted().forEach(pages::add);
            }
        }
        try (Stream<Path> files = Files.list(ROOT)) {
            files.filter(file -> file.toString().endsWith(".md")).sorted().forEach(pages::add);
        }
        return pages.stream()
                .flatMap(page -> EXAMPLE.matcher(text(page))
                        .results()
                        // Files of commands are of another group, and other tests read them.
                        .filter(found -> !found.group(2).contains("apiVersion: cli.holdfast.dev/"))
                        .map(found ->
                                argumentSet(name(page, found), found.group(2).stripIndent())));
    }

    private static String name(Path page, MatchResult found) {
        long line = text(page).substring(0, found.start()).lines().count() + 1;
        return ROOT.relativize(page) + ":" + line;
    }

    @ParameterizedTest
    @MethodSource("examples")
    void namesOnlyFieldsThatExist(String example) {
        Map<?, ?> object = YAML.unmarshal(example, Map.class);
        JSONSchemaProps schema = schema(object);

        assertThat(unknown("", object, schema)).isEmpty();
    }

    private static JSONSchemaProps schema(Map<?, ?> object) {
        Optional<String> written = Optional.ofNullable(object.get("kind")).map(Object::toString);
        if (written.isPresent()) {
            assertThat(object.get("apiVersion")).isEqualTo("holdfast.dev/v1alpha1");
            assertThat(object.containsKey("spec")).as("a spec").isTrue();
        } else {
            assertThat(object.keySet()).hasToString("[status]");
        }
        String kind = written.orElse("PlacementPolicy");
        return CrdFile.all().stream()
                .map(file -> YAML.unmarshal(file.yaml(), CustomResourceDefinition.class))
                .filter(crd -> crd.getSpec().getNames().getKind().equals(kind))
                .map(crd -> crd.getSpec().getVersions().getFirst().getSchema().getOpenAPIV3Schema())
                .findFirst()
                .orElseThrow(() -> new AssertionError("no kind of ours: " + kind));
    }

    private static List<String> unknown(String path, Object value, JSONSchemaProps schema) {
        List<String> unknown = new ArrayList<>();
        if (value instanceof Map<?, ?> fields && schema.getAdditionalProperties() == null) {
            fields.forEach((name, child) -> {
                String at = path + "." + name;
                JSONSchemaProps of = schema.getProperties().get(name.toString());
                if (of != null) {
                    unknown.addAll(unknown(at, child, of));
                } else if (!path.isEmpty()
                        || !List.of("apiVersion", "kind", "metadata").contains(name)) {
                    unknown.add(at);
                }
            });
        } else if (value instanceof List<?> entries) {
            JSONSchemaProps of = Objects.requireNonNull(schema.getItems(), path + " is no list")
                    .getSchema();
            entries.forEach(entry -> unknown.addAll(unknown(path + "[]", entry, of)));
        }
        return unknown;
    }

    private static String text(Path file) {
        try {
            return Files.readString(file);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
