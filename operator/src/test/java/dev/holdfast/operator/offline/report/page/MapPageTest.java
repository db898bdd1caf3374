package dev.holdfast.operator.offline.report.page;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;
import static org.junit.jupiter.params.provider.Arguments.argumentSet;

import com.fasterxml.jackson.databind.JsonNode;
import dev.holdfast.operator.offline.report.Drawing;
import dev.holdfast.operator.offline.report.Reports;
import dev.holdfast.operator.offline.report.SyntheticReport;
import java.nio.file.Path;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** The map of the page in a real browser, and the edges of all its text. */
@Timeout(120)
class MapPageTest {
    private static final Optional<Browser> BROWSER =
            Browser.on(Optional.ofNullable(System.getenv("PATH")).orElse(""));

    @TempDir
    private Path folder;

    @BeforeEach
    void requireBrowser() {
        assumeTrue(BROWSER.isPresent(), Browser.INSTALL);
    }

    private JsonNode found(Drawing drawing, Browser.Window window, String script) throws Exception {
        return FoundInPage.found(BROWSER.orElseThrow(), folder, drawing, window, FoundInPage.FOUND + script);
    }

    private JsonNode inSample(String script) throws Exception {
        return found(Reports.drawingOfSample(), Browser.Window.WIDE, script);
    }

    static Stream<Arguments> drawings() {
        return Stream.of(
                argumentSet("60 pods", new SyntheticReport(6, 12, 12, "gke-prod-pool-1-").drawing(8)),
                argumentSet("5,240 pods", new SyntheticReport(200, 640, 500, "checkout-7d9c5b8f6d-").drawing(23)),
                argumentSet("hostile names", new SyntheticReport(40, 60, 60, HtmlPageTest.HOSTILE).drawing()),
                argumentSet("long names", new SyntheticReport(40, 60, 60, "n".repeat(240)).drawing()));
    }

    @ParameterizedTest
    @MethodSource("drawings")
    void noTextIsOverAnEdgeInAWindowOf1500(Drawing drawing) throws Exception {
        textFits(drawing, new Browser.Window(1500, 900));
    }

    @ParameterizedTest
    @MethodSource("drawings")
    void noTextIsOverAnEdgeInAWindowOf1000(Drawing drawing) throws Exception {
        textFits(drawing, new Browser.Window(1000, 900));
    }

    @ParameterizedTest
    @MethodSource("drawings")
    void noTextIsOverAnEdgeInAWindowOf400(Drawing drawing) throws Exception {
        textFits(drawing, new Browser.Window(400, 900));
    }

    private void textFits(Drawing drawing, Browser.Window window) throws Exception {
        JsonNode found = found(drawing, window, FoundInPage.OVER_AN_EDGE);

        assertThat(found.path("window").asInt()).isEqualTo(window.width());
        assertThat(found.path("page").asInt()).isLessThanOrEqualTo(window.width());
        assertThat(found.path("over")).extracting(JsonNode::asText).isEmpty();
    }

    @Test
    void aSelectedNodeShowsItsPodsAndTheirWorkloadsAlone() throws Exception {
        JsonNode found = inSample("""
            const rows = () => shown('#t0 tbody tr').map((it) => it.cells[0].textContent);
            const tile = document.querySelector('[data-name="node-2"]');
            tile.click();
            const picked = {pods: names(), rows: rows(), pressed: tile.getAttribute('aria-pressed'),
                dim: document.querySelectorAll('.tile.dim').length,
                selected: document.getElementById('selected').textContent};
            tile.click();
            found({picked, all: names().length, pressed: tile.getAttribute('aria-pressed')});
            """);

        JsonNode picked = found.path("picked");
        assertThat(picked.path("pods").toString()).isEqualTo("[\"shop/db-1\",\"shop/db-2\",\"shop/worker-2\"]");
        assertThat(picked.path("rows").toString()).isEqualTo("[\"shop/db ReplicaSet\",\"shop/worker ReplicaSet\"]");
        assertThat(picked.path("pressed").asText()).isEqualTo("true");
        assertThat(picked.path("dim").asInt()).isEqualTo(3);
        assertThat(picked.path("selected").asText()).startsWith("node-2: 4 pods, 3 violated");
        assertThat(found.path("all").asInt()).isEqualTo(6);
        assertThat(found.path("pressed").isNull()).isTrue();
    }

