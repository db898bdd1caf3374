package dev.holdfast.crds;

import com.fasterxml.jackson.annotation.JsonClassDescription;
import dev.holdfast.crds.v1alpha1.ClusterPlacementPolicy;
import dev.holdfast.crds.v1alpha1.EnforcementPause;
import dev.holdfast.crds.v1alpha1.PlacementPolicy;
import io.fabric8.crdv2.generator.CRDGenerator;
import io.fabric8.crdv2.generator.CRDPostProcessor;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.apiextensions.v1.CustomResourceDefinition;
import io.fabric8.kubernetes.client.CustomResource;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Objects;
import java.util.regex.Pattern;

/** Generates the CRD files from the records and their annotations. */
final class CrdGeneration {
    private static final String HEADER =
            "# Generated from the records of dev.holdfast.crds. Do not edit: run crds/generate\n";

    private static final Pattern BOUND = Pattern.compile("((?:minimum|maximum): )([0-9.E]+)");

    private static final List<Class<? extends CustomResource<?, ?>>> KINDS =
            List.of(PlacementPolicy.class, ClusterPlacementPolicy.class, EnforcementPause.class);

    private CrdGeneration() {}

    /** {@return the CRDs generated from the records, in the order of {@link CrdFile#all}} */
    static List<CrdFile> files() {
        return KINDS.stream().map(CrdGeneration::file).toList();
    }

    private static CrdFile file(Class<? extends CustomResource<?, ?>> kind) {
        InMemory output = new InMemory();
        new CRDGenerator()
                .withOutput(output)
                .withMinQuotes(true)
                .withPostProcessor(new Completion(kind))
                .customResourceClasses(kind)
                .generate();
        String yaml = output.bytes.toString(StandardCharsets.UTF_8);
        return new CrdFile(CustomResource.getCRDName(kind), HEADER + tidied(yaml.substring(yaml.indexOf('\n') + 1)));
    }

    /** {@return the YAML with the strings True and False in quotes, and with integers as bounds} */
    private static String tidied(String yaml) {
        return BOUND.matcher(yaml)
                .replaceAll(bound -> bound.group(1) + (long) Double.parseDouble(bound.group(2)))
                .replaceAll("- (True|False)\n", "- \"$1\"\n");
    }

    /** Adds the printer columns and the rest of the schema to a CRD that the generator made from the records. */
    private record Completion(Class<?> kind) implements CRDPostProcessor {
        @Override
        public HasMetadata process(HasMetadata generated, String crdSpecVersion) {
            CustomResourceDefinition crd = (CustomResourceDefinition) generated;
            crd.getSpec().getVersions().forEach(version -> {
                version.setAdditionalPrinterColumns(
                        kind == EnforcementPause.class ? PrinterColumns.OF_PAUSES : PrinterColumns.OF_POLICIES);
                SchemaCompletion.complete(version.getSchema().getOpenAPIV3Schema(), texts());
            });
            return crd;
        }

        private SchemaCompletion.Texts texts() {
            return kind == EnforcementPause.class
                    ? SchemaCompletion.Texts.ofPause(description())
                    : SchemaCompletion.Texts.ofPolicy(description());
        }

        private String description() {
            return Objects.requireNonNull(
                            kind.getAnnotation(JsonClassDescription.class), kind + " needs a @JsonClassDescription")
                    .value();
        }
    }

    private static final class InMemory implements CRDGenerator.CRDOutput<ByteArrayOutputStream> {
        private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();

        @Override
        public ByteArrayOutputStream outputFor(String crdName) {
            return bytes;
        }

        @Override
        public void close() {}
    }
}
