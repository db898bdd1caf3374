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
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Plays a copy of a sample test whose expectation is changed. */
class TestCommandTest {
    private static final Path SAMPLE = Path.of("../docs/samples/tests/node-loses-its-label");

    @TempDir
    private Path folder;

    private final StringWriter out = new StringWriter();
    private final StringWriter err = new StringWriter();

    @BeforeEach
    void copy() throws IOException {
        for (String file : new String[] {"cluster.yaml", "policies.yaml", "test.yaml"}) {
            Files.copy(SAMPLE.resolve(file), folder.resolve(file));
        }
    }

    private void expectNothing() throws IOException {
        Path test = folder.resolve("test.yaml");
        String written = Files.readString(test);
        Files.writeString(test, written.substring(0, written.indexOf("expect:")) + "expect: {evictions: []}\n");
    }

    static Stream<Arguments> deviations() {
        String audit = "Audit";
        String enforce = "Enforce";
        String excepted = "Enforce\n  exceptions: [{name: all, podSelector: {}, reason: test}]";
        String held = "Enforce\n  limits: {minReplicas: 9}";
        String early = "{at: 14m, violations: []}";
        String missing = "{at: 1m, violations: [{pod: shop/web-1}]}";
        return Stream.of(
                argumentSet("a violation of a policy in Audit", audit, early, 1, 0, 0, 0),
                argumentSet("a violation within its forgiveness", enforce, early, 1, 1, 0, 0),
                argumentSet("a violation that is due and held", held, "{at: 20m, violations: []}", 1, 1, 1, 0),
                argumentSet("a violation of an excepted pod", excepted, early, 1, 0, 0, 0),
                argumentSet("an eviction", enforce, "{at: 1h, evictions: []}", 1, 1, 1, 0),
                argumentSet("the hold of an excepted pod", excepted, "{at: 1h, holds: []}", 1, 0, 0, 0),
                argumentSet("no violation of a policy in Audit", audit, missing, 1, 0, 0, 0),
                argumentSet("no violation of a policy that enforces", enforce, missing, 1, 1, 1, 0),
                argumentSet("no pod that waits", audit, "{at: 1m, pending: [{pod: shop/web-4}]}", 1, 1, 1, 0),
                argumentSet("no roll-out", audit, "{at: 1m, rollOuts: [{name: shop/web}]}", 1, 1, 1, 0),
                argumentSet("nothing", enforce, "{at: 1m, violations: []}", 0, 0, 0, 0));
    }

    @ParameterizedTest
    @MethodSource("deviations")
    void theExitCodeFollowsTheMode(String mode, String expected, int any, int enforced, int due, int never)
            throws IOException {
        Path policies = folder.resolve("policies.yaml");
        Files.writeString(policies, Files.readString(policies).replace("mode: Enforce", "mode: " + mode));
        Path test = folder.resolve("test.yaml");
        String written = Files.readString(test);
        Files.writeString(test, written.substring(0, written.indexOf("expect:")) + "expect: " + expected + "\n");

        assertThat(Stream.of("any", "enforced", "due", "never").map(failOn -> test("--fail-on", failOn)))
                .containsExactly(any, enforced, due, never);
        assertThat(test()).isEqualTo(any);
        assertThat(err.toString().contains("warning: 1 failed test left out of the exit code by --fail-on enforced\n"))
                .isEqualTo(any > enforced);
    }

    @Test
    void aTestThatCannotBePlayedIsAnErrorWhateverCounts() throws IOException {
        Files.writeString(folder.resolve("test.yaml"), "hello");

        assertThat(test("--fail-on", "never")).isEqualTo(ExitCode.COULD_NOT_RUN);
    }

    private void warnOfAStep() throws IOException {
        Path test = folder.resolve("test.yaml");
        Files.writeString(
                test,
                Files.readString(test).replace("\nend:", "\n- {at: 6m, label: {nodes: n0, set: {disk: hdd}}}\nend:"));
    }

    private int test(String... options) {
        String[] arguments = new String[options.length + 2];
        arguments[0] = "test";
        arguments[1] = folder.toString();
        System.arraycopy(options, 0, arguments, 2, options.length);
        return CommandRun.printingTo(Path.of(""), out, err).execute(arguments);
    }

    private String printed() {
        return out.toString().replace(folder.toString(), "FOLDER");
    }

    @Test
    void aTestThatPasses() {
        assertThat(test()).isEqualTo(ExitCode.OK);
        assertThat(err).hasToString("holdfast: 1 test: 1 passed, 0 failed\n");
    }

