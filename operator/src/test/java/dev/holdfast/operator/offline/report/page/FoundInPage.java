package dev.holdfast.operator.offline.report.page;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.holdfast.operator.offline.report.Drawing;
import java.nio.file.Path;

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

    private FoundInPage() {}

    /** {@return what the script found in the page, which wrote nothing to the console} */
    static JsonNode found(Browser browser, Path folder, Drawing drawing, Browser.Window window, String... scripts)
            throws Exception {
        PageScript script = PageScript.ofProduct();
        for (String further : scripts) {
            script = script.and(further);
        }
        String page = String.join("\n", new HtmlPage(drawing.report(), drawing.map(), script).lines());

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
