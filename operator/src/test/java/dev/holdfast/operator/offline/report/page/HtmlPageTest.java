package dev.holdfast.operator.offline.report.page;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.params.provider.Arguments.argumentSet;

import dev.holdfast.operator.offline.report.Drawing;
import dev.holdfast.operator.offline.report.Reports;
import dev.holdfast.operator.offline.report.SyntheticReport;
import dev.holdfast.operator.offline.report.form.ReportOutput;
import java.security.MessageDigest;
import java.util.ArrayDeque;
import java.util.Base64;
import java.util.Deque;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** The page as text. What a browser makes of it is tested by {@code ReportPageIT}. */
class HtmlPageTest {
    /** What a browser would act on if it were markup. */
    static final String HOSTILE = "<img src=x onerror=alert(1)>'\"`&amp;</script></style>--><b>\u202e\u001b[2J";

    private static String page(Drawing drawing) {
        return String.join("\n", ReportOutput.HTML.lines(drawing.report(), drawing.map(), "0.1.0"));
    }

    @Test
    void theSecurityPolicyNamesTheHashesOfTheOnlyStyleAndTheOnlyScript() throws Exception {
        String page = page(Reports.drawingOfSample());

        String policy = between(page, "Content-Security-Policy\" content=\"", "\">");
        assertThat(policy)
                .isEqualTo("default-src 'none'; style-src 'sha256-" + sha256(between(page, "<style>", "</style>"))
                        + "'; script-src 'sha256-" + sha256(between(page, "<script>", "</script>"))
                        + "'; base-uri 'none'; form-action 'none'");
        assertThat(page.split("<script", -1)).hasSize(2);
        assertThat(page.split("<style", -1)).hasSize(2);
    }

    private static String between(String page, String start, String end) {
        int from = page.indexOf(start) + start.length();
        return page.substring(from, page.indexOf(end, from));
    }

    private static String sha256(String text) throws Exception {
        return Base64.getEncoder()
                .encodeToString(MessageDigest.getInstance("SHA-256").digest(text.getBytes(UTF_8)));
    }

    @Test
    void theFirstLinkLeadsToThePods() throws Exception {
        assertThat(page(Reports.drawingOfSample())).contains("<a class=skip href=\"#pods\">Skip to: Affected pods</a>");
    }

    @Test
    void thePageNamesNoOtherResource() throws Exception {
        assertThat(page(Reports.drawingOfSample()))
                .doesNotContain("://", "url(", "@import", "src=", "<link", "<iframe", " style=", " onclick");
    }

    @Test
    void hostileNamesAreTextInAscii() {
        String page = page(new SyntheticReport(3, 6, 6, HOSTILE).drawing());

        assertThat(page)
                .doesNotContain("<img", "<b>\u202e", "onerror=alert(1)>")
                .contains("&#60;img src=x onerror=");
        assertThat(page.chars().filter(letter -> letter != '\n')).allMatch(letter -> letter >= ' ' && letter <= '~');
    }

    @Test
    void elementsAreClosedInTheOrderInWhichTheyWereOpened() {
        String page = page(new SyntheticReport(40, 60, 20, HOSTILE).drawing());

        Deque<String> open = new ArrayDeque<>();
        String markup = page.replaceAll("(?s)<(style|script)>.*?</\\1>", "");
        Matcher tags = Pattern.compile("<(/?)([a-z0-9]+)[^>]*?(/?)>").matcher(markup);
        while (tags.find()) {
            if (tags.group(1).isEmpty()) {
                if (tags.group(3).isEmpty() && !tags.group(2).matches("meta|input|br|wbr")) {
                    open.push(tags.group(2));
                }
            } else {
                assertThat(open.pop())
                        .as(markup.substring(Math.max(0, tags.start() - 80), tags.end()))
                        .isEqualTo(tags.group(2));
            }
        }
        assertThat(open).isEmpty();
    }

    static Stream<Arguments> clusters() {
        return Stream.of(
                argumentSet("no nodes", new SyntheticReport(0, 0, 0, "n"), "All rules hold."),
                argumentSet("one node, one pod", new SyntheticReport(1, 1, 1, "n"), "1 pod. Select a cell"),
                argumentSet(
                        "all pods listed",
                        new SyntheticReport(3, 12, 12, "n"),
                        "12 pods. Select a cell of a table to see only its pods."),
                argumentSet(
                        "12 of 13 pods listed",
                        new SyntheticReport(3, 13, 12, "n"),
                        "12 pods; 1 more affected pod is not listed. --limit sets how many are."),
                argumentSet(
                        "2,500 affected nodes, of which 30 are columns",
                        new SyntheticReport(5_000, 8_400, 500, "n"),
                        "The 30 domains with the most affected pods. 2,470 more affected domains and those without"),
                argumentSet(
                        "8,400 spread constraints, of which 60 are drawn",
                        new SyntheticReport(5_000, 8_400, 500, "n"),
                        "8,340 more spread constraints are not drawn; 8,340 violated ones among them."),
                argumentSet(
                        "2,100 workloads, of which 200 are rows",
                        new SyntheticReport(5_000, 8_400, 500, "n"),
                        "The 200 workloads with the most affected pods. 1,900 more affected workloads are not in"));
    }