    @Test
    void aSelectedMarkShowsItsPod() throws Exception {
        JsonNode found = inSample("""
            const tile = document.querySelector('[data-name="node-2"]');
            const picture = tile.querySelector('svg');
            const box = picture.getBoundingClientRect();
            const at = {clientX: box.left + box.width * 0.15, clientY: box.top + 2, detail: 1, bubbles: true};
            picture.dispatchEvent(new PointerEvent('pointermove', at));
            const pointed = document.querySelector('.pointed').textContent;
            picture.dispatchEvent(new MouseEvent('click', at));
            found({pointed, pods: names()});
            """);

        assertThat(found.path("pointed").asText()).isEqualTo("shop/db-2 on node-2");
        assertThat(found.path("pods").toString()).isEqualTo("[\"shop/db-2\"]");
    }

    @Test
    void theKeyboardIsEnoughForTheMap() throws Exception {
        JsonNode found = inSample("""
            const steps = [];
            const step = () => steps.push(document.activeElement.dataset.name || document.activeElement.id);
            document.querySelector('.tile[tabindex="0"]').focus();
            step();
            for (const key of ['ArrowRight', 'ArrowRight', 'ArrowRight', 'ArrowRight', 'ArrowLeft', 'ArrowUp']) {
              press(key);
              step();
            }
            document.activeElement.click();
            const pods = names();
            press('Escape');
            step();
            found({steps, pods, inTabOrder: document.querySelectorAll('.tile[tabindex="0"]').length});
            """);

        assertThat(found.path("steps"))
                .extracting(JsonNode::asText)
                .containsExactly(
                        "node-1", "node-2", "node-3", "node-4", "node-4", // right: the end
                        "node-3", "node-3", // up: the top
                        "node-3");
        assertThat(found.path("pods").toString()).isEqualTo("[]");
        assertThat(found.path("inTabOrder").asInt()).isEqualTo(1);
    }

    @Test
    void aNamespaceOfTheFirstTableFilters() throws Exception {
        JsonNode found = found(new SyntheticReport(3, 41, 41, "shop").drawing(), Browser.Window.WIDE, """
            document.querySelector('.kinds button').click();
            const text = document.getElementById('filter').value;
            document.querySelector('.kinds button').click();
            found({text, then: document.getElementById('filter').value});
            """);

        assertThat(found.path("text").asText()).isEqualTo("shop/");
        assertThat(found.path("then").asText()).isEmpty();
    }

    @Test
    void aSelectedCauseShowsItsPodsAndDimsOtherNodes() throws Exception {
        JsonNode found = found(new SyntheticReport(50, 41, 41, "shop").drawing(), Browser.Window.WIDE, """
            const group = document.querySelector('.group');
            group.click();
            const pods = names().length;
            const dim = document.querySelectorAll('.tile.dim').length;
            press('Escape');
            found({pods, dim, back: document.activeElement === group, then: document.querySelectorAll('.tile.dim').length});
            """);

        assertThat(found.path("pods").asInt()).isEqualTo(41);
        assertThat(found.path("dim").asInt()).isEqualTo(9);
        assertThat(found.path("back").asBoolean()).isTrue();
        assertThat(found.path("then").asInt()).isZero();
    }

    @Test
    void theFilterDimsNodesWithoutAMatch() throws Exception {
        JsonNode found = inSample("""
            type('shop/api');
            found(shown('.tile:not(.dim)').map((it) => it.dataset.name));
            """);

        assertThat(found.toString()).isEqualTo("[\"node-3\",\"node-4\"]");
    }
}
