package dev.holdfast.operator.check;

import dev.holdfast.operator.print.Count;
import dev.holdfast.operator.print.Documents;
import dev.holdfast.operator.print.LineWidth;
import dev.holdfast.operator.print.Printable;
import dev.holdfast.operator.print.Table;
import dev.holdfast.operator.rollout.StrandedWorkload;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** The forms in which a report is printed: the values of {@code -o}. */
public enum CheckOutput {
    TABLE {
        @Override
        public List<String> lines(CheckReport report, LineWidth width) {
            if (report.violations().isEmpty()) {
                return stranded(report, width);
            }
            Table table = new Table("NAMESPACE", "POD", "NODE", "RULE", "BREACH");
            report.violations()
                    .forEach(it -> table.row(
                            it.namespace(), it.pod(), it.node(), it.rule().name(), it.breach()));
            return withStranded(table.lines(width), report, width);
        }
    },
    WIDE {
        @Override
        public List<String> lines(CheckReport report, LineWidth width) {
            if (report.violations().isEmpty()) {
                return stranded(report, width);
            }
            Table table =
                    new Table("NAMESPACE", "POD", "NODE", "RULE", "KIND", "RESTART", "POLICIES", "BREACH", "HEALS");
            report.violations()
                    .forEach(it -> table.row(
                            it.namespace(),
                            it.pod(),
                            it.node(),
                            it.rule().name(),
                            it.rule().kind(),
                            it.killedByKubeletRestart() ? "Killed" : "Stays",
                            it.policies().isEmpty() ? "<none>" : String.join(",", it.policies()),
                            it.breach(),
                            it.heals()));
            return withStranded(table.lines(width), report, width);
        }
    },
    JSON {
        @Override
        public List<String> lines(CheckReport report, LineWidth width) {
            return Documents.json(report);
        }
    },
    YAML {
        @Override
        public List<String> lines(CheckReport report, LineWidth width) {
            return Documents.yaml(report);
        }
    },
    NAME {
        @Override
        public List<String> lines(CheckReport report, LineWidth width) {
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

    /**
     * {@return the report as lines, without a line about its numbers; empty if there is nothing to list}
     *
     * @param width the most characters of a line of a table
     */
    public abstract List<String> lines(CheckReport report, LineWidth width);

    private static List<String> withStranded(List<String> violations, CheckReport report, LineWidth width) {
        List<String> lines = new ArrayList<>(violations);
        if (!report.stranded().isEmpty()) {
            lines.add("");
            lines.addAll(stranded(report, width));
        }
        return lines;
    }

    /** {@return the workloads that a roll-out would strand; they are no findings} */
    private static List<String> stranded(CheckReport report, LineWidth width) {
        return report.stranded().isEmpty()
                ? List.of()
                : StrandedWorkload.table(report.stranded()).lines(width);
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
        return Stream.of(
                        Count.of(summary.violations(), "violation"),
                        Count.of(summary.pods(), "pod") + " on " + Count.of(summary.nodes(), "node"),
                        killed == 0
                                ? ""
                                : "a restart of the kubelet would reject " + Count.of(killed, "pod")
                                        + ", because it checks node rules again",
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
                                : Count.of(summary.uncheckedPods(), "unchecked pod") + " that no policy selects")
                .filter(part -> !part.isEmpty())
                .reduce((one, other) -> one + "; " + other)
                .orElseThrow();
    }
}
