package dev.holdfast.operator.offline.report.page;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.fasterxml.jackson.databind.JsonNode;
import dev.holdfast.operator.offline.check.ViolationState;
import dev.holdfast.operator.offline.dump.DumpException;
import dev.holdfast.operator.offline.policytest.PolicyTests;
import dev.holdfast.operator.offline.policytest.TestReport;
import dev.holdfast.operator.offline.report.PlayedTests;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The page of tests as text, and in a real browser. */
@Timeout(120)
class TestPageTest {
    private static final String SAMPLES = "../docs/samples/tests";

    private static final Optional<Browser> BROWSER =
            Browser.on(Optional.ofNullable(System.getenv("PATH")).orElse(""));

    @TempDir
    private Path folder;

    private static List<String> lines(PageScript script, String... folders) {
        try {
            PlayedTests played = new PlayedTests();
            TestReport report = PolicyTests.in(List.of(folders), _ -> {}).run(_ -> {}, played);
            return new TestPage(report, played, script).lines();
        } catch (DumpException e) {
            throw new AssertionError(e);
        }
    }

    private static String page(String... folders) {
        return String.join("\n", lines(PageScript.ofProduct(), folders));
    }

    private String copyOfSample(String from, String to) throws IOException {
        Path sample = Path.of(SAMPLES, "node-loses-its-label");
        for (String file : List.of("cluster.yaml", "policies.yaml", "test.yaml")) {
            Files.writeString(
                    folder.resolve(file), Files.readString(sample.resolve(file)).replaceAll(from, to));
        }
        return folder.toString();
    }

    @Test
    void eachTestHasATimeLineOfItsOwn() {
        assertThat(page(SAMPLES))
                .contains("<a class=skip href=\"#pods\">Skip to: Time lines</a>")
                .contains("<p class=axis><span>0s</span><span>3h</span></p>")
                .contains("<p class=axis><span>0s</span><span>1h</span></p>")
                .contains("<li><b>15m</b> evicted <span class=muted>for rule NodeAffinity of shop/<wbr>fast-disks")
                .contains("<article id=\"p3\">")
                .doesNotContain("<article id=\"p4\">");
    }

    @Test
    void aTestThatFailsComesFirstWithItsDeviations() throws Exception {
        String page = page(SAMPLES, copyOfSample("(?s)expect:.*", "expect: [{at: 1h, evictions: []}]"));

        assertThat(page)
                .contains("<title>Tests: 1 failed</title>")
                .contains("<span class=muted>failed</span></h2>")
                .contains("<li>at 1h: unexpected eviction ");
        assertThat(page.indexOf(">failed</span>")).isLessThan(page.indexOf(">passed</span>"));
    }

    @Test
    void aTestThatCannotBePlayedSaysWhy() throws Exception {
        assertThat(page(copyOfSample("(?s)expect:.*", "")))
                .contains("<title>Tests: 0 failed, 1 not played</title>")
                .contains("<span class=muted>not played</span></h2>", "the test expects nothing")
                .doesNotContain("<article");
    }

    @Test
    void aTestSaysHowManyPodsAreNotListed() throws Exception {
        // 212 pods on four nodes: 53 are on the node that loses its label.
        assertThat(page(copyOfSample("replicas: 3", "replicas: 212"))).contains("3 more pods are not listed.");
    }

    @Test
    void aTestHasItsWarningsAndTheFirstDeviations() {
        TestReport.Difference deviation =
                new TestReport.Difference(0, "holds", "Missing", Map.of(), ViolationState.DUE, "at 0s: missing hold");
        TestReport report = new TestReport(
                "v1",
                TestReport.KIND,
                new TestReport.Summary(1, 0, 1, 0),
                List.of(new TestReport.Result(
                        "a",
                        "",
                        false,
                        "",
                        Collections.nCopies(31, deviation),
                        Collections.nCopies(12, "a step changes nothing"))));

        String page = String.join("\n", new TestPage(report, new PlayedTests(), PageScript.ofProduct()).lines());

        assertThat(page)
                .contains("<ul class=warnings>\n<li>a step changes nothing</li>\n")
                .contains("<li>2 more warnings</li>\n</ul>\n<ul class=rules>\n")
                .contains("<li>at 0s: missing hold</li>\n<li>1 more deviation</li>\n</ul>");
    }

    private JsonNode found(Browser.Window window, String... scripts) throws Exception {
        assumeTrue(BROWSER.isPresent(), Browser.INSTALL);
        return FoundInPage.found(BROWSER.orElseThrow(), folder, script -> lines(script, SAMPLES), window, scripts);
    }

    @ParameterizedTest
    @ValueSource(ints = {400, 1_000, 1_500})
    void noTextIsOverAnEdge(int width) throws Exception {
        JsonNode found = found(new Browser.Window(width, 900), FoundInPage.FOUND + FoundInPage.OVER_AN_EDGE);

        assertThat(found.path("page").asInt()).isLessThanOrEqualTo(width);
        assertThat(found.path("over")).extracting(JsonNode::asText).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(strings = {"light", "dark"})
    void axeFindsNothingToImprove(String theme) throws Exception {
        assertThat(found(Browser.Window.WIDE, ReportPageTest.axe(), FoundInPage.FOUND + """
            document.documentElement.dataset.theme = 'THEME';
            document.querySelectorAll('article details').forEach((it) => { it.open = true; });
            axe.run().then((result) => found(result.violations.map((it) => [
              it.id, it.help, it.nodes.slice(0, 3).map((node) => [node.html, node.failureSummary])])));
            """.replace("THEME", theme)))
                .isEmpty();
    }
}
