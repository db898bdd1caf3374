package dev.holdfast.operator.offline.report.page;

import dev.holdfast.operator.offline.check.CheckReport.Violation;
import dev.holdfast.operator.offline.print.Count;
import dev.holdfast.operator.offline.report.html.Html;
import dev.holdfast.policies.rule.RuleKind;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;

/** Writes how many violations each namespace has of each kind of rule, if there are too many to read each. */
final class NamespacesHtml {
    /** The number of violations above which the table is written. */
    static final int FEW_VIOLATIONS = 40;

    /** The maximum number of namespaces: those with the most violations. */
    static final int MOST_ROWS = 30;

    private final Html html;

    NamespacesHtml(Html html) {
        this.html = html;
    }

    void write(List<Violation> violations) {
        if (violations.size() <= FEW_VIOLATIONS) {
            return;
        }
        Map<String, List<Violation>> namespaces = violations.stream()
                .collect(Collectors.groupingBy(Violation::namespace, TreeMap::new, Collectors.toList()));
        List<String> kinds = Arrays.stream(RuleKind.values())
                .map(RuleKind::label)
                .filter(kind -> count(violations, kind) > 0)
                .toList();
        html.markup("<section aria-labelledby=namespaces>\n<h2 id=namespaces>Violations by namespace and rule</h2>\n"
                + "<div class=scroll><table class=kinds><thead><tr><th scope=col>Namespace</th>");
        kinds.forEach(kind -> html.element("th scope=col", kind));
        html.markup("<th scope=col>All</th></tr></thead>\n<tbody>\n");
        Comparator<Map.Entry<String, List<Violation>>> most =
                Comparator.comparingInt(row -> -row.getValue().size());
        namespaces.entrySet().stream()
                .sorted(most.thenComparing(Map.Entry.comparingByKey()))
                .limit(MOST_ROWS)
                .forEach(row -> row(row.getKey(), row.getValue(), kinds));
        html.markup("</tbody></table></div>\n");
        int more = namespaces.size() - MOST_ROWS;
        if (more > 0) {
            html.markup("<p class=note>")
                    .text(Count.of(more, "more namespace") + (more == 1 ? " is" : " are") + " not in this table.")
                    .markup("</p>\n");
        }
        html.markup("</section>\n");
    }

    private void row(String namespace, List<Violation> violations, List<String> kinds) {
        html.markup("<tr><th scope=row><button type=button")
                .attribute("data-filter", namespace + "/")
                .markup(">")
                .name(namespace)
                .markup("</button></th>");
        for (String kind : kinds) {
            long count = count(violations, kind);
            html.markup("<td>");
            if (count > 0) {
                html.number(count);
            }
            html.markup("</td>");
        }
        html.markup("<td class=all>").number(violations.size()).markup("</td></tr>\n");
    }

    private static long count(List<Violation> violations, String kind) {
        return violations.stream().filter(it -> it.rule().kind().equals(kind)).count();
    }
}
