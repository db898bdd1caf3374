package dev.holdfast.operator.offline.report.page;

import dev.holdfast.operator.offline.print.Count;
import dev.holdfast.operator.offline.print.ShortNames;
import dev.holdfast.operator.offline.report.ClusterReport;
import dev.holdfast.operator.offline.report.ClusterReport.Cell;
import dev.holdfast.operator.offline.report.ClusterReport.Domain;
import dev.holdfast.operator.offline.report.ClusterReport.Row;
import dev.holdfast.operator.offline.report.ClusterReport.Topology;
import dev.holdfast.operator.offline.report.html.Html;
import dev.holdfast.operator.offline.report.html.StateMark;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/** Writes the tables: domains as columns, workloads as rows. */
final class TopologyHtml {
    /** The maximum number of domains in a table; of more, the table has the most affected ones. */
    static final int MOST_COLUMNS = 30;

    /** The maximum number of workloads in a table: those with the most affected pods. */
    static final int MOST_ROWS = 200;

    /** The length above which names are written from bottom to top in a table of more than a few columns. */
    private static final int LONG_NAME = 9;

    /** The maximum length of the name of a column, which is cut in the middle. */
    private static final int LONGEST_NAME = 20;

    private static final int FEW_COLUMNS = 5;

    /** The number of rows above which a table is folded at first, except the first table. */
    private static final int FEW_ROWS = 25;

    private final Html html;
    private final ListedPods pods;

    TopologyHtml(Html html, ListedPods pods) {
        this.html = html;
        this.pods = pods;
    }

    void write(ClusterReport report) {
        html.markup("<section aria-labelledby=where>\n<h2 id=where>Where</h2>\n");
        if (report.pods().isEmpty()) {
            html.markup("<p class=empty>");
            StateMark.shape(html, ClusterReport.State.FINE);
            html.text(" No pod violates a rule.").markup("</p>\n");
        } else {
            for (int at = 0; at < report.topologies().size(); at++) {
                Topology table = report.topologies().get(at);
                write(table, at, at == 0 || table.rows().size() <= FEW_ROWS ? " open" : "");
            }
        }
        if (!report.topologyKeysLeftOut().isEmpty()) {
            html.markup("<p class=note>")
                    .text("No table here for " + String.join(", ", report.topologyKeysLeftOut())
                            + ": other keys have more violations.")
                    .markup("</p>\n");
        }
        html.markup("</section>\n");
    }

    private void write(Topology table, int number, String open) {
        List<Domain> columns = columns(table);
        Set<String> shown = columns.stream().map(Domain::name).collect(Collectors.toSet());
        boolean all = columns.size() == table.domains().size();
        boolean hasCalm = columns.stream().anyMatch(it -> it.affectedPods() == 0);
        List<Row> candidates = candidates(table, shown);
        List<Row> rows = rows(candidates);
        html.markup("<details class=topology")
                .markup(open)
                .markup(">\n<summary>")
                .element("h3", table.title())
                .markup(" ")
                .element("span class=muted", extent(table))
                .markup("</summary>\n");
        note(table, columns.size(), candidates.size(), rows.size());
        if (all && hasCalm) {
            html.markup("<button type=button class=domains aria-pressed=false hidden>")
                    .text("Show all " + Count.of(columns.size(), "domain"))
                    .markup("</button>\n");
        }
        html.markup("<div class=scroll><table class=\"matrix few\"")
                .attribute("id", "t" + number)
                .markup("><caption class=vh>")
                .text(table.title() + ": pods of affected workloads in each domain, by state")
                .markup("</caption>\n<thead><tr><th scope=col>Workload</th>");
        boolean wide = columns.size() > FEW_COLUMNS;
        ShortNames names = new ShortNames(columns.stream().map(Domain::label).toList(), LONGEST_NAME);
        columns.forEach(domain -> column(domain, names.of(domain.label()), wide));
        boolean rest = !all || hasCalm;
        if (rest) {
            html.markup("<th scope=col class=\"rest" + (all ? " some" : "") + "\">Other domains</th>");
        }
        html.markup("</tr></thead>\n<tbody>\n");
        rows.forEach(row -> row(row, columns, all, rest, shown));
        html.markup("</tbody></table></div>\n</details>\n");
    }

    private static String extent(Topology table) {
        long affected =
                table.domains().stream().filter(it -> it.affectedPods() > 0).count();
        return String.format(
                Locale.ROOT,
                "%,d of %s affected",
                affected,
                Count.of(table.domains().size(), "domain"));
    }

