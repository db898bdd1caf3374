package dev.holdfast.operator.offline.check.form;

import dev.holdfast.operator.offline.check.CheckReport;
import dev.holdfast.operator.offline.check.ExceptedPods;
import dev.holdfast.operator.offline.check.ViolationState;
import dev.holdfast.operator.offline.print.Count;
import dev.holdfast.operator.offline.print.Documents;
import dev.holdfast.operator.offline.print.Printable;
import dev.holdfast.operator.offline.print.Table;
import dev.holdfast.operator.offline.stranded.StrandedWorkload;
import dev.holdfast.policies.rule.WhenRequired;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** The forms in which a report is printed: the values of {@code -o}. */
public enum CheckOutput {
    TABLE {
        @Override
        public List<String> lines(CheckReport report, CheckStyle style) {
            List<CheckReport.Violation> listed =
                    report.violations().stream().limit(MOST_LISTED).toList();
            return list(report, ViolationTable.of(listed, false, style.labelKeys()), style, MOST_LISTED);
        }
    },
    WIDE {
        @Override
        public List<String> lines(CheckReport report, CheckStyle style) {
            Table all = ViolationTable.of(report.violations(), true, style.labelKeys());
            return list(report, all, style, Integer.MAX_VALUE);
        }
    },
    /** The violations in groups, without a list of them. */
    SUMMARY {
        @Override
        public List<String> lines(CheckReport report, CheckStyle style) {
            List<List<String>> tables = new ArrayList<>();
            if (!report.violations().isEmpty()) {
                tables.add(new ViolationGroups(report.violations(), style.groupBy()).lines(style));
            }
            tables.addAll(others(report, style));
            return separated(tables);
        }
    },
    JSON {
        @Override
        public List<String> lines(CheckReport report, CheckStyle style) {
            return Documents.json(report);
        }
    },
    YAML {
        @Override
        public List<String> lines(CheckReport report, CheckStyle style) {
            return Documents.yaml(report);
        }
    },
    NAME {
        @Override
        public List<String> lines(CheckReport report, CheckStyle style) {
            return report.violations().stream()
                    .collect(Collectors.toMap(
                            CheckReport.Violation::uid,
                            CheckReport.Violation::pod,
                            (one, _) -> one,
                            LinkedHashMap::new))
                    .values()
                    .stream()
                    .map(pod -> "pod/" + Printable.of(pod))
                    .toList();
        }
    };

    /** The maximum number of violations that the usual form lists after their groups. */
    private static final int MOST_LISTED = 200;

    /** {@return the report as lines, without a line about its numbers; empty if there is nothing to list} */
    public abstract List<String> lines(CheckReport report, CheckStyle style);

    /** {@return whether people read this form, so that it may have colors} */
    public boolean isForPeople() {
        return switch (this) {
            case TABLE, WIDE, SUMMARY -> true;
            case JSON, YAML, NAME -> false;
        };
    }

    /**
     * {@return groups of violations if they are many, the violations, and the other tables}
     *
     * @param most how many violations are in their table
     */
    private static List<String> list(CheckReport report, Table violations, CheckStyle style, int most) {
        List<List<String>> tables = new ArrayList<>();
        if (style.beginsWithGroups(report.violations().size())) {
            tables.add(new ViolationGroups(report.violations(), style.groupBy()).lines(style));
        }
        if (!report.violations().isEmpty()) {
            List<String> lines = new ArrayList<>(style.lines(violations));
            if (report.violations().size() > most) {
                lines.addAll(style.width()
                        .wrap(
                                "and " + Count.of(report.violations().size() - most, "more violation") + ": -o wide",
                                "  "));
            }
            tables.add(lines);
        }
        tables.addAll(others(report, style));
        if (!report.clusterWideAntiAffinity().isEmpty()) {
            Table table = new Table("NAMESPACE", "POD", "NODE", "CLUSTER-WIDE ANTI-AFFINITY");
            report.clusterWideAntiAffinity().forEach(it -> table.row(it.namespace(), it.pod(), it.node(), it.term()));
            tables.add(style.lines(table));
        }
        return separated(tables);
    }

    /**
     * {@return the tables of pods without a node, rules without a verdict, exceptions and stranded workloads, each only
     * if it has rows}
     */
    private static List<List<String>> others(CheckReport report, CheckStyle style) {
        List<List<String>> tables = new ArrayList<>();
        if (!report.pending().isEmpty()) {
            tables.add(style.lines(pending(report.pending())));
        }
        if (!report.undetermined().isEmpty()) {
            tables.add(style.lines(undetermined(report.undetermined())));
        }
        if (!report.exceptions().isEmpty()) {
            tables.add(style.lines(ExceptedPods.table(report.exceptions())));
        }
        if (!report.stranded().isEmpty()) {
            tables.add(style.lines(StrandedWorkload.table(report.stranded())));
        }
        return tables;
    }

