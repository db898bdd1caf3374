package dev.holdfast.operator.offline.report.form;

import dev.holdfast.operator.offline.check.CheckReport;
import dev.holdfast.operator.offline.check.form.PendingGroup;
import dev.holdfast.operator.offline.loss.WorkloadState;
import dev.holdfast.operator.offline.loss.ZonesReport;
import dev.holdfast.operator.offline.print.Count;
import dev.holdfast.operator.offline.print.Printable;
import dev.holdfast.operator.offline.report.ClusterReport;
import dev.holdfast.operator.offline.report.ClusterReport.Cell;
import dev.holdfast.operator.offline.report.ClusterReport.Domain;
import dev.holdfast.operator.offline.report.ClusterReport.Row;
import dev.holdfast.operator.offline.report.ClusterReport.Spread;
import dev.holdfast.operator.offline.report.ClusterReport.State;
import dev.holdfast.operator.offline.report.ClusterReport.Topology;
import dev.holdfast.operator.offline.report.html.StateMark;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** The report in Markdown as GitHub and GitLab draw it, for the comment of a pull request or the summary of a job. */
final class MarkdownReport {
    /** The number of entries of each list that are written. */
    static final int MOST_LISTED = 100;

    private static final int MOST_COLUMNS = 12;

    /** Signs without a meaning in Markdown, where they stand in names and sentences. */
    private static final String PLAIN = "/.,:;= ()%'+?-";

    /** Texts that become links: mentions, numbers of issues, and addresses. */
    private static final Pattern LINKED = Pattern.compile("@|#|:(?=//)|(?<=(?i:www))\\.");

    private final ClusterReport report;
    private final List<String> lines = new ArrayList<>();

    MarkdownReport(ClusterReport report) {
        this.report = report;
    }

    /** {@return the lines} */
    List<String> lines() {
        ClusterReport.Summary summary = report.summary();
        lines.add("# " + text(report.title()));
        lines.add("");
        lines.add("**" + Count.of(summary.violations(), "violation") + "** of "
                + Count.of(summary.violatingPods(), "pod") + "; " + Count.of(summary.listedPods(), "running pod")
                + " on " + Count.of(summary.nodes(), "node")
                + (report.source().isEmpty() ? "" : ", read from " + text(report.source()))
                + (summary.killedByKubeletRestart() == 0
                        ? ""
                        : "; a restart of the kubelet would reject "
                                + Count.of(summary.killedByKubeletRestart(), "pod"))
                + (summary.undetermined() == 0 ? "" : "; no verdict on " + Count.of(summary.undetermined(), "rule"))
                + (summary.uncheckedPods() == 0
                        ? ""
                        : "; " + Count.of(summary.uncheckedPods(), "unchecked pod") + " that no policy selects")
                + ".");
        violations();
        undetermined();
        pending();
        policies();
        budgets();
        zoneFailures();
        report.topologies().forEach(this::topology);
        if (!report.topologyKeysLeftOut().isEmpty()) {
            lines.add("");
            lines.add(
                    "No table, as others have more findings: " + text(String.join(", ", report.topologyKeysLeftOut())));
        }
        spreads();
        return lines;
    }

    private void heading(String heading) {
        lines.add("");
        lines.add("## " + text(heading));
        lines.add("");
    }

    private void row(List<String> cells) {
        lines.add("| " + String.join(" | ", cells) + " |");
    }

    private void columns(String... names) {
        row(List.of(names));
        lines.add("|" + " --- |".repeat(names.length));
    }

    private void more(int all, int most, String what) {
        if (all > most) {
            lines.add("");
            lines.add(Count.of(all - most, "more " + what) + " not listed here: `-o json` has all.");
        }
    }

    private void violations() {
        if (report.violations().isEmpty()) {
            return;
        }
        heading("Violations");
        columns("", "Pod", "Node", "Rule", "Breach", "Heals");
        report.violations().stream()
                .limit(MOST_LISTED)
                .forEach(it -> row(List.of(
                        entity(StateMark.shape(it.killedByKubeletRestart() ? State.KILLED : State.VIOLATED)),
                        text(it.namespace() + "/" + it.pod()),
                        text(it.node()),
                        text(it.ruleText()),
                        text(it.breach()),
                        text(it.heals()))));
        more(report.violations().size(), MOST_LISTED, "violation");
        lines.add("");
        lines.add(Arrays.stream(State.values())
                .map(state -> entity(StateMark.shape(state)) + " " + StateMark.word(state))
                .collect(Collectors.joining(", ")));
    }

    private void undetermined() {
        if (report.undetermined().isEmpty()) {
            return;
        }
        heading("Rules without a verdict");
        columns("Pod", "Node", "Rule", "Reason", "What is missing");
        for (CheckReport.Undetermined it :
                report.undetermined().stream().limit(MOST_LISTED).toList()) {
            row(List.of(
                    text(it.namespace() + "/" + it.pod()),
                    text(it.node()),
                    text(it.rule().name()),
                    text(it.reason()),
                    text(it.message())));
        }
        more(report.undetermined().size(), MOST_LISTED, "rule");
    }

    /** Writes a table of at most some rows under a heading; nothing without rows. */
    private <T> void table(
            String heading, List<String> columns, List<T> rows, String noun, Function<T, List<String>> cells) {
        if (rows.isEmpty()) {
            return;
        }
        heading(heading);
        columns(columns.stream().map(MarkdownReport::text).toArray(String[]::new));
        rows.stream()
                .limit(MOST_LISTED)
                .forEach(it ->
                        row(cells.apply(it).stream().map(MarkdownReport::text).toList()));
        more(rows.size(), MOST_LISTED, noun);
    }