    static Stream<Arguments> maps() {
        return Stream.of(
                argumentSet(
                        "1,334 of 4,000 nodes in a zone, of which 334 are drawn",
                        new SyntheticReport(4_000, 1_000, 0, "n").drawing(3),
                        "1,000 more nodes with 3,000 pods, 0 affected ones"),
                argumentSet(
                        "12,000 pods, of which the affected ones have names",
                        new SyntheticReport(100, 40, 0, "n").drawing(120),
                        "Of 12,040 pods, only the affected ones have names here."),
                argumentSet(
                        "names of nodes with a common start",
                        new SyntheticReport(3, 0, 0, "gke-production-pool-").drawing(3),
                        "Names of nodes are written without gke-<wbr>production-<wbr>pool- at the start."));
    }

    @ParameterizedTest
    @MethodSource("maps")
    void whatTheMapLeavesOutIsSaid(Drawing drawing, String said) {
        assertThat(page(drawing)).contains(said);
    }

    @Test
    void aLargeClusterHasATableOfNamespacesAndKindsOfRules() {
        assertThat(page(new SyntheticReport(3, 41, 0, "shop").drawing()))
                .contains("<th scope=col>Namespace</th><th scope=col>PodAntiAffinity</th><th scope=col>All</th>")
                .contains("data-filter=\"shop/\">shop</button></th><td>41</td><td class=all>41</td></tr>");
    }

    @Test
    void aLargeClusterHasATableOfCauses() {
        assertThat(page(new SyntheticReport(3, 41, 40, "shop").drawing()))
                .contains("data-missing=\"1\">")
                .contains("</button></th><td>shop</td><td class=all>41</td><td>41</td><td>11</td></tr>");
    }

    static Stream<Arguments> sections() {
        return Stream.of(
                argumentSet(
                        "400 pods wait for 60 reasons, of which 30 are rows",
                        "id=pending>400 pods without a node</h2>",
                        "30 more reasons are not in this table."),
                argumentSet("of 400 warnings, 10 are listed", "<ul class=warnings>", "<li>390 more warnings</li>"),
                argumentSet("of 400 policies, 30 are rows", "id=policies>Policies</h2>", "370 more rows are not"),
                argumentSet(
                        "of 400 violations with deadlines, 20 are rows",
                        "2026-11-<wbr>20T12:00:<wbr>00Z",
                        "380 more violations are not"),
                argumentSet("of 400 budgets, 30 are rows", "id=budgets>Budgets that never allow", "370 more budgets"),
                argumentSet(
                        "the failure of a zone hits 300 workloads, of which 40 are rows",
                        "id=zonefailures>If a zone fails</h2>",
                        "260 more workloads are not in this table."));
    }

    @ParameterizedTest
    @MethodSource("sections")
    void aSectionIsBoundedAndSaysSo(String start, String said) {
        assertThat(page(new SyntheticReport(50, 4_000, 0, "n").drawing())).contains(start, said);
    }

    @Test
    void aSectionWithoutContentIsLeftOut() throws Exception {
        assertThat(page(Reports.drawingOfSample()))
                .doesNotContain(
                        "id=warnings",
                        "id=pending",
                        "id=policies",
                        "id=budgets",
                        "id=zonefailures",
                        "pods without a node");
    }

    @Test
    void aSmallClusterHasNoTableOfNamespaces() {
        assertThat(page(new SyntheticReport(3, 40, 0, "shop").drawing())).doesNotContain("id=namespaces", "id=causes");
    }

    @Test
    void aNodeHasAPathOfMarksForEachState() throws Exception {
        assertThat(page(Reports.drawingOfSample()))
                .contains("<path class=v d=\"M5 1l5 8h-10zM15 1l5 8h-10zM25 1l5 8h-10z\"/><path class=f d=\"M35"
                        + " 5h0\"/></svg>");
    }

    @ParameterizedTest
    @MethodSource("clusters")
    void whatIsLeftOutIsSaid(SyntheticReport report, String said) {
        assertThat(page(report.drawing())).contains(said);
    }

    @Test
    void thePageOfTheLargestClustersIsBounded() {
        // 150,000 pods on 5,000 nodes, 8,400 violations, with the longest names that Kubernetes takes for pods.
        String page = page(new SyntheticReport(5_000, 8_400, 500, "n".repeat(249)).drawing());

        assertThat(page.length()).isLessThan(12_000_000);
    }

    @Test
    void withNamesOfUsualLengthItIsFarSmaller() {
        String page = page(new SyntheticReport(5_000, 8_400, 500, "checkout-7d9c5b8f6d-").drawing());

        assertThat(page.length()).isLessThan(2_500_000);
    }

    @Test
    void withThePodsOfAUsualLargeClusterItHasAtMostTwoMegabytes() {
        String page =
                page(new SyntheticReport(180, 640, 500, "ip-10-0-checkout-7d9c5b8f6d.eu-west-1.internal-").drawing(26));

        assertThat(page.length()).isLessThan(2_000_000);
    }

    @Test
    void theSameReportGivesTheSamePage() throws Exception {
        assertThat(page(Reports.drawingOfSample())).isEqualTo(page(Reports.drawingOfSample()));
    }
}
