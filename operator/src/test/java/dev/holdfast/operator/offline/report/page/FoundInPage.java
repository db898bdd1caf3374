package dev.holdfast.operator.offline.report.page;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.holdfast.operator.offline.report.Drawing;
import java.nio.file.Path;
import java.util.List;
import java.util.function.Function;

/** What scripts of tests find in a page that a browser has opened. */
final class FoundInPage {
    /** Puts what was found into the page. */
    static final String FOUND = """
        const found = (value) => {
          const place = document.createElement('pre');
          place.id = 'found';
          place.textContent = JSON.stringify(value);
          document.body.append(place);
        };
        const press = (key) => document.activeElement.dispatchEvent(
            new KeyboardEvent('keydown', {key, bubbles: true, cancelable: true}));
        const shown = (selector) => Array.from(document.querySelectorAll(selector))
            .filter((it) => it.getClientRects().length > 0);
        const names = () => shown('article').map((it) => it.querySelector('h3').textContent);
        const type = (text) => {
          const filter = document.getElementById('filter');
          filter.value = text;
          filter.dispatchEvent(new Event('input', {bubbles: true}));
        };
        """;

    /** Finds text that is wider than a box around it, unless that box cuts it or scrolls. */
    static final String OVER_AN_EDGE = """
        document.querySelectorAll('details').forEach((it) => { it.open = true; });
        const over = [];
        const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
        while (texts.nextNode()) {
          const text = texts.currentNode;
          const range = document.createRange();
          range.selectNodeContents(text);
          const lines = text.parentElement.closest('.vh, .skip, script') ? [] : Array.from(range.getClientRects());
          for (let box = text.parentElement; box; box = box.parentElement) {
            const style = getComputedStyle(box);
            if (style.overflowX !== 'visible') {
              break;
            }
            const edge = box.getBoundingClientRect();
            if (style.display !== 'inline'
                && lines.some((it) => it.width > 0 && (it.left < edge.left - 1 || it.right > edge.right + 1))) {
              over.push(box.tagName + '.' + box.className + ': ' + text.data.slice(0, 60));
              break;
            }
          }
        }
        found({window: innerWidth, page: document.documentElement.scrollWidth, over: over.slice(0, 5)});
        """;

    private FoundInPage() {}

    /** {@return what the script found in the page, which wrote nothing to the console} */
    static JsonNode found(Browser browser, Path folder, Drawing drawing, Browser.Window window, String... scripts)
            throws Exception {
        return found(
                browser,
                folder,
                script -> new HtmlPage(drawing.report(), drawing.map(), script).lines(),
                window,
                scripts);
    }

    /**
     * {@return what the script found in a page, which wrote nothing to the console}
     *
     * @param lines writes the page with the scripts in it
     */
    static JsonNode found(
            Browser browser,
            Path folder,
            Function<PageScript, List<String>> lines,
            Browser.Window window,
            String... scripts)
            throws Exception {
        PageScript script = PageScript.ofProduct();
        for (String further : scripts) {
            script = script.and(further);
        }
        String page = String.join("\n", lines.apply(script));

        Browser.Opened opened = browser.open(page, folder, window);

        assertThat(opened.console()).isEmpty();
        String start = "<pre id=\"found\">";
        assertThat(opened.dom()).contains(start);
        int from = opened.dom().lastIndexOf(start) + start.length();
        return new ObjectMapper()
                .readTree(opened.dom()
                        .substring(from, opened.dom().indexOf("</pre>", from))
                        .replace("&lt;", "<")
                        .replace("&gt;", ">")
                        .replace("&nbsp;", "\u00a0")
                        .replace("&amp;", "&"));
    }
}
