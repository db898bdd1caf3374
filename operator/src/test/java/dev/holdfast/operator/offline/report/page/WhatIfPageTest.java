package dev.holdfast.operator.offline.report.page;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;
import static org.junit.jupiter.params.provider.Arguments.argumentSet;

import com.fasterxml.jackson.databind.JsonNode;
import dev.holdfast.operator.offline.report.ChangePicture;
import dev.holdfast.operator.offline.report.ClusterMap;
import dev.holdfast.operator.offline.report.ClusterMap.MapNode;
import dev.holdfast.operator.offline.report.ClusterMap.MapPod;
import dev.holdfast.operator.offline.report.ClusterMap.Presence;
import dev.holdfast.operator.offline.report.ClusterMap.Zone;
import dev.holdfast.operator.offline.report.ClusterReport.State;
import dev.holdfast.operator.offline.report.PlayedSample;
import dev.holdfast.operator.offline.report.SyntheticReport;
import dev.holdfast.operator.offline.report.TimeLine;
import dev.holdfast.operator.offline.report.TimeLine.Kind;
import dev.holdfast.operator.offline.report.TimeLine.Lane;
import dev.holdfast.operator.offline.report.TimeLine.Moment;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The page of a change as text, and in a real browser. */
@Timeout(120)
class WhatIfPageTest {
    private static final Optional<Browser> BROWSER =
            Browser.on(Optional.ofNullable(System.getenv("PATH")).orElse(""));

    @TempDir
    private Path folder;

    private static List<String> lines(ChangePicture picture, PageScript script) {
        try {
            return new WhatIfPage(PlayedSample.play().report(), picture, script).lines("what-if -f x");
        } catch (Exception e) {
            throw new AssertionError(e);
        }
    }

    private JsonNode found(ChangePicture picture, Browser.Window window, String... scripts) throws Exception {
        assumeTrue(BROWSER.isPresent(), Browser.INSTALL);
        return FoundInPage.found(BROWSER.orElseThrow(), folder, script -> lines(picture, script), window, scripts);
    }

    @Test
    void theMapsMarkWhatLeavesAndWhatIsNew() throws Exception {
        String page = String.join("\n", lines(PlayedSample.play().picture(), PageScript.ofProduct()));

        assertThat(page)
                .contains("<a class=skip href=\"#pods\">Skip to: Time line</a>")
                .contains("<h2 id=before>Before the change</h2>", "<h2 id=after>2h after the change</h2>")
                .contains("node-1: 2 pods, 2 violated, 2 leave ", "node-3: 5 pods, 2 new ")
                .contains("<path class=leaves d=\"M0 0h10v10h-10zM10 0h10v10h-10z\"/>");
    }

    @Test
    void aLaneHasABarAndTheMoments() throws Exception {
        String page = String.join("\n", lines(PlayedSample.play().picture(), PageScript.ofProduct()));

        assertThat(page)
                .contains("<path class=w d=\"M0 5H41V8H0z\"/><path class=d d=\"M41 0H45V8H41z\"/>"
                        + "<path class=m d=\"M45 3H50V8H45z\"/></svg>")
                .contains("<p class=axis><span>0s</span><span>2h</span></p>")
                .contains("<li><b>6m33s</b> moved <span class=muted>Moved: to node-<wbr>3</span></li>")
                .contains("moved after 6m33s");
    }

    @Test
    void warningsStandBeforeTheMaps() throws Exception {
        PlayedSample sample = PlayedSample.play();

        String page = String.join(
                "\n",
                new WhatIfPage(
                                sample.report().with(List.of(), List.of("the file lacks budgets")),
                                sample.picture(),
                                PageScript.ofProduct())
                        .lines("what-if -f x"));

        assertThat(page)
                .containsSubsequence("<ul class=warnings>\n<li>the file lacks budgets</li>\n</ul>", "<div class=maps>");
        assertThat(String.join("\n", lines(sample.picture(), PageScript.ofProduct())))
                .doesNotContain("id=warnings");
    }

    @Test
    void onlyWhatHappensAnywaySaysSo() throws Exception {
        String page = String.join("\n", lines(PlayedSample.play().picture(), PageScript.ofProduct()));

        assertThat(page.split("This happens without the change too", -1)).hasSize(5);
    }

    @Test
    void aPageOfManyPodsIsBoundedAndSaysSo() {
        ChangePicture picture = new SyntheticReport(200, 640, 0, "checkout-7d9c5b8f6d-").picture(23);

        String page = String.join("\n", lines(picture, PageScript.ofProduct()));

        assertThat(page).contains("300 pods. Select a node to see only its pods. 340 more pods are not listed.");
        assertThat(page.length()).isLessThan(2_000_000);
    }

    static Stream<Arguments> pictures() throws Exception {
        return Stream.of(
                argumentSet("the sample", PlayedSample.play().picture()),
                argumentSet("60 pods", new SyntheticReport(6, 12, 0, "gke-prod-pool-1-").picture(8)),
                argumentSet("5,240 pods", new SyntheticReport(200, 640, 0, "checkout-7d9c5b8f6d-").picture(23)),
                argumentSet("hostile names", new SyntheticReport(40, 60, 0, HtmlPageTest.HOSTILE).picture(2)),
                argumentSet("long names", new SyntheticReport(40, 60, 0, "n".repeat(240)).picture(2)));
    }

