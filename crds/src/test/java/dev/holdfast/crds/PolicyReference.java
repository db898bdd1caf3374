package dev.holdfast.crds;

import static java.util.stream.Collectors.joining;

import io.fabric8.kubernetes.api.model.apiextensions.v1.CustomResourceDefinition;
import io.fabric8.kubernetes.api.model.apiextensions.v1.CustomResourceDefinitionNames;
import io.fabric8.kubernetes.api.model.apiextensions.v1.CustomResourceDefinitionVersion;
import io.fabric8.kubernetes.api.model.apiextensions.v1.JSONSchemaProps;
import io.fabric8.kubernetes.client.utils.KubernetesSerialization;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/** Generates docs/policy-reference.md from the CRDs: one table per object, one row per field. */
final class PolicyReference {
    private static final KubernetesSerialization YAML = new KubernetesSerialization();
    private static final Path CORPUS = Path.of("src/test/resources/corpus");

    private static final String HEAD = """
        <!-- Generated from the CRDs. Do not edit: run crds/generate -->
        # Policy reference

        Every field of the three kinds of `holdfast.dev/v1alpha1`, as the CRDs describe them. `kubectl explain plpol.spec` prints
        the same text. How policies work is explained in [concepts](concepts.md), [safety](safety.md) and
        [several policies](several-policies.md).

        *Seconds* are whole numbers. *Times* are RFC 3339, such as `2026-12-31T00:00:00Z`. A [label
        selector](#label-selector) is the one of core/v1.
        """;

    /** An example on the page: a file of the corpus, whose objects the integration tests send to a real API server. */
    private record Example(String title, String file) {}

    private static final List<Example> EXAMPLES = List.of(
            new Example("Audit every pod against its own required rules", "valid-empty-spec-cluster.yaml"),
            new Example("Many fields together", "valid-the-design-example.yaml"),
            new Example("A rule of the policy's own: nodes", "valid-rule-node-affinity.yaml"),
            new Example("A rule of the policy's own: near other pods", "valid-rule-pod-affinity.yaml"),
            new Example("A rule of the policy's own: apart from other pods", "valid-rule-anti-affinity.yaml"),
            new Example("A rule of the policy's own: topology spread", "valid-rule-spread.yaml"),
            new Example("Limits", "valid-limits.yaml"),
            new Example("Windows", "valid-windows.yaml"),
            new Example("Exceptions", "valid-exceptions.yaml"),
            new Example("Evict without a target node after an hour", "valid-evict-after.yaml"),
            new Example("Evict conflicting pods instead of the rule owner", "valid-lowest-priority-cluster.yaml"),
            new Example("A pause", "valid-pause-whole.yaml"));

    private PolicyReference() {}

    /** {@return the whole page in Markdown} */
    static String page(List<CrdFile> files) {
        List<CustomResourceDefinition> crds = files.stream()
                .map(file -> YAML.unmarshal(file.yaml(), CustomResourceDefinition.class))
                .toList();
        JSONSchemaProps namespaced = schema(crds.get(0));
        JSONSchemaProps cluster = schema(crds.get(1));
        JSONSchemaProps pause = schema(crds.get(2));
        SchemaTables policies = new SchemaTables("policy", cluster, namespaced);
        SchemaTables pauses = new SchemaTables("pause", pause, pause);
        return HEAD
                + "\n## Kinds\n\n"
                + crds.stream().map(PolicyReference::kind).collect(joining("\n"))
                + "\n"
                + "## Policies\n\n"
                + "A PlacementPolicy and a ClusterPlacementPolicy have the same fields. Those that only a\n"
                + "ClusterPlacementPolicy has are marked.\n\n"
                + policies.tables()
                + "## Pauses\n\n"
                + pauses.tables()
                + "## Label selector\n\nEvery selector of labels has these fields. Several entries must all match.\n\n"
                + policies.labelSelector()
                + "## Examples\n\nA test sends each of these to a real API server.\n"
                + EXAMPLES.stream().map(PolicyReference::example).collect(joining());
    }

    private static JSONSchemaProps schema(CustomResourceDefinition crd) {
        return version(crd).getSchema().getOpenAPIV3Schema();
    }

    private static CustomResourceDefinitionVersion version(CustomResourceDefinition crd) {
        return crd.getSpec().getVersions().getFirst();
    }

    private static String kind(CustomResourceDefinition crd) {
        CustomResourceDefinitionNames names = crd.getSpec().getNames();
        String columns = version(crd).getAdditionalPrinterColumns().stream()
                .map(column -> "| %s | %s | %s |\n"
                        .formatted(
                                column.getName(),
                                Optional.ofNullable(column.getPriority()).orElse(0) == 0 ? "" : "`-o wide`",
                                SchemaTables.cell(column.getDescription())))
                .collect(joining());
        return """
            ### %s

            %s

            Scope: %s. Short name: `%s`. Category: `%s`, so that `kubectl get holdfast -A` lists all three kinds.

            | Column of `kubectl get` | | What it shows |
            |---|---|---|
            %s\
            """.formatted(
                        names.getKind(),
                        SchemaTables.cell(schema(crd).getDescription()),
                        crd.getSpec().getScope(),
                        String.join("`, `", names.getShortNames()),
                        String.join("`, `", names.getCategories()),
                        columns);
    }

    private static String example(Example example) {
        return "\n### %s\n\n```yaml\n%s```\n".formatted(example.title(), text(CORPUS.resolve(example.file())));
    }

    private static String text(Path file) {
        try (Stream<String> lines = Files.lines(file)) {
            return lines.filter(line -> !line.startsWith("#")).collect(joining("\n", "", "\n"));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
