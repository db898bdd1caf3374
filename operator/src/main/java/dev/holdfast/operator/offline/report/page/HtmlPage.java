package dev.holdfast.operator.offline.report.page;

import dev.holdfast.operator.offline.print.Count;
import dev.holdfast.operator.offline.report.ClusterMap;
import dev.holdfast.operator.offline.report.ClusterReport;
import dev.holdfast.operator.offline.report.ClusterReport.State;
import dev.holdfast.operator.offline.report.html.Html;
import dev.holdfast.operator.offline.report.html.StateMark;
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
        PageFrame frame = new PageFrame(html, script);
        frame.begin(
                report.title() + ": " + Count.of(report.summary().violations(), "violation"),
                report.title(),
                Count.of(report.summary().listedPods(), "running pod") + " on "
                        + Count.of(report.summary().nodes(), "node")
                        + (report.source().isEmpty() ? "" : ", read from " + report.source()),
                PodsHtml.TITLE);
        numbers();
        frame.warnings(report.warnings());
        frame.search();
        html.markup("<div class=summaries>\n");
        new NamespacesHtml(html).write(report.violations());
        new CausesHtml(html, pods).write(report.violations());
        html.markup("</div>\n");
        new MapHtml(html, pods, List.of(map)).write(map, "map", "Map");
        new PendingHtml(html).write(report.pending());
        new PoliciesHtml(html).write(report.policies());
        new BudgetsHtml(html).write(report.budgets());
        new ZonesHtml(html).write(report.zoneFailures());
        html.markup("<div class=columns>\n<div class=left>\n");
        new TopologyHtml(html, pods).write(report);
        new SpreadHtml(html).write(report);
        html.markup("</div>\n");
        new PodsHtml(html, pods).write(report);
        html.markup("</div>\n");
        frame.end("holdfast report", "What it leaves out is in the document that -o json prints.");
        return html.toString().lines().toList();
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
        StateMark.number(html, state, number, number == 1 ? one : several);
    }
}
