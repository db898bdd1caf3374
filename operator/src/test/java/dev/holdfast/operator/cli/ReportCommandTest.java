package dev.holdfast.operator.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.params.provider.Arguments.argumentSet;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

/** Output and exit codes of {@code holdfast report}. */
class ReportCommandTest {
    private static final String SHOP =
            Path.of("..", "docs", "samples", "shop.yaml").toString();

    @TempDir
    private Path folder;

    private final StringWriter out = new StringWriter();
    private final StringWriter err = new StringWriter();

    private int report(String... options) {
        String[] arguments = Stream.concat(Stream.of("report", "-f", SHOP), Stream.of(options))
                .toArray(String[]::new);
        return CommandRun.printingTo(folder, out, err).execute(arguments);
    }

    private JsonNode document() throws IOException {
        return new ObjectMapper().readTree(out.toString());
    }

    @ParameterizedTest
    @CsvSource({
        "html, <!doctype html>",
        "md, # Holdfast report",
        "json, {",
        "junit, <?xml version=\"1.0\" encoding=\"UTF-8\"?>",
        "sarif, {"
    })
    void eachFormGoesToStandardOutputAndTheNumbersToStandardError(String form, String firstLine) {
        assertThat(report("-o", form)).isEqualTo(ExitCode.FINDINGS);

        assertThat(out.toString().lines().findFirst()).contains(firstLine);
        assertThat(err)
                .hasToString("holdfast: 6 violations; 11 pods on 4 nodes; a restart of the kubelet would reject 1"
                        + " pod, because it checks node rules again\n");
    }

    static Stream<Arguments> findings() {
        return Stream.of(
                argumentSet("a violation, by default", ExitCode.FINDINGS, new String[] {}),
                argumentSet("never", ExitCode.OK, new String[] {"--fail-on", "never"}),
                argumentSet("no pod of another namespace", ExitCode.OK, new String[] {"-n", "kube-system"}),
                argumentSet(
                        "no such pod is killed", ExitCode.OK, new String[] {"--fail-on", "killed", "-l", "app=worker"}),
                argumentSet(
                        "such a pod is killed", ExitCode.FINDINGS, new String[] {"--fail-on", "killed", "-l", "app=web"
                        }));
    }

    @ParameterizedTest
    @MethodSource("findings")
    void theExitCodeSaysWhetherThereAreFindings(int exit, String[] options) {
        assertThat(report(options)).isEqualTo(exit);
    }

    @Test
    void theOptionsDecideWhatIsInTheDocument() throws IOException {
        report("-o", "json", "-l", "app in (web,worker)", "--limit", "1", "--title", "production");

        JsonNode document = document();
        assertThat(document.path("title").asText()).isEqualTo("production");
        assertThat(document.path("source").asText()).isEqualTo(SHOP);
        assertThat(document.path("pods").findValuesAsText("pod")).containsExactly("web-1", "worker-1", "worker-2");
        assertThat(document.path("pods").findValuesAsText("state")).containsExactly("Killed", "Violated", "Violated");
        assertThat(document.path("explanations")).hasSize(1);
    }

    @Test
    void aPolicyAddsItsRules() throws IOException {
        Path policy = Files.writeString(folder.resolve("policy.yaml"), """
            apiVersion: holdfast.dev/v1alpha1
            kind: PlacementPolicy
            metadata: {namespace: shop, name: fast}
            spec:
              podSelector: {matchLabels: {app: cache}}
              rules:
              - name: hdd
                nodeAffinity: {required: {nodeSelectorTerms: [{matchExpressions: [{key: disk, operator: In, values: [hdd]}]}]}}
            """);

        assertThat(report("-o", "json", "--policy", policy.toString())).isEqualTo(ExitCode.FINDINGS);

        assertThat(document().path("violations").findValuesAsText("pod")).containsExactly("cache-1");
        assertThat(document().at("/explanations/0/rules/0/policies/0").asText()).isEqualTo("shop/fast");
    }

    static Stream<Arguments> mistakes() {
        return Stream.of(
                argumentSet("an unknown form", new String[] {"-o", "pdf"}, "Invalid value for option '--output'"),
                argumentSet(
                        "one namespace and all",
                        new String[] {"-n", "shop", "-A"},
                        "give either --namespace or --all-namespaces"),
                argumentSet("no selector", new String[] {"-l", "=web"}, "--selector: cannot read '=web'"),
                argumentSet(
                        "a limit below zero",
                        new String[] {"--limit", "-1"},
                        "--limit must be greater than or equal to 0"));
    }

    @ParameterizedTest
    @MethodSource("mistakes")
    void aMistakeInTheCommandLineIsOneMessage(String[] options, String message) {
        assertThat(report(options)).isEqualTo(ExitCode.USAGE);

        assertThat(err.toString()).startsWith("holdfast: " + message).endsWith("Try: holdfast report --help\n");
        assertThat(out.toString()).isEmpty();
    }

    @Test
    void anInputThatCannotBeReadGivesNoReport() {
        int exit = CommandRun.printingTo(folder, out, err)
                .execute("report", "-f", folder.resolve("gone.yaml").toString());

        assertThat(exit).isEqualTo(ExitCode.COULD_NOT_RUN);
        assertThat(out.toString()).isEmpty();
        assertThat(err.toString()).contains("gone.yaml: no such file");
    }
}
