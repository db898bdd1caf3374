package dev.holdfast.operator.offline.report.page;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;
import static org.junit.jupiter.params.provider.Arguments.argumentSet;

import com.fasterxml.jackson.databind.JsonNode;
import dev.holdfast.operator.offline.report.Drawing;
import dev.holdfast.operator.offline.report.Reports;
import dev.holdfast.operator.offline.report.SyntheticReport;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * The page in a real browser. A script that stands in the page for the test alone uses it and writes what it found into
 * the page; the security policy has the hash of this script too. {@code -Dholdfast.report.screenshots=FOLDER} also
 * draws it.
 */
@Timeout(120)
class ReportPageTest {
    private static final Optional<Browser> BROWSER =
            Browser.on(Optional.ofNullable(System.getenv("PATH")).orElse(""));
    private static int leftOut;

    @TempDir
    private Path folder;

    @BeforeEach
    void requireBrowser() {
        if (BROWSER.isEmpty()) {
            leftOut++;
        }
        assumeTrue(BROWSER.isPresent(), Browser.INSTALL);
    }

    @AfterAll
    static void sayWhatWasLeftOut() {
        if (leftOut > 0) {
            System.out.println(leftOut + " browser tests of the report were left out: " + Browser.INSTALL);
        }
    }

    private JsonNode found(Drawing drawing, Browser.Window window, String... scripts) throws Exception {
        return FoundInPage.found(BROWSER.orElseThrow(), folder, drawing, window, scripts);
    }

    private static HtmlPage page(Drawing drawing, PageScript script) {
        return new HtmlPage(drawing.report(), drawing.map(), script);
    }

    private JsonNode inSample(String script) throws Exception {
        return found(Reports.drawingOfSample(), Browser.Window.WIDE, FoundInPage.FOUND + script);
    }

    @Test
    void whatTheConsoleSaysWouldFailATest() throws Exception {
        PageScript script = PageScript.ofProduct().and("console.error('one'); undefined.two;");
        String page = String.join("\n", page(Reports.drawingOfSample(), script).lines())
                .replace("<main>", "<main><img src='three' onerror='four'><script>five()</script>");

        Browser.Opened opened = BROWSER.orElseThrow().open(page, folder, Browser.Window.WIDE);

        // The last two are what the security policy refused: an image, a handler or a script that is not the page's
        // own.
        assertThat(String.join("\n", opened.console()))
                .contains("one", "reading 'two'", "Loading the image", "Executing inline script");
    }

    static Stream<Arguments> clusters() {
        return Stream.of(
                argumentSet("no nodes", new SyntheticReport(0, 0, 0, "n")),
                argumentSet("one node", new SyntheticReport(1, 1, 1, "n")),
                argumentSet("5,000 nodes", new SyntheticReport(5_000, 8_400, 500, "checkout-7d9c5b8f6d-")),
                argumentSet("hostile names", new SyntheticReport(40, 60, 60, HtmlPageTest.HOSTILE)),
                argumentSet("long names", new SyntheticReport(40, 60, 60, "n".repeat(240))));
    }

    @ParameterizedTest
    @MethodSource("clusters")
    void nothingIsWiderThanAWideWindow(SyntheticReport report) throws Exception {
        fits(report, Browser.Window.WIDE);
    }

    @ParameterizedTest
    @MethodSource("clusters")
    void nothingIsWiderThanANarrowWindow(SyntheticReport report) throws Exception {
        fits(report, Browser.Window.NARROW);
    }

    private void fits(SyntheticReport report, Browser.Window window) throws Exception {
        JsonNode found = found(report.drawing(), window, FoundInPage.FOUND + """
            found({
              window: innerWidth,
              page: document.documentElement.scrollWidth,
              loaded: performance.getEntriesByType('resource').length,
            });
            """);

        assertThat(found.path("page").asInt())
                .isLessThanOrEqualTo(found.path("window").asInt());
        assertThat(found.path("loaded").asInt()).isZero();
    }