    @Test
    void aTestThatFailsIsExplained() throws IOException {
        expectNothing();

        assertThat(test()).isEqualTo(ExitCode.FINDINGS);

        assertThat(printed()).contains("Failed   1").endsWith("""

            FOLDER:
              at 1h: unexpected eviction {at: 15m, pod: shop/web-1, node: n0, to: n3, policy: shop/fast-disks, rule: NodeAffinity, outcome: Moved}
            """);
        assertThat(err).hasToString("holdfast: 1 test: 0 passed, 1 failed\n");
    }

    @Test
    void aPageHasATimeLine() {
        assertThat(test("-o", "html")).isEqualTo(ExitCode.OK);

        assertThat(out.toString()).startsWith("<!doctype html>").contains("moved after 15m31s");
        assertThat(err).hasToString("holdfast: 1 test: 1 passed, 0 failed\n");
    }

    @Test
    void junitHasACaseForEachTest() throws IOException {
        expectNothing();

        assertThat(test("-o", "junit")).isEqualTo(ExitCode.FINDINGS);

        assertThat(printed()).contains("""
                <testcase classname="holdfast" name="FOLDER">
                  <failure message="1 deviation">
            at 1h: unexpected eviction {at: 15m, pod: shop/web-1, node: n0, to: n3\
            """);
    }

    @Test
    void jsonHasTheFieldsOfTheDeviation() throws IOException {
        expectNothing();

        assertThat(test("-o", "json")).isEqualTo(ExitCode.FINDINGS);

        JsonNode deviation = new ObjectMapper().readTree(out.toString()).at("/tests/0/deviations/0");
        assertThat(deviation.path("seconds").asInt()).isEqualTo(3600);
        assertThat(deviation.path("list").asText()).isEqualTo("evictions");
        assertThat(deviation.path("difference").asText()).isEqualTo("Unexpected");
        assertThat(deviation.at("/entry/pod").asText()).isEqualTo("shop/web-1");
    }

    @Test
    void jsonHasTheWarnings() throws IOException {
        warnOfAStep();

        assertThat(test("-o", "json")).isEqualTo(ExitCode.OK);

        assertThat(new ObjectMapper().readTree(out.toString()).at("/tests/0/warnings"))
                .extracting(JsonNode::asText)
                .containsExactly(folder + "/test.yaml: steps[1]: label[0]: changes nothing at this time");
    }

    @Test
    void junitHasTheWarnings() throws IOException {
        warnOfAStep();

        assertThat(test("-o", "junit")).isEqualTo(ExitCode.OK);

        assertThat(printed()).contains("""
                <testcase classname="holdfast" name="FOLDER">
                  <system-err>
            FOLDER/test.yaml: steps[1]: label[0]: changes nothing at this time
                  </system-err>
            """);
    }

    @Test
    void recordingMakesATestPass() throws IOException {
        expectNothing();

        assertThat(test("--record")).isEqualTo(ExitCode.OK);
        assertThat(test()).isEqualTo(ExitCode.OK);
        assertThat(err.toString()).contains("see whether it is what you expect");
    }

    @Test
    void aTestThatCannotBeRecordedIsAnError() throws IOException {
        Path other = Files.createDirectory(folder.resolve("other"));
        Files.writeString(other.resolve("test.yaml"), "hello");

        assertThat(test("--record")).isEqualTo(ExitCode.COULD_NOT_RUN);
        assertThat(err.toString())
                .contains("holdfast: wrote what happens into " + folder + "/test.yaml")
                .contains("; nothing is written to " + other);
    }

    @Test
    void aRecordingThatIsRefusedLeavesNoFile() throws IOException {
        Files.delete(folder.resolve("test.yaml"));

        assertThat(test("--record", folder.resolve("none").toString())).isEqualTo(ExitCode.COULD_NOT_RUN);
        assertThat(folder.resolve("test.yaml")).doesNotExist();
    }

    @Test
    void aFolderWithAClusterAloneIsAWarning() throws IOException {
        Path other = Files.createDirectory(folder.resolve("other"));
        Files.copy(folder.resolve("cluster.yaml"), other.resolve("cluster.yaml"));

        assertThat(test()).isEqualTo(ExitCode.OK);

        assertThat(err.toString())
                .contains("holdfast: warning: " + other + " has a cluster.yaml and no test.yaml, so it is no test:"
                        + " --record writes one\n");
    }

    @Test
    void aFolderWithoutATestIsAnError() throws IOException {
        Files.delete(folder.resolve("test.yaml"));

        assertThat(test()).isEqualTo(ExitCode.COULD_NOT_RUN);
        assertThat(err.toString()).contains("no folder in it has a file test.yaml; --record writes one");
        assertThat(out).hasToString("");
    }

    @Test
    void aFileInsteadOfAFolderIsAnError() {
        folder = folder.resolve("test.yaml");

        assertThat(test()).isEqualTo(ExitCode.COULD_NOT_RUN);
        assertThat(err.toString()).endsWith("there is no such folder: name a folder with a test.yaml\n");
    }
}