    private void note(Topology table, int columns, int candidates, int rows) {
        long affected =
                table.domains().stream().filter(it -> it.affectedPods() > 0).count();
        if (columns < affected) {
            note("The " + Count.of(columns, "domain") + " with the most affected pods. "
                    + Count.of(affected - columns, "more affected domain")
                    + " and those without affected pods are added"
                    + " up under Other domains.");
        }
        if (candidates < table.rows().size()) {
            note(Count.of(table.rows().size() - candidates, "more affected workload")
                    + (table.rows().size() - candidates == 1 ? " has" : " have")
                    + " affected pods in other domains only.");
        }
        if (rows < candidates) {
            note("The " + Count.of(rows, "workload") + " with the most affected pods. "
                    + Count.of(candidates - rows, "more affected workload")
                    + (candidates - rows == 1 ? " is" : " are") + " not in this table.");
        }
    }

    private void note(String text) {
        html.markup("<p class=note>").text(text).markup("</p>\n");
    }

    private static List<Domain> columns(Topology table) {
        if (table.domains().size() <= MOST_COLUMNS) {
            return table.domains();
        }
        return table.domains().stream()
                .filter(domain -> domain.affectedPods() > 0)
                .sorted(Comparator.comparingInt(Domain::affectedPods).reversed().thenComparing(Domain::name))
                .limit(MOST_COLUMNS)
                .sorted(Comparator.comparing(Domain::name))
                .toList();
    }

    /** {@return the rows with an affected pod in a shown domain} */
    private static List<Row> candidates(Topology table, Set<String> shown) {
        return table.rows().stream()
                .filter(row -> row.cells().stream()
                        .anyMatch(cell -> !cell.affected().isEmpty() && shown.contains(cell.domain())))
                .toList();
    }

    private static List<Row> rows(List<Row> candidates) {
        Comparator<Row> most = Comparator.comparingInt(TopologyHtml::affected).reversed();
        return candidates.stream()
                .sorted(most.thenComparing(Row::workload))
                .limit(MOST_ROWS)
                .sorted(Comparator.comparing(Row::workload))
                .toList();
    }

    private static int affected(Row row) {
        return row.cells().stream().mapToInt(cell -> cell.affected().size()).sum();
    }

    private void column(Domain domain, String shortName, boolean wide) {
        String name = domain.label();
        boolean upright = wide && shortName.length() > LONG_NAME;
        html.markup("<th scope=col")
                .attribute("class", (domain.affectedPods() == 0 ? "calm" : "") + (upright ? " long" : ""))
                .attribute("title", name + ": " + Count.of(domain.nodes(), "node"))
                .attribute("data-name", name);
        html.markup(shortName.equals(name) ? "><span>" : "><span aria-hidden=true>");
        if (upright) {
            html.text(shortName);
        } else {
            html.name(shortName);
        }
        html.markup("</span>");
        if (!shortName.equals(name)) {
            html.element("span class=vh", name);
        }
        html.markup("</th>");
    }

    private void row(Row row, List<Domain> columns, boolean all, boolean rest, Set<String> shown) {
        Map<String, Cell> cells = row.cells().stream()
                .collect(Collectors.toMap(Cell::domain, cell -> cell, (one, _) -> one, HashMap::new));
        html.markup("<tr><th scope=row><span class=ns>")
                .name(row.workload().namespace() + "/")
                .markup("</span>")
                .name(row.workload().name())
                .markup(" <span class=kind>")
                .text(row.workload().kind())
                .markup("</span></th>");
        for (Domain domain : columns) {
            Optional<Cell> cell = Optional.ofNullable(cells.get(domain.name()));
            html.markup(domain.affectedPods() == 0 ? "<td class=calm" : "<td");
            cell.ifPresentOrElse(this::cell, () -> html.markup(">"));
            html.markup("</td>");
        }
        if (rest) {
            html.markup("<td class=\"rest" + (all ? " some" : "") + "\"");
            Set<String> affected = columns.stream()
                    .filter(it -> it.affectedPods() > 0)
                    .map(Domain::name)
                    .collect(Collectors.toSet());
            row.cells().stream()
                    .filter(cell -> !(all ? affected : shown).contains(cell.domain()))
                    .reduce(TopologyHtml::sum)
                    .ifPresentOrElse(this::cell, () -> html.markup(">"));
            html.markup("</td>");
        }
        html.markup("</tr>\n");
    }

    private static Cell sum(Cell one, Cell other) {
        List<String> affected = new ArrayList<>(one.affected());
        affected.addAll(other.affected());
        return new Cell(
                "",
                one.killed() + other.killed(),
                one.violated() + other.violated(),
                one.undetermined() + other.undetermined(),
                one.fine() + other.fine(),
                affected);
    }

    private void cell(Cell cell) {
        if (!cell.affected().isEmpty()) {
            html.attribute("data-pods", pods.numbers(cell.affected()));
            long missing = pods.missing(cell.affected());
            if (missing > 0) {
                html.attribute("data-missing", missing);
            }
        }
        html.markup(">");
        StateMark.chips(html, cell);
    }
}