    @ParameterizedTest
    @ValueSource(strings = {"light", "dark"})
    void axeFindsNothingToImprove(String theme) throws Exception {
        assertThat(violations(Reports.drawingOfSample(), theme, "")).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(strings = {"light", "dark"})
    void axeFindsNothingToImproveWhereMuchIsLeftOutAndACellIsSelected(String theme) throws Exception {
        Drawing report = new SyntheticReport(200, 120, 40, "checkout-").drawing();

        assertThat(violations(report, theme, "document.querySelector('td[data-pods]').click();"))
                .isEmpty();
    }

    @Test
    void axeFindsNothingToImproveInAnEmptyCluster() throws Exception {
        assertThat(violations(new SyntheticReport(0, 0, 0, "n").drawing(), "light", ""))
                .isEmpty();
    }

    private JsonNode violations(Drawing drawing, String theme, String before) throws Exception {
        return found(drawing, Browser.Window.WIDE, axe(), FoundInPage.FOUND + before + """
            document.documentElement.dataset.theme = 'THEME';
            document.querySelectorAll('article details').forEach((it) => { it.open = true; });
            axe.run().then((result) => found(result.violations.map((it) => [
              it.id, it.help, it.nodes.slice(0, 3).map((node) => [node.html, node.failureSummary])])));
            """.replace("THEME", theme));
    }

    static String axe() throws Exception {
        try (InputStream script = ReportPageTest.class.getResourceAsStream("/axe.min.js")) {
            return new String(Objects.requireNonNull(script).readAllBytes(), UTF_8);
        }
    }

    @Test
    void hostileNamesStayText() throws Exception {
        Drawing report = new SyntheticReport(3, 3, 3, HtmlPageTest.HOSTILE).drawing();

        JsonNode found = found(report, Browser.Window.WIDE, FoundInPage.FOUND + """
            found({
              images: document.images.length,
              scripts: document.scripts.length,
              styles: document.styleSheets.length,
              name: document.querySelector('h3 .ns').textContent,
              title: document.title,
              pod: names()[0] || document.querySelector('article h3').textContent,
            });
            """);

        String shown = HtmlPageTest.HOSTILE.replace("\u202e", "\\u202e").replace("\u001b", "\\u001b");
        assertThat(found.path("images").asInt()).isZero();
        assertThat(found.path("scripts").asInt()).isEqualTo(2);
        assertThat(found.path("styles").asInt()).isEqualTo(1);
        assertThat(found.path("pod").asText()).isEqualTo(shown + "/" + shown + "0");
        assertThat(found.path("title").asText()).isEqualTo("Report " + shown + ": 3 violations");
    }

    @Test
    void aSelectedCellShowsItsPodsAndTheirExplanation() throws Exception {
        JsonNode found = inSample("""
            document.querySelectorAll('#t0 td[data-pods]')[1].click();
            found({
              pods: names(),
              open: shown('article details[open]').length,
              selected: document.getElementById('selected').textContent,
              explained: shown('article .body').map((it) => it.innerText).join('\\n'),
            });
            """);

        assertThat(found.path("pods").toString()).isEqualTo("[\"shop/db-1\",\"shop/db-2\"]");
        assertThat(found.path("open").asInt()).isEqualTo(2);
        assertThat(found.path("selected").asText()).isEqualTo("shop/db ReplicaSet, a");
        assertThat(found.path("explained").asText())
                .contains("it shares kubernetes.io/hostname=node-2 with shop/db-2", "nodes would take the pod");
    }

    @Test
    void theKeyboardIsEnough() throws Exception {
        JsonNode found = inSample("""
            const steps = [];
            const step = () => steps.push(document.activeElement.closest('tr')
                ? document.activeElement.parentNode.cells[0].textContent + ' '
                    + document.activeElement.closest('table').tHead.rows[0].cells[document.activeElement.cellIndex].textContent
                : document.activeElement.id);
            document.querySelector('#t0 td[tabindex="0"]').focus();
            step();
            for (const key of ['ArrowDown', 'ArrowLeft', 'ArrowLeft', 'ArrowRight', 'ArrowRight', 'ArrowRight', 'ArrowLeft',
                'ArrowLeft', 'ArrowUp', 'ArrowUp', 'ArrowDown', 'Enter']) {
              press(key);
              step();
            }
            const pods = names();
            press('Escape');
            step();
            const all = names().length;
            press('/');
            step();
            found({
              steps, pods, all,
              inTabOrder: document.querySelectorAll('#t0 td[tabindex="0"]').length,
              outOfOrder: Array.from(document.querySelectorAll('[tabindex]')).filter((it) => it.tabIndex > 0).length,
            });
            """);

        assertThat(found.path("steps"))
                .extracting(JsonNode::asText)
                .containsExactly(
                        "shop/api ReplicaSet c",
                        "shop/db ReplicaSet c", // down
                        "shop/db ReplicaSet a", // left, past the hidden b
                        "shop/db ReplicaSet a", // left: the name is no cell
                        "shop/db ReplicaSet c",
                        "shop/db ReplicaSet Other domains",
                        "shop/db ReplicaSet Other domains", // right: the end
                        "shop/db ReplicaSet c",
                        "shop/db ReplicaSet a",
                        "shop/api ReplicaSet a",
                        "shop/api ReplicaSet a", // up: the top
                        "shop/db ReplicaSet a",
                        "pods", // Enter: to the explanation
                        "shop/db ReplicaSet a", // Escape: back
                        "filter"); // slash
        assertThat(found.path("pods").toString()).isEqualTo("[\"shop/db-1\",\"shop/db-2\"]");
        assertThat(found.path("all").asInt()).isEqualTo(6);
        assertThat(found.path("inTabOrder").asInt()).isEqualTo(1);
        assertThat(found.path("outOfOrder").asInt()).isZero();
    }

    static Stream<Arguments> filters() {
        return Stream.of(
                argumentSet("a workload", "shop/WEB", 1, "[\"shop/web-1\"]", 0),
                argumentSet(
                        "a node: the pods on it", "node-2", 2, "[\"shop/db-1\",\"shop/db-2\",\"shop/worker-2\"]", 0),
                argumentSet("a kind of rule", "topologyspread", 1, "[\"shop/worker-1\",\"shop/worker-2\"]", 1),
                argumentSet("nothing", "no such thing", 0, "[]", 0));
    }

    @ParameterizedTest
    @MethodSource("filters")
    void theFilterFinds(String text, int rows, String pods, int strips) throws Exception {
        JsonNode found = inSample("""
            type('TEXT');
            found({
              rows: shown('#t0 tbody tr').length,
              pods: names(),
              strips: shown('.strip').length,
              said: document.getElementById('shown').textContent,
            });
            """.replace("TEXT", text));

        assertThat(found.path("pods").toString()).isEqualTo(pods);
        assertThat(found.path("rows").asInt()).isEqualTo(rows);
        assertThat(found.path("strips").asInt()).isEqualTo(strips);
        assertThat(found.path("said").asText()).endsWith(" of 6 listed pods shown");
    }

    @Test
    void allDomainsAreShownOnRequest() throws Exception {
        JsonNode found = inSample("""
            const columns = () => shown('#t0 thead th').map((it) => it.textContent);
            const some = columns();
            const button = document.querySelector('.domains');
            button.click();
            found({some, all: columns(), pressed: button.getAttribute('aria-pressed')});
            """);

        assertThat(found.path("some").toString()).isEqualTo("[\"Workload\",\"a\",\"c\",\"Other domains\"]");
        assertThat(found.path("all").toString()).isEqualTo("[\"Workload\",\"a\",\"b\",\"c\"]");
        assertThat(found.path("pressed").asText()).isEqualTo("true");
    }

    @Test
    void theThemeIsThatOfTheSystemUntilItIsChosen() throws Exception {
        JsonNode found = inSample("""
            const theme = document.getElementById('theme');
            const themes = [];
            for (let press = 0; press < 4; press++) {
              themes.push(theme.textContent + ' ' + getComputedStyle(document.body).backgroundColor);
              theme.click();
            }
            found(themes);
            """);

        assertThat(found)
                .extracting(JsonNode::asText)
                .containsExactly(
                        "Theme: system rgb(244, 246, 248)",
                        "Theme: light rgb(244, 246, 248)",
                        "Theme: dark rgb(13, 17, 23)",
                        "Theme: system rgb(244, 246, 248)");
    }

    @Test
    void onPaperEveryExplanationIsOpen() throws Exception {
        Drawing report = new SyntheticReport(30, 60, 60, "checkout-").drawing();
        String page = String.join("\n", page(report, PageScript.ofProduct()).lines());
        String closed = page.replace("details::details-content { content-visibility: visible; height: auto; }", "")
                // Without the changed style in the policy, the page would have none.
                .replaceFirst("style-src '[^']*'", "style-src 'unsafe-inline'");

        int open = sheets(BROWSER.orElseThrow().print(page, folder));

        assertThat(open).isGreaterThan(sheets(BROWSER.orElseThrow().print(closed, folder)));
    }

    private static int sheets(byte[] pdf) {
        return new String(pdf, ISO_8859_1).split("/Type\\s*/Page\\b", -1).length - 1;
    }

    @Test
    void itIsDrawn() throws Exception {
        Optional<Path> pictures = Optional.ofNullable(System.getProperty("holdfast.report.screenshots"))
                .map(Path::of);
        if (pictures.isPresent()) {
            Files.createDirectories(pictures.get());
            draw(Reports.drawingOfSample(), pictures.get().resolve("sample.png"), Browser.Window.WIDE, "");
            draw(Reports.drawingOfSample(), pictures.get().resolve("narrow.png"), new Browser.Window(500, 2400), "");
            draw(
                    Reports.drawingOfSample(),
                    pictures.get().resolve("dark.png"),
                    new Browser.Window(1400, 1300),
                    "document.documentElement.dataset.theme = 'dark';"
                            + " document.querySelector('td[data-pods]').click();");
            draw(
                    new SyntheticReport(5_000, 8_400, 500, "checkout-7d9c5b8f6d-").drawing(),
                    pictures.get().resolve("large.png"),
                    new Browser.Window(1400, 1800),
                    "");
        }
    }

    private void draw(Drawing drawing, Path png, Browser.Window window, String script) throws Exception {
        PageScript scripts = PageScript.ofProduct().and(script);
        BROWSER.orElseThrow()
                .draw(
                        String.join("\n", new HtmlPage(drawing.report(), drawing.map(), scripts).lines()),
                        folder,
                        window,
                        png.toAbsolutePath());
        assertThat(png).isNotEmptyFile();
    }
}
