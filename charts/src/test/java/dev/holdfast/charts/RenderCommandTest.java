package dev.holdfast.charts;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.params.provider.Arguments.argumentSet;

import com.marcnuri.helm.Helm;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Output and exit codes of {@code charts/render}. */
class RenderCommandTest {
    @TempDir
    private Path folder;

    private final StringWriter out = new StringWriter();
    private final StringWriter err = new StringWriter();

    private int render(String... arguments) {
        return RenderCommand.commandLine()
                .setOut(new PrintWriter(out))
                .setErr(new PrintWriter(err))
                .execute(Stream.concat(Stream.of(Chart.FOLDER.toString()), Stream.of(arguments))
                        .toArray(String[]::new));
    }

    @Test
    void itPrintsWhatHelmRendersForTheReleaseNamespaceAndSettings() {
        assertThat(render("holdfast", "-n", "hf", "--set", "enforcement.enabled=true"))
                .isZero();

        assertThat(out).hasToString(Chart.render("enforcement.enabled=true"));
        assertThat(err.toString()).isEmpty();
    }

    @Test
    void nameAndNamespaceDefaultToThoseOfHelm() {
        assertThat(render()).isZero();

        assertThat(out)
                .hasToString(new Helm(Chart.FOLDER)
                        .template()
                        .withName("release-name")
                        .withNamespace("default")
                        .withKubeVersion(Chart.KUBERNETES)
                        .call());
    }

    @Test
    void aSettingWinsOverTheFilesAndTheLastFileOverTheFirst() throws IOException {
        Path first = Files.writeString(folder.resolve("a.yaml"), "{replicaCount: 3, config: {logLevel: warn}}");
        Path last = Files.writeString(folder.resolve("b.yaml"), "{config: {logLevel: debug, maxMode: Audit}}");

        assertThat(render("-f", first.toString(), "--values", last.toString(), "--set", "config.maxMode=Enforce"))
                .isZero();

        assertThat(out.toString()).contains("  replicas: 3\n", "logLevel: debug\n", "maxMode: Enforce\n");
    }

    @Test
    void itRendersForTheGivenVersionOfKubernetes() {
        assertThat(render("--set", "scheduling.enabled=true", "--kube-version", "1.35.0"))
                .isZero();

        assertThat(out.toString()).doesNotContain("MutatingAdmissionPolicy");
    }

    static List<Arguments> refused() {
        return List.of(
                argumentSet(
                        "a key that values.schema.json does not have",
                        List.of("--set", "enforcement.enable=true"),
                        "- at '/enforcement': additional properties 'enable' not allowed"),
                argumentSet(
                        "a word that is no choice",
                        List.of("--set", "replicaCount=1,config.maxMode=enforce"),
                        "- at '/config/maxMode': value must be one of 'Enforce', 'Audit'"),
                argumentSet("a key without a value", List.of("--set", "a"), "--set takes KEY=VALUE, not 'a'"),
                argumentSet("no key", List.of("--set"), "Missing required parameter for option '--set' (KEY=VALUE)"),
                argumentSet(
                        "an empty list",
                        List.of("--set", "config.exemptNamespaces={}"),
                        "--set gives no empty list to config.exemptNamespaces: write it as [] in a file, for --values"),
                argumentSet("a file that does not exist", List.of("-f", "none.yaml"), "there is no file none.yaml"),
                argumentSet("two names", List.of("a", "b"), "Unmatched argument at index 2: 'b'"),
                argumentSet("an unknown option", List.of("--sets", "a=b"), "Unknown option: '--sets'"),
                argumentSet(
                        "a version of Kubernetes before the first that works",
                        List.of("--kube-version", "1.32.0"),
                        "chart requires kubeVersion: >=1.33.0-0 which is incompatible with Kubernetes v1.32.0"));
    }

    @ParameterizedTest
    @MethodSource
    void refused(List<String> arguments, String message) {
        assertThat(render(arguments.toArray(String[]::new))).isEqualTo(2);

        assertThat(out.toString()).isEmpty();
        assertThat(err.toString()).contains(message).endsWith("Try: charts/render --help\n");
    }

    @Test
    void oneSetHasSeveralValuesAndListsAndEscapedCommas() {
        assertThat(Setting.parse("a.b=1,c={x,y\\,z},d=e\\,f,g="))
                .containsExactly(
                        new Setting("a.b", "1"),
                        new Setting("c[0]", "x"),
                        new Setting("c[1]", "y,z"),
                        new Setting("d", "e,f"),
                        new Setting("g", ""));
        assertThatThrownBy(() -> Setting.parse("a=1,=2")).hasMessage("--set takes KEY=VALUE, not '=2'");
    }

    @Test
    void theManifestsOfTheReleaseDifferByTheRightToEvict() throws IOException {
        ReleaseManifests.main(new String[] {Chart.FOLDER.toString(), folder.toString()});

        String namespace = "---\napiVersion: v1\nkind: Namespace\nmetadata:\n  name: holdfast\n";
        assertThat(folder.resolve("install.yaml"))
                .content()
                .isEqualTo(namespace + rendered("enforcement.enabled=true"))
                .contains("resources: [pods/eviction]", "kind: CustomResourceDefinition");
        assertThat(folder.resolve("install-observe-only.yaml"))
                .content()
                .isEqualTo(namespace + rendered("enforcement.enabled=false"))
                .doesNotContain("resources: [pods/eviction]");
    }

    private String rendered(String setting) {
        out.getBuffer().setLength(0);
        assertThat(render("holdfast", "--namespace", "holdfast", "--set", setting))
                .isZero();
        return out.toString();
    }
}
