package dev.holdfast.operator.offline.report.page;

import dev.holdfast.operator.offline.check.CheckReport.Violation;
import dev.holdfast.operator.offline.print.Count;
import dev.holdfast.operator.offline.report.html.Html;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;

/** Writes violations in groups with one rule and one cause, the largest group first. */
final class CausesHtml {
    /** The maximum number of groups. */
    static final int MOST_ROWS = 20;

    private final Html html;
    private final ListedPods pods;

    /** What the violations of a group have in common. */
    private record Cause(String rule, String cause) implements Comparable<Cause> {
        private static final Comparator<Cause> ORDER =
                Comparator.comparing(Cause::rule).thenComparing(Cause::cause);

        @Override
        public int compareTo(Cause other) {
            return ORDER.compare(this, other);
        }
    }

    CausesHtml(Html html, ListedPods pods) {
        this.html = html;
        this.pods = pods;
    }

    void write(List<Violation> violations) {
        if (violations.size() <= NamespacesHtml.FEW_VIOLATIONS) {
            return;
        }
        Map<Cause, List<Violation>> groups = violations.stream()
                .collect(Collectors.groupingBy(
                        it -> new Cause(it.ruleText(), it.cause()), TreeMap::new, Collectors.toList()));
        Comparator<Map.Entry<Cause, List<Violation>>> largest =
                Comparator.comparingInt(group -> -group.getValue().size());
        html.markup("<section aria-labelledby=causes>\n<h2 id=causes>Violations by cause</h2>\n"
                + "<div class=scroll><table class=kinds><thead><tr><th scope=col>Cause</th><th scope=col>Rule</th>"
                + "<th scope=col>Violations</th><th scope=col>Pods</th><th scope=col>Workloads</th></tr></thead>\n"
                + "<tbody>\n");
        groups.entrySet().stream()
                .sorted(largest.thenComparing(Map.Entry.comparingByKey()))
                .limit(MOST_ROWS)
                .forEach(group -> row(group.getKey(), group.getValue()));
        html.markup("</tbody></table></div>\n");
        int more = groups.size() - MOST_ROWS;
        if (more > 0) {
            html.markup("<p class=note>")
                    .text(Count.of(more, "more cause") + (more == 1 ? " is" : " are")
                            + " not in this table. check --group-by cause lists all.")
                    .markup("</p>\n");
        }
        html.markup("</section>\n");
    }

    private void row(Cause cause, List<Violation> violations) {
        List<String> uids = violations.stream().map(Violation::uid).distinct().toList();
        html.markup("<tr><th scope=row><button type=button class=group").attribute("data-pods", pods.numbers(uids));
        long missing = pods.missing(uids);
        if (missing > 0) {
            html.attribute("data-missing", missing);
        }
        html.markup(">")
                .name(cause.cause())
                .markup("</button></th><td>")
                .name(cause.rule())
                .markup("</td><td class=all>")
                .number(violations.size())
                .markup("</td><td>")
                .number(uids.size())
                .markup("</td><td>")
                .number(violations.stream().map(Violation::workload).distinct().count())
                .markup("</td></tr>\n");
    }
}
