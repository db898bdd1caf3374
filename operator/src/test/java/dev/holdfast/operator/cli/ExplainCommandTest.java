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
import org.junit.jupiter.params.provider.MethodSource;

/** Explanations of pods of the sample in docs/samples. */
class ExplainCommandTest {
    private static final String SAMPLE = "../docs/samples/shop.yaml";

    @TempDir
    private Path folder;

    private final StringWriter out = new StringWriter();
    private final StringWriter err = new StringWriter();

    private int explain(String arguments) {
        return new CommandRun(Path.of(""), out, err).execute(("explain " + arguments + " -f " + SAMPLE).split(" "));
    }

    static Stream<Arguments> pods() {
        return Stream.of(
                argumentSet("a pod on a node with another label", "web-1", """
                    Pod shop/web-1 on node-1

                    RULE           FROM             VERDICT    REQUIRES   BECAUSE                          HEALS
                    NodeAffinity   its spec alone   Violated   disk=ssd   node-1 does not match disk=ssd   node-1 matches disk=ssd

                    3 of 4 nodes would take it by its rules: node-2, node-3, node-4
                      1 would not (its rule NodeAffinity: disk=ssd): node-1
                    """),
                argumentSet("a pod without rules", "cache-1", """
                    Pod shop/cache-1 on node-3

                    No required rule applies to it.

                    4 of 4 nodes would take it by its rules: node-1, node-2, node-3, node-4
                    """));
    }

    @ParameterizedTest
    @MethodSource("pods")
    void anExplanationNamesRulesAndNodes(String pod, String text) {
        assertThat(explain("pod/" + pod + " -n shop")).isEqualTo(ExitCode.OK);

        assertThat(out).hasToString(text);
        assertThat(err.toString()).isEmpty();
    }

    @Test
    void aPodKeepsApartFromThoseOnEachNode() {
        assertThat(explain("pod/db-1 -n shop")).isEqualTo(ExitCode.OK);

        assertThat(out.toString())
                .contains("2 of 4 nodes would take it by its rules: node-1, node-3")
                .contains("2 would not (its rule PodAntiAffinity: ")
                .contains(": node-2, node-4");
    }

    @Test
    void jsonHasTheSame() throws IOException {
        assertThat(explain("pod/worker-1 -n shop -o json")).isEqualTo(ExitCode.OK);

        JsonNode explanation = new ObjectMapper().readTree(out.toString());
        assertThat(explanation.path("kind").asText()).isEqualTo("PodExplanation");
        assertThat(explanation.at("/rules/0/verdict").asText()).isEqualTo("Violated");
        assertThat(explanation.at("/rules/0/ofSpec").asBoolean()).isTrue();
        assertThat(explanation.at("/nodes/accepting")).hasToString("{\"why\":\"\",\"count\":1,\"names\":[\"node-4\"]}");
    }

    @Test
    void withAPolicyItIsSaidWhatTheOperatorWouldDoNext() {
        assertThat(explain("pod/web-1 -n shop --policy ../docs/samples/keep.yaml"))
                .isEqualTo(ExitCode.OK);

        assertThat(out.toString())
                .contains("What the operator would do if it started now")
                .contains("PlacementEvicting");
    }

    @Test
    void aRuleOfThePodThatNoPolicyAsksForIsNamed() throws IOException {
        Path other = folder.resolve("other.yaml");
        Files.writeString(
                other,
                Files.readString(Path.of("../docs/samples/keep.yaml")).replace("namespace: shop", "namespace: other"));

        assertThat(explain("pod/web-1 -n shop --policy " + other)).isEqualTo(ExitCode.OK);

        assertThat(out.toString()).contains("NodeAffinity   its spec alone   Violated");
    }

    static Stream<Arguments> mistakes() {
        return Stream.of(
                argumentSet(
                        "no such pod",
                        "pod/web-1",
                        ExitCode.COULD_NOT_RUN,
                        "holdfast: the input has no pod default/web-1: see -n, or list them with kubectl get pods"
                                + " -A\n"),
                argumentSet(
                        "another kind",
                        "svc/web",
                        ExitCode.USAGE,
                        "holdfast: 'svc/web' is not a pod: write pod/NAME\nTry: holdfast explain --help\n"));
    }

    @ParameterizedTest
    @MethodSource("mistakes")
    void aMistakeIsOneMessage(String arguments, int code, String message) {
        assertThat(explain(arguments)).isEqualTo(code);

        assertThat(out.toString()).isEmpty();
        assertThat(err).hasToString(message);
    }
}