    /** {@return the lines of the tables, with an empty line between two} */
    private static List<String> separated(List<List<String>> tables) {
        List<String> lines = new ArrayList<>();
        for (List<String> table : tables) {
            if (!lines.isEmpty()) {
                lines.add("");
            }
            lines.addAll(table);
        }
        return lines;
    }

    /** {@return a row for the pods of a namespace that wait for the same reason} */
    private static Table pending(List<CheckReport.PendingPod> pods) {
        Table table = new Table("NAMESPACE", "PENDING", "STATE", "WHY");
        PendingGroup.of(pods).forEach(it -> table.row(it.namespace(), Count.named(it.pods()), it.state(), it.why()));
        return table;
    }

    /** {@return a row for each reason: an input without nodes has no verdict on thousands of rules} */
    private static Table undetermined(List<CheckReport.Undetermined> rules) {
        Map<String, List<CheckReport.Undetermined>> byReason = new TreeMap<>();
        rules.forEach(rule ->
                byReason.computeIfAbsent(rule.reason(), _ -> new ArrayList<>()).add(rule));
        Table table = new Table("NO VERDICT", "RULES", "FOR EXAMPLE", "RULE", "WHY");
        byReason.forEach((reason, alike) -> {
            CheckReport.Undetermined first = alike.getFirst();
            table.row(
                    reason,
                    Integer.toString(alike.size()),
                    first.namespace() + "/" + first.pod(),
                    first.rule().name(),
                    first.message());
        });
        return table;
    }

    /**
     * {@return the numbers of a report as one sentence: {@code 2 violations: 12 pods on 3 nodes; ...}}
     */
    public static String summary(CheckReport report) {
        CheckReport.Summary summary = report.summary();
        long killed = report.violations().stream()
                .filter(CheckReport.Violation::killedByKubeletRestart)
                .map(CheckReport.Violation::uid)
                .distinct()
                .count();
        int wherePossible = (int) report.violations().stream()
                .filter(violation -> violation.when().equals(WhenRequired.POSSIBLE_AT_SCHEDULING.label()))
                .count();
        return Stream.of(
                        Count.of(summary.violations(), "violation")
                                + (wherePossible == 0
                                        ? ""
                                        : ", " + wherePossible + " of rules that are required only where possible")
                                + states(report),
                        Count.of(summary.pods(), "pod") + " on " + Count.of(summary.nodes(), "node"),
                        killed == 0
                                ? ""
                                : "a restart of the kubelet would reject " + Count.of(killed, "pod")
                                        + ", because it checks node rules again",
                        report.pending().isEmpty()
                                ? ""
                                : Count.of(report.pending().size(), "pod") + " without a node",
                        report.undetermined().isEmpty()
                                ? ""
                                : "no verdict on "
                                        + Count.of(report.undetermined().size(), "rule") + " of pods",
                        summary.strandedPods() == 0
                                ? ""
                                : "a roll-out would strand " + Count.of(summary.strandedPods(), "pod")
                                        + ", because of injected rules",
                        summary.uncheckedPods() == 0
                                ? ""
                                : Count.of(summary.uncheckedPods(), "unchecked pod") + " that no policy selects",
                        summary.clusterWideAntiAffinity() == 0
                                ? ""
                                : Count.of(summary.clusterWideAntiAffinity(), "rule")
                                        + " with which one pod can keep the pods of all namespaces out of a whole zone")
                .filter(part -> !part.isEmpty())
                .reduce((one, other) -> one + "; " + other)
                .orElseThrow();
    }

    /** {@return how many violations are of rules that policies enforce, and of pods that exceptions name} */
    private static String states(CheckReport report) {
        long excepted = report.violations().stream()
                .filter(it -> it.state() == ViolationState.EXCEPTED)
                .count();
        long enforced = report.violations().stream()
                .filter(it -> it.state().isEnforced())
                .count();
        long due = report.violations().stream()
                .filter(it -> it.state() == ViolationState.DUE)
                .count();
        return (enforced == 0 ? "" : ", " + enforced + " of enforced rules" + (due == 0 ? "" : " (" + due + " due)"))
                + (excepted == 0 ? "" : ", " + excepted + " of pods with an exception");
    }
}
