package dev.holdfast.operator.offline.report.page;

import dev.holdfast.operator.offline.print.Count;
import dev.holdfast.operator.offline.report.ClusterMap;
import dev.holdfast.operator.offline.report.ClusterReport;
import dev.holdfast.operator.offline.report.ClusterReport.State;
import java.util.List;

/**
 * The report as one HTML file, which loads nothing. The page can be read without scripts; with scripts, a reader can
 * filter it and select cells. The size of the page is bounded: the page says where something is left out.
 */
public final class HtmlPage {
    private final ClusterReport report;
    private final ClusterMap map;
    private final PageScript script;
    private final Html html = new Html();

    public HtmlPage(ClusterReport report, ClusterMap map, PageScript script) {
        this.report = report;
        this.map = map;
        this.script = script;
    }

    /** {@return the lines of the page} */
    public List<String> lines() {
        ListedPods pods = new ListedPods(report);
        head();
        html.markup("<body>\n<a class=skip href=\"#pods\">Skip to the affected pods</a>\n");
        header();
        html.markup("<main>\n");
        numbers();
        search();
        html.markup("<div class=summaries>\n");
        new NamespacesHtml(html).write(report.violations());
        new CausesHtml(html, pods).write(report.violations());
        html.markup("</div>\n");
        new MapHtml(html, pods).write(map);
        new PendingHtml(html).write(report.pending());
        new PoliciesHtml(html).write(report.policies());
        new BudgetsHtml(html).write(report.budgets());
        new ZonesHtml(html).write(report.zoneFailures());
        html.markup("<div class=columns>\n<div class=left>\n");
        new TopologyHtml(html, pods).write(report);
        new SpreadHtml(html).write(report);
        html.markup("</div>\n");
        new PodsHtml(html, pods).write(report);
        html.markup("</div>\n</main>\n");
        footer();
        script.scripts().forEach(it -> html.markup("<script>").markup(it).markup("</script>\n"));
        html.markup("</body>\n</html>");
        return html.toString().lines().toList();
    }

    private void head() {
        html.markup("<!doctype html>\n<html lang=en>\n<head>\n<meta charset=utf-8>\n<meta")
                .attribute("http-equiv", "Content-Security-Policy");
        // The policy is a constant of this program; escaped quotes would be right, but hard to read.
        html.markup(" content=\"" + script.securityPolicy() + "\">\n")
                .markup("<meta name=viewport content=\"width=device-width, initial-scale=1\">\n")
                .markup("<meta name=color-scheme content=\"light dark\">\n<meta name=referrer content=no-referrer>\n")
                .element(
                        "title",
                        report.title() + ": " + Count.of(report.summary().violations(), "violation"))
                .markup("\n<style>")
                .markup(script.style())
                .markup("</style>\n</head>\n");
    }

    private void header() {
        html.markup("<header>\n<div>").element("h1", report.title()).markup("<p>");
        html.text(Count.of(report.summary().listedPods(), "running pod") + " on "
                        + Count.of(report.summary().nodes(), "node")
                        + (report.source().isEmpty() ? "" : ", read from " + report.source()))
                .markup("</p></div>\n<button type=button id=theme hidden>Theme: system</button>\n</header>\n");
    }

    private void numbers() {
        ClusterReport.Summary summary = report.summary();
        html.markup("<section aria-labelledby=numbers>\n<h2 id=numbers class=vh>Numbers</h2>\n<dl class=numbers>\n");
        number(State.VIOLATED, summary.violations(), "violation", "violations");
        number(State.VIOLATED, summary.violatingPods(), "pod violates a rule", "pods violate a rule");
        number(
                State.KILLED,
                summary.killedByKubeletRestart(),
                "pod killed by a kubelet restart",
                "pods killed by a kubelet restart");
        number(State.UNDETERMINED, summary.undetermined(), "rule without a verdict", "rules without a verdict");
        String spreads = "of " + Count.of(summary.spreads(), "spread constraint") + " over the allowed skew";
        number(State.VIOLATED, summary.violatedSpreads(), spreads, spreads);
        int pending = report.pending().size();
        if (pending > 0) {
            number(State.UNDETERMINED, pending, "pod without a node", "pods without a node");
        }
        if (summary.uncheckedPods() > 0) {
            number(
                    State.UNDETERMINED,
                    summary.uncheckedPods(),
                    "unchecked pod that no policy selects",
                    "unchecked pods that no policy selects");
        }
        html.markup("</dl>\n<ul class=legend aria-label=\"Shapes\">");
        for (State state : State.values()) {
            html.markup("<li>");
            StateMark.shape(html, state);
            html.markup(" ").text(StateMark.word(state)).markup("</li>");
        }
        html.markup("</ul>\n</section>\n");
    }

    private void number(State state, int number, String one, String several) {
        html.markup("<div class=" + (number == 0 ? "none" : StateMark.cssClass(state)) + ">")
                .element("dt", number == 1 ? one : several)
                .markup("<dd>")
                .number(number)
                .markup("</dd></div>\n");
    }

    private void search() {
        html.markup("<search hidden>\n<label for=filter>Filter by workload, pod, node or rule</label>\n"
                + "<input id=filter type=search autocomplete=off spellcheck=false aria-keyshortcuts=\"/\">\n"
                + "<span class=keys aria-hidden=true><kbd>/</kbd> filter <kbd>&#8592;&#8593;&#8594;&#8595;</kbd> cells"
                + " <kbd>Enter</kbd> explain <kbd>Esc</kbd> clear</span>\n"
                + "<p id=shown role=status></p>\n</search>\n");
    }

    private void footer() {
        html.markup("<footer><p>Written by <b>holdfast report</b>. The page loads nothing and sends nothing."
                + " What it leaves out is in the document that <code>-o json</code> prints.</p></footer>\n");
    }
}