    @ParameterizedTest
    @MethodSource("pictures")
    void noTextIsOverAnEdge(ChangePicture picture) throws Exception {
        for (int width : List.of(1_500, 1_000, 400)) {
            JsonNode found =
                    found(picture, new Browser.Window(width, 900), FoundInPage.FOUND + FoundInPage.OVER_AN_EDGE);

            assertThat(found.path("page").asInt()).isLessThanOrEqualTo(width);
            assertThat(found.path("over"))
                    .as("at %s px", width)
                    .extracting(JsonNode::asText)
                    .isEmpty();
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"light", "dark"})
    void axeFindsNothingToImprove(String theme) throws Exception {
        assertThat(found(
                        PlayedSample.play().picture(),
                        Browser.Window.WIDE,
                        ReportPageTest.axe(),
                        FoundInPage.FOUND + """
                            document.documentElement.dataset.theme = 'THEME';
                            document.querySelectorAll('article details').forEach((it) => { it.open = true; });
                            axe.run().then((result) => found(result.violations.map((it) => [
                              it.id, it.help, it.nodes.slice(0, 3).map((node) => [node.html, node.failureSummary])])));
                            """.replace("THEME", theme)))
                .isEmpty();
    }

    @Test
    void aSelectedNodeShowsItsPodsAlone() throws Exception {
        JsonNode found = found(PlayedSample.play().picture(), Browser.Window.WIDE, FoundInPage.FOUND + """
            document.querySelector('[data-name="node-2"]').click();
            const picked = names();
            press('Escape');
            type('node-4');
            const typed = names();
            found({picked, typed});
            """);

        assertThat(found.path("picked").toString())
                .isEqualTo("[\"shop/web-2\",\"shop/db-1\",\"shop/db-2\",\"shop/worker-2\"]");
        assertThat(found.path("typed").toString()).isEqualTo("[\"shop/web-1\",\"shop/worker-1\",\"shop/api-2\"]");
    }

    /** {@return a map of a node with one pod} */
    private static ClusterMap one(String node, String pod, String uid, State state, Presence presence) {
        return new ClusterMap(List.of(new Zone(
                "", List.of(new MapNode(node, "", List.of(new MapPod("shop", pod, uid, state, presence)))))));
    }

    private static Lane lane(String pod, String uid, String node) {
        Moment begins = new Moment(0, Kind.BEGINS, "rule a", Kind.BEGINS);
        return new Lane("shop", pod, uid, node, List.of(begins), 0, begins);
    }

    @Test
    void aSelectedMarkShowsThePodOfItsOwnNode() throws Exception {
        ChangePicture picture = new ChangePicture(
                one("n1", "db-0", "u1", State.VIOLATED, Presence.LEAVES),
                one("n2", "db-0", "u2", State.VIOLATED, Presence.ARRIVES),
                new TimeLine(List.of(lane("db-0", "u1", "n1"), lane("db-0", "u2", "n2")), 0, 1_000));

        JsonNode found = found(picture, Browser.Window.WIDE, FoundInPage.FOUND + """
            const shownAfter = (node) => {
              const picture = document.querySelector('[data-name="' + node + '"] svg');
              const box = picture.getBoundingClientRect();
              picture.dispatchEvent(new MouseEvent('click',
                {clientX: box.left + 2, clientY: box.top + 2, detail: 1, bubbles: true}));
              return shown('article').map((it) => it.querySelector('summary > .muted').textContent);
            };
            found([shownAfter('n1'), shownAfter('n2')]);
            """);

        assertThat(found.toString()).isEqualTo("[[\"on n1\"],[\"on n2\"]]");
    }

    /** {@return a map of 1,201 nodes, of which some have a pod} */
    private static ClusterMap large(Map<String, MapPod> pods) {
        return new ClusterMap(List.of(new Zone(
                "",
                IntStream.rangeClosed(0, 1_200)
                        .mapToObj(node -> "n" + node)
                        .map(node -> new MapNode(
                                node,
                                "",
                                Optional.ofNullable(pods.get(node)).stream().toList()))
                        .toList())));
    }

    private static MapPod pod(String name, State state, Presence presence) {
        return new MapPod("shop", name, name, state, presence);
    }

    @Test
    void bothMapsOfALargeClusterDrawTheNodesThatPodsLeaveAndReach() {
        ChangePicture picture = new ChangePicture(
                large(Map.of("n997", pod("old", State.FINE, Presence.LEAVES))),
                large(Map.of(
                        "n998", pod("new", State.FINE, Presence.ARRIVES),
                        "n999", pod("bad", State.VIOLATED, Presence.STAYS))),
                TimeLine.NONE);

        String page = String.join("\n", lines(picture, PageScript.ofProduct()));

        for (String node : List.of("n997", "n998", "n999")) {
            assertThat(page.split("data-name=\"" + node + "\"", -1)).as(node).hasSize(3);
        }
        assertThat(page.split("data-name=", -1)).hasSize(2_001);
    }

    @Test
    void itIsDrawn() throws Exception {
        Optional<Path> pictures = Optional.ofNullable(System.getProperty("holdfast.report.screenshots"))
                .map(Path::of);
        if (pictures.isPresent() && BROWSER.isPresent()) {
            Files.createDirectories(pictures.get());
            BROWSER.get()
                    .draw(
                            String.join(
                                    "\n",
                                    lines(
                                            new SyntheticReport(200, 640, 0, "checkout-7d9c5b8f6d-").picture(23),
                                            PageScript.ofProduct())),
                            folder,
                            new Browser.Window(1_500, 1_800),
                            pictures.get().resolve("what-if.png").toAbsolutePath());
        }
    }
}
