package dev.holdfast.operator.offline.report.page;

import dev.holdfast.operator.offline.check.CheckReport;
import dev.holdfast.operator.offline.explain.ExplainedRule;
import dev.holdfast.operator.offline.explain.PodExplanation;
import dev.holdfast.operator.offline.print.Count;
import dev.holdfast.operator.offline.report.ClusterReport;
import dev.holdfast.operator.offline.report.ClusterReport.AffectedPod;
import dev.holdfast.operator.offline.report.ClusterReport.Explanation;
import dev.holdfast.operator.offline.report.ClusterReport.State;
import dev.holdfast.operator.offline.report.html.Html;
import dev.holdfast.operator.offline.report.html.StateMark;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/** Writes what {@code holdfast explain} says about each listed pod. */
final class PodsHtml {
    /** The heading of the pods. */
    static final String TITLE = "Affected pods";

    /** The maximum number of nodes of each group whose names are in the page. */
    private static final int MOST_NODES = 4;

    private final Html html;
    private final ListedPods pods;

    PodsHtml(Html html, ListedPods pods) {
        this.html = html;
        this.pods = pods;
    }

    void write(ClusterReport report) {
        Map<String, List<CheckReport.Violation>> violations =
                report.violations().stream().collect(Collectors.groupingBy(CheckReport.Violation::uid));
        Map<String, List<CheckReport.Undetermined>> undetermined =
                report.undetermined().stream().collect(Collectors.groupingBy(CheckReport.Undetermined::uid));
        html.markup("<section class=pods aria-labelledby=pods>\n<div class=heading>")
                .element("h2 id=pods tabindex=-1", TITLE)
                .markup("<button type=button id=all hidden>Show all</button></div>\n");
        html.markup("<p id=selected class=muted>").text(listed(report)).markup("</p>\n");
        for (int number = 0; number < pods.pods().size(); number++) {
            AffectedPod pod = pods.pods().get(number);
            write(
                    pod,
                    number,
                    violations.getOrDefault(pod.uid(), List.of()),
                    undetermined.getOrDefault(pod.uid(), List.of()));
        }
        html.markup("</section>\n");
    }

    private String listed(ClusterReport report) {
        int listed = pods.pods().size();
        int missing = report.pods().size() - listed;
        if (report.pods().isEmpty()) {
            return "All rules hold.";
        }
        return missing == 0
                ? Count.of(listed, "pod") + ". Select a cell of a table to see only its pods."
                : "The first pods of each workload, " + Count.of(listed, "pod") + "; "
                        + Count.of(missing, "more affected pod") + (missing == 1 ? " is" : " are")
                        + " not listed. --limit sets how many are.";
    }

    private void write(
            AffectedPod pod,
            int number,
            List<CheckReport.Violation> violations,
            List<CheckReport.Undetermined> undetermined) {
        html.markup("<article").attribute("id", "p" + number).markup("><details><summary>");
        StateMark.shape(html, pod.state());
        html.markup("<span class=vh>")
                .text(StateMark.word(pod.state()) + ": ")
                .markup("</span> <h3><span class=ns>")
                .name(pod.namespace() + "/")
                .markup("</span>")
                .name(pod.pod())
                .markup("</h3> ")
                .markup("<span class=muted>on ")
                .name(pod.node())
                .markup("</span>")
                .markup(" <span class=why>")
                .name(why(violations, undetermined))
                .markup("</span></summary>\n<div class=body>\n");
        if (pod.state() == State.KILLED) {
            html.markup("<p class=note>A restart of the kubelet would reject this pod, because it checks node rules"
                    + " again.</p>\n");
        }
        html.markup("<p class=workload>")
                .name(pod.workload().kind() + " " + pod.workload().name())
                .markup("</p>\n");
        pods.explanation(pod).ifPresent(explanation -> explanation(explanation, pod.node()));
        undetermined.stream()
                .filter(it -> it.rule().identity().isEmpty())
                .forEach(it -> html.markup("<p>")
                        .text("No verdict on any rule of its spec: " + it.message())
                        .markup("</p>\n"));
        html.markup("</div></details></article>\n");
    }

    private static String why(List<CheckReport.Violation> violations, List<CheckReport.Undetermined> undetermined) {
        if (!violations.isEmpty()) {
            return violations.stream()
                    .map(CheckReport.Violation::ruleText)
                    .distinct()
                    .collect(Collectors.joining(", "));
        }
        return undetermined.stream().map(it -> it.rule().name()).distinct().collect(Collectors.joining(", "))
                + " without verdict";
    }

    private void explanation(Explanation explanation, String present) {
        html.markup("<ul class=rules>\n");
        explanation.rules().forEach(this::rule);
        html.markup("</ul>\n");
        PodExplanation.Nodes nodes = first(explanation.nodes());
        html.markup("<p>").text(nodes.describeAccepting(present)).markup("</p>\n");
        if (!nodes.refusing().isEmpty()) {
            html.markup("<ul class=nodes>\n");
            nodes.describeRefusing(present)
                    .forEach(line -> html.markup("<li>").text(line).markup("</li>\n"));
            html.markup("</ul>\n");
        }
        if (!nodes.unreadableVolume().isEmpty()) {
            html.markup("<p>")
                    .text("A volume does not count: " + nodes.unreadableVolume())
                    .markup("</p>\n");
        }
    }

    /** {@return the same nodes with fewer names: 500 pods with ten names of each group would be half of the page} */
    private static PodExplanation.Nodes first(PodExplanation.Nodes nodes) {
        return new PodExplanation.Nodes(
                first(nodes.accepting()),
                nodes.refusing().stream().map(PodsHtml::first).toList(),
                nodes.unreadableVolume(),
                nodes.excluding(),
                nodes.uncertain());
    }

    private static PodExplanation.Group first(PodExplanation.Group group) {
        return new PodExplanation.Group(
                group.why(),
                group.count(),
                group.names().stream().limit(MOST_NODES).toList());
    }

    private static State state(ExplainedRule rule) {
        if (rule.verdict().equals(ExplainedRule.VIOLATED)) {
            return State.VIOLATED;
        }
        return rule.verdict().equals(ExplainedRule.SATISFIED) ? State.FINE : State.UNDETERMINED;
    }

    private void rule(ExplainedRule rule) {
        State state = state(rule);
        html.markup("<li>");
        StateMark.shape(html, state);
        html.markup(" ")
                .element("b", rule.rule().name())
                .markup(" ")
                .element("span class=" + StateMark.cssClass(state), rule.verdict())
                .markup("\n<dl>");
        entry("Requires", rule.requirement());
        entry("Because", rule.because());
        entry("Counts", rule.domains().describe());
        entry("Heals", rule.heals());
        entry("From", rule.from());
        html.markup("</dl></li>\n");
    }

    private void entry(String name, String text) {
        if (!text.isEmpty()) {
            html.element("dt", name).markup("<dd>").name(text).markup("</dd>\n");
        }
    }
}