    private void pending() {
        table(
                Count.of(report.pending().size(), "pod") + " without a node",
                List.of("Pods", "Namespace", "State", "Why"),
                PendingGroup.of(report.pending()),
                "reason",
                it -> List.of(Count.named(it.pods()), it.namespace(), it.state(), it.why()));
    }

    private void policies() {
        table(
                "Policies",
                List.of("Policy", "Mode", "Selected pods", "Violations", "Due", "Due after", "Held"),
                report.policies(),
                "row",
                it -> List.of(
                        it.policy(),
                        it.mode(),
                        String.valueOf(it.selectedPods()),
                        String.valueOf(it.violations()),
                        String.valueOf(it.due()),
                        it.forgiveness(),
                        it.holds().stream()
                                .map(hold -> hold.count() + " " + hold.reason())
                                .collect(Collectors.joining(", "))));
    }

    private void budgets() {
        table(
                "Budgets that never allow an eviction",
                List.of("Budget", "Pods", "Why", "What to do"),
                report.budgets(),
                "budget",
                it -> List.of(it.namespace() + "/" + it.budget(), String.valueOf(it.pods()), it.why(), it.advice()));
    }

    private void zoneFailures() {
        List<ZonesReport.Workload> hit = report.zoneFailures().stream()
                .filter(it -> it.worst() != WorkloadState.FINE)
                .toList();
        table(
                "If a zone fails",
                Stream.concat(
                                Stream.of("Workload", "Ready pods"),
                                report.zoneFailures().stream()
                                        .limit(1)
                                        .flatMap(it -> it.failures().stream())
                                        .limit(MOST_COLUMNS)
                                        .map(it -> "Without " + it.zone()))
                        .toList(),
                hit,
                "workload",
                it -> Stream.concat(
                                Stream.of(
                                        it.namespace() + "/" + it.name() + " " + it.kind(), String.valueOf(it.pods())),
                                it.failures().stream().limit(MOST_COLUMNS).map(ZonesReport.Failure::words))
                        .toList());
    }

    private void topology(Topology table) {
        List<Domain> affected = table.domains().stream()
                .filter(domain -> domain.affectedPods() > 0)
                .toList();
        if (affected.isEmpty()) {
            return;
        }
        List<Domain> columns = affected.stream()
                .sorted(Comparator.comparingInt(Domain::affectedPods).reversed().thenComparing(Domain::name))
                .limit(MOST_COLUMNS)
                .sorted(Comparator.comparing(Domain::name))
                .toList();
        heading(table.title());
        List<String> names = new ArrayList<>(List.of("Workload"));
        columns.forEach(it -> names.add(text(it.label())));
        columns(names.toArray(String[]::new));
        table.rows().stream().limit(MOST_LISTED).forEach(row -> row(cells(row, columns)));
        more(table.rows().size(), MOST_LISTED, "workload");
        more(affected.size(), MOST_COLUMNS, "affected domain");
    }

    private static List<String> cells(Row row, List<Domain> columns) {
        Map<String, Cell> cells = row.cells().stream().collect(Collectors.toMap(Cell::domain, Function.identity()));
        List<String> written = new ArrayList<>();
        written.add(text(row.workload().namespace() + "/" + row.workload().name() + " "
                + row.workload().kind()));
        columns.forEach(it -> written.add(Optional.ofNullable(cells.get(it.name()))
                .map(MarkdownReport::chips)
                .orElse("")));
        return written;
    }

    private static String chips(Cell cell) {
        return Arrays.stream(State.values())
                .filter(state -> StateMark.count(cell, state) > 0)
                .map(state -> entity(StateMark.shape(state)) + " " + StateMark.count(cell, state))
                .collect(Collectors.joining(" "));
    }

    private void spreads() {
        List<Spread> violated =
                report.spreads().stream().filter(it -> it.violatingPods() > 0).toList();
        if (violated.isEmpty()) {
            return;
        }
        heading("Spread constraints over the allowed skew");
        columns("Namespace", "Constraint", "Pods by domain", "Verdict");
        violated.stream()
                .limit(MOST_LISTED)
                .forEach(it ->
                        row(List.of(text(it.namespace()), text(it.requirement()), domains(it), text(it.verdict()))));
        more(violated.size(), MOST_LISTED, "constraint");
    }

    private static String domains(Spread spread) {
        List<String> shown = spread.domains().stream()
                .limit(MOST_COLUMNS)
                .map(it -> text(it.name()) + ": " + it.pods()
                        + (it.over() ? " " + entity(StateMark.shape(State.VIOLATED)) : ""))
                .toList();
        int more = spread.domainCount() - shown.size();
        return String.join(", ", shown) + (more > 0 ? " and " + more + " more" : "");
    }

    private static String entity(String text) {
        return text.codePoints().mapToObj(point -> "&#" + point + ";").collect(Collectors.joining());
    }

    /**
     * {@return text that no reader of Markdown takes for anything else} All but letters, digits and a few signs is
     * written as a reference to the character. Texts that servers turn into links and mentions even then are shown as
     * escapes.
     */
    static String text(String text) {
        String shown = LINKED.matcher(Printable.of(text.replace('\n', ' ')))
                .replaceAll(link -> Matcher.quoteReplacement(
                        String.format(Locale.ROOT, "\\u%04x", (int) link.group().charAt(0))));
        StringBuilder escaped = new StringBuilder();
        shown.codePoints().forEach(point -> {
            boolean letter = point < 128 && Character.isLetterOrDigit(point);
            if (letter || PLAIN.indexOf(point) >= 0) {
                escaped.appendCodePoint(point);
            } else {
                escaped.append("&#").append(point).append(';');
            }
        });
        return escaped.toString();
    }
}
