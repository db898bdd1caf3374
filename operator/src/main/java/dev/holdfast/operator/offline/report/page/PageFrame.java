package dev.holdfast.operator.offline.report.page;

import dev.holdfast.operator.offline.print.Count;
import dev.holdfast.operator.offline.report.html.Html;
import java.util.List;

/** Writes what all pages have: the head with its security policy, the filter, the theme, the scripts. */
final class PageFrame {
    /** The maximum number of warnings. */
    static final int MOST_WARNINGS = 10;

    private final Html html;
    private final PageScript script;

    PageFrame(Html html, PageScript script) {
        this.html = html;
        this.script = script;
    }

    /**
     * Opens a page.
     *
     * @param window the title of its window
     * @param title its heading
     * @param about what it is about
     * @param pods the heading of the pods, which a link at the start leads to
     */
    void begin(String window, String title, String about, String pods) {
        html.markup("<!doctype html>\n<html lang=en>\n<head>\n<meta charset=utf-8>\n<meta")
                .attribute("http-equiv", "Content-Security-Policy");
        // The policy is a constant of this program; escaped quotes would be right, but hard to read.
        html.markup(" content=\"" + script.securityPolicy() + "\">\n")
                .markup("<meta name=viewport content=\"width=device-width, initial-scale=1\">\n")
                .markup("<meta name=color-scheme content=\"light dark\">\n<meta name=referrer content=no-referrer>\n")
                .element("title", window)
                .markup("\n<style>")
                .markup(script.style())
                .markup("</style>\n</head>\n<body>\n")
                .markup("<a class=skip href=\"#pods\">Skip to: ")
                .text(pods)
                .markup("</a>\n<header>\n<div>")
                .element("h1", title)
                .markup("<p>")
                .text(about)
                .markup("</p></div>\n<button type=button id=theme hidden>Theme: system</button>\n</header>\n<main>\n");
    }

    /** Writes a section of warnings; nothing without any. */
    void warnings(List<String> warnings) {
        if (!warnings.isEmpty()) {
            html.markup("<section aria-labelledby=warnings>\n")
                    .element("h2 id=warnings class=vh", "Warnings")
                    .markup("\n");
            list("warnings", warnings, MOST_WARNINGS, "warning");
            html.markup("</section>\n");
        }
    }

    /** Writes the first of some sentences, and how many others there are; nothing without any. */
    void list(String cssClass, List<String> sentences, int most, String noun) {
        if (!sentences.isEmpty()) {
            html.markup("<ul class=" + cssClass + ">\n");
            sentences.stream()
                    .limit(most)
                    .forEach(it -> html.markup("<li>").name(it).markup("</li>\n"));
            int more = sentences.size() - most;
            if (more > 0) {
                html.markup("<li>").text(Count.of(more, "more " + noun)).markup("</li>\n");
            }
            html.markup("</ul>\n");
        }
    }

    /** Writes the filter. */
    void search() {
        html.markup("<search hidden>\n<label for=filter>Filter by workload, pod, node or rule</label>\n"
                + "<input id=filter type=search autocomplete=off spellcheck=false aria-keyshortcuts=\"/\">\n"
                + "<span class=keys aria-hidden=true><kbd>/</kbd> filter <kbd>&#8592;&#8593;&#8594;&#8595;</kbd> cells"
                + " <kbd>Enter</kbd> explain <kbd>Esc</kbd> clear</span>\n"
                + "<p id=shown role=status></p>\n</search>\n");
    }

    /**
     * Closes the page.
     *
     * @param command the command that wrote it
     * @param further where there is more; may be empty
     */
    void end(String command, String further) {
        html.markup("</main>\n<footer><p>Written by ")
                .element("b", command)
                .markup(". The page loads nothing and sends nothing. ")
                .text(further)
                .markup("</p></footer>\n");
        script.scripts().forEach(it -> html.markup("<script>").markup(it).markup("</script>\n"));
        html.markup("</body>\n</html>");
    }
}
