package dev.holdfast.charts;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.crds.CrdFile;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.ObjectMetaBuilder;
import io.fabric8.kubernetes.api.model.apiextensions.v1.CustomResourceDefinition;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class CrdsTest {
    private static final Map.Entry<String, String> LEASE = Map.entry("holdfast.dev/lease", "kube-system/holdfast");
    private static final Path FILES = Chart.FOLDER.resolve("files/crds");
    private static final String KEEP = "helm.sh/resource-policy";

    @Test
    void theFilesAreThoseOfTheCrdsModule() throws IOException {
        for (CrdFile crd : CrdFile.all()) {
            Path copy = FILES.resolve(crd.name() + ".yaml");
            if (Boolean.getBoolean("holdfast.charts.write")) {
                Files.writeString(copy, crd.yaml());
            }
            assertThat(copy)
                    .as("charts/generate copies the CRDs of the crds module")
                    .hasContent(crd.yaml());
            assertThat(Files.readString(copy)).isEqualTo(crd.yaml());
        }
        try (Stream<Path> files = Files.list(FILES)) {
            assertThat(files.map(file -> file.getFileName().toString()))
                    .containsExactlyInAnyOrderElementsOf(CrdFile.all().stream()
                            .map(crd -> crd.name() + ".yaml")
                            .toList());
        }
    }

    @Test
    void theyAreRenderedWholeWithNothingButMetadataAdded() {
        List<CustomResourceDefinition> rendered = Chart.objects(CustomResourceDefinition.class);

        assertThat(rendered).hasSameSizeAs(CrdFile.all());
        for (CrdFile crd : CrdFile.all()) {
            HasMetadata source = Chart.read(crd.yaml()).getFirst();
            CustomResourceDefinition target = Chart.object(CustomResourceDefinition.class, crd.name());
            assertThat(target.getMetadata().getLabels()).containsEntry("app.kubernetes.io/managed-by", "Helm");
            target.setMetadata(new ObjectMetaBuilder().withName(crd.name()).build());
            assertThat(target).isEqualTo(source);
        }
    }

    @Test
    void everyLineOfTheFilesIsRenderedAsItIs() {
        String rendered = Chart.render();

        for (CrdFile crd : CrdFile.all()) {
            String spec = crd.yaml().substring(crd.yaml().indexOf("\nspec:\n")).stripTrailing();
            assertThat(rendered).contains(spec);
        }
    }

    @Test
    void theyOutliveTheReleaseUnlessToldOtherwise() {
        assertThat(Chart.objects(CustomResourceDefinition.class))
                .allSatisfy(crd ->
                        assertThat(crd.getMetadata().getAnnotations()).containsOnly(Map.entry(KEEP, "keep"), LEASE));
        assertThat(Chart.objects(CustomResourceDefinition.class, "crds.keep=false"))
                .allSatisfy(
                        crd -> assertThat(crd.getMetadata().getAnnotations()).containsOnly(LEASE));
    }

    @Test
    void theyCanBeAnnotatedForOtherTools() {
        assertThat(Chart.objects(
                        CustomResourceDefinition.class, "crds.annotations.argocd\\.argoproj\\.io/sync-options=SSA"))
                .allSatisfy(crd -> assertThat(crd.getMetadata().getAnnotations())
                        .containsOnly(
                                Map.entry(KEEP, "keep"), LEASE, Map.entry("argocd.argoproj.io/sync-options", "SSA")));
    }

    @Test
    void theyAnnounceTheLease() {
        assertThat(Chart.objects(CustomResourceDefinition.class, "config.lease.namespace=locks"))
                .allSatisfy(crd ->
                        assertThat(crd.getMetadata().getAnnotations()).containsEntry(LEASE.getKey(), "locks/holdfast"));
    }

    @Test
    void theyCanBeLeftToAnotherRelease() {
        assertThat(Chart.objects(CustomResourceDefinition.class, "crds.enabled=false"))
                .isEmpty();
    }
}
